import { utf8 } from "../../src/base/bytes.ts";
import { randomIds, systemClock } from "../../src/base/clock.ts";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import type { DirectoryHost } from "../../src/storage/directory/directory-host.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import type { RecoveryReport, StorageBatch } from "../../src/storage/storage-adapter.ts";

/** What a batch does to files: text to write, `null` to delete, or more. */
export type Wanted = Readonly<
  Record<
    string,
    string | null | { readonly text?: string; readonly from?: string; readonly executable?: boolean }
  >
>;

/** Opens a directory storage on a host. */
export async function openAdapter(
  host: DirectoryHost,
  root: string,
): Promise<{ readonly storage: DirectoryAdapter; readonly report: RecoveryReport }> {
  const storage = new DirectoryAdapter(host, { root });
  const report = await storage.open({
    hashing: await loadNodeHashing(),
    clock: systemClock,
    ids: randomIds,
    readOnly: false,
    lockTimeoutMs: 1000,
  });
  return { storage, report };
}

let batches = 0;

/** Makes a batch that expects what is there now; it also puts the record `marker`. */
export async function makeBatch(
  storage: Pick<DirectoryAdapter, "read">,
  wanted: Wanted,
): Promise<StorageBatch> {
  const entries = Object.entries(wanted);
  const expect: StorageBatch["expect"][number][] = [];
  for (const [path] of entries)
    expect.push({ space: "files", key: path, version: (await storage.read(path, {}))?.version ?? null });
  const putFiles = entries.flatMap(([path, want]) => {
    if (want === null) return [];
    const { text, from, executable } =
      typeof want === "string" ? { text: want, from: undefined, executable: false } : want;
    const content = from === undefined ? { bytes: utf8(text ?? "") } : { from };
    return [{ path, kind: "file" as const, executable: executable ?? false, content }];
  });
  batches += 1;
  return {
    id: `batch-${batches}`,
    expect,
    putFiles,
    deleteFiles: entries.flatMap(([path, want]) => (want === null ? [path] : [])),
    appendContent: [],
    putRecords: [{ key: "marker", bytes: utf8(`${batches}`) }],
    deleteRecords: [],
    entry: (sequence) => utf8(`entry ${sequence}`),
  };
}
