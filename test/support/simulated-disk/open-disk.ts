import { utf8 } from "../../../src/base/bytes.ts";
import { type Clock, randomIds } from "../../../src/base/clock.ts";
import { type Hashing, hashBytes } from "../../../src/base/hashing.ts";
import { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import { loadNodeHashing } from "../../../src/storage/directory/node-hashing.ts";
import type { RecoveryReport } from "../../../src/storage/storage-adapter.ts";
import { simulatedHost } from "../crashing-host.ts";
import { type DiskWatch, diskFileSystem } from "./disk-file-system.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** A storage that a process has opened on a simulated disk. */
export interface OpenedDisk {
  readonly storage: DirectoryAdapter;
  readonly report: RecoveryReport;
  readonly hashing: Hashing;
  readonly openDescriptors: () => readonly string[];
}

let hashing: Promise<Hashing> | undefined;

/** Waiting on a simulated disk takes no time but its own. */
function diskClock(disk: SimulatedDisk): Clock {
  return {
    now: () => Number(disk.now / 1_000_000n),
    sleep: async (ms) => {
      disk.now += BigInt(Math.ceil(ms)) * 1_000_000n;
    },
  };
}

/** SHA-256 of a text, remembered. */
export function sha256Text(used: Hashing, text: string): string {
  let found = hashesOfTexts.get(text);
  if (found === undefined) {
    found = hashBytes(used, "sha256", utf8(text));
    if (hashesOfTexts.size > 5000) hashesOfTexts.clear();
    hashesOfTexts.set(text, found);
  }
  return found;
}

const hashesOfTexts = new Map<string, string>();

/** Opens the storage in the folder `/w` as a new process, for which all earlier ones count as gone but for those that live. */
export async function openDisk(
  disk: SimulatedDisk,
  boot: string,
  watch: DiskWatch = {},
  durability: "power" | "process" = "power",
  living = new Set<number>(),
): Promise<OpenedDisk> {
  hashing ??= loadNodeHashing();
  const used = await hashing;
  const fileSystem = diskFileSystem(disk, watch);
  const storage = new DirectoryAdapter(simulatedHost(fileSystem, boot, living), { root: "/w", durability });
  const report = await storage.open({
    hashing: used,
    clock: diskClock(disk),
    ids: randomIds,
    readOnly: false,
    lockTimeoutMs: 1000,
  });
  return { storage, report, hashing: used, openDescriptors: fileSystem.openDescriptors };
}
