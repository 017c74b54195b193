import * as fs from "node:fs";
import { join } from "node:path";
import type { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import { showBytes } from "../../../src/storage/memory/show-bytes.ts";
import { switchedFileSystem, switchedStorage, writePast } from "../file-systems/switched-file-system.ts";
import { type FileSystemSwitch, fileSystemSwitches } from "../file-systems/switches.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import type { GroundKind } from "./ground-kinds.ts";
import { leaveLater } from "./leave-ground.ts";
import type { TestStorage } from "./test-storage.ts";

/** Makes a storage in a new folder, or one more in the folder of another. */
export type OpenDirectory = (beside?: TestStorage) => DirectoryGround;

/** A storage in a folder. */
interface DirectoryGround extends TestStorage {
  /** Takes away the right to write a file. */
  forbidWriting(path: string): void;
}

const usual: FileSystemSwitch = { layers: () => [] };
const roots = new WeakMap<TestStorage, string>();

/** Makes directories on one kind of file system; each goes when its test ends. */
export function directoryOf(kind: GroundKind): OpenDirectory {
  const switches: Readonly<Record<string, FileSystemSwitch>> = fileSystemSwitches;
  const chosen = switches[kind] ?? usual;
  const { isPatient = true } = chosen;
  // What another program has to wait for is its own matter.
  const outside = switchedFileSystem(isPatient ? chosen : usual);
  return (beside) => {
    const root = (beside && roots.get(beside)) ?? newRoot();
    const adapter = switchedStorage(chosen, root);
    closeLater(adapter);
    const storage = Object.assign(adapter, {
      toJSON: () => Object.fromEntries(textsBelow(outside, root)),
      writeOutside: (path: string, content: string | Uint8Array | null) =>
        writePast(
          outside,
          join(root, path),
          typeof content === "string" ? new TextEncoder().encode(content) : content,
        ),
      linkOutside: (path: string, target: string) => outside.symlink(target, join(root, path)),
      forbidWriting: (path: string) => fs.chmodSync(join(root, path), 0o444),
    });
    roots.set(storage, root);
    return storage;
  };
}

function newRoot(): string {
  const { path, remove } = temporaryFolder("quick");
  leaveLater(remove);
  return path;
}

/** Closes a storage as often as it was opened and not closed. */
function closeLater(adapter: DirectoryAdapter): void {
  let opens = 0;
  const [open, close] = [adapter.open.bind(adapter), adapter.close.bind(adapter)];
  adapter.open = async (options) => {
    const report = await open(options);
    opens += 1;
    return report;
  };
  adapter.close = async () => {
    opens -= 1;
    await close();
  };
  leaveLater(async () => {
    while (opens > 0) await adapter.close();
  });
}

function* textsBelow(fileSystem: FileSystem, root: string, under = ""): Generator<[string, string]> {
  for (const { name, kind } of fileSystem.readdir(join(root, under))) {
    const path = under === "" ? name : `${under}/${name}`;
    if (path === ".holdfast") continue;
    if (kind === "directory") yield* textsBelow(fileSystem, root, path);
    else yield [path, kind === "symlink" ? fileSystem.readlink(join(root, path)) : textAt(join(root, path))];
  }
}

function textAt(path: string): string {
  return showBytes(fs.readFileSync(path));
}
