import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { refuseForAWhile } from "./file-systems/refuse-for-a-while.ts";
import { switchedFileSystem } from "./file-systems/switched-file-system.ts";
import { type FileSystemSwitch, fileSystemSwitches } from "./file-systems/switches.ts";

/** A kind of file system on which processes end. */
export interface CrashKind {
  readonly name: string;
  /** Makes it for one process. */
  readonly fileSystem: () => FileSystem;
  /** Of the points at which a process can end, one in so many is tried. */
  readonly stride: number;
}

const isWhole = process.env["TEST_GROUNDS"] === "all";

/** Each refusal is waited for in earnest, so there is one a path. */
const busyOnce = {
  isWindows: true,
  layers: () => [
    refuseForAWhile({ calls: ["rename", "unlink", "rmdir"], codes: ["EBUSY", "EPERM"], every: 3, times: 1 }),
  ],
};

const kinds: Readonly<Record<string, FileSystemSwitch>> = {
  "folding names": fileSystemSwitches["folding case and form"],
  "no hard links": fileSystemSwitches["no hard links (EPERM)"],
  "busy renames": busyOnce,
  "times of two seconds": fileSystemSwitches["times of two seconds"],
};

/** The usual file system at every point, and those on which a commit takes other steps or knows less of a file. */
export const crashKinds: readonly CrashKind[] = [
  { name: "the usual file system", fileSystem: () => nodeFileSystem, stride: 1 },
  ...Object.entries(kinds).map(([name, chosen]) => ({
    name: `a file system with ${name}`,
    fileSystem: () => switchedFileSystem(chosen),
    // Without links a commit takes steps of its own, and a path is between two states for three calls or more.
    stride: isWhole ? 1 : name === "no hard links" ? 3 : 9,
  })),
];
