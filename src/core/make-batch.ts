import { invariant } from "../base/holdfast-error.ts";
import type { Content, Expectation, FilePut, RecordPut, StorageBatch } from "../storage/storage-adapter.ts";
import { isEmptyDelta } from "../tree/delta.ts";
import type { Plan } from "../tree/plan.ts";

/** What a batch is made from. */
export interface BatchParts {
  /** Names the batch. */
  readonly id: string;
  /** What is to happen. */
  readonly plan: Plan;
  /** The storage's token of a file that the plan relies on. */
  readonly versionOf: (path: string) => string | null;
  /** What the log keeps. */
  readonly entry: Uint8Array;
  /** Records that are written with it. */
  readonly records: readonly RecordChanges[];
}

/** What a batch does to records, and what must hold of them. */
export interface RecordChanges {
  readonly expect: readonly Expectation[];
  readonly putRecords: readonly RecordPut[];
  readonly deleteRecords: readonly string[];
}

/** Makes the one unit that the storage commits: every path relied on is expected, whether it is written or not. */
export function makeBatch({ id, plan, versionOf, entry, records }: BatchParts): StorageBatch {
  const contents = contentsOf(plan);
  const putFiles: FilePut[] = [];
  const deleteFiles: string[] = [];
  for (const [path, { after }] of plan.delta.changes) {
    if (after === undefined) {
      deleteFiles.push(path);
      continue;
    }
    const content = contents.get(path);
    invariant(content !== undefined, "a plan says where the bytes of each path come from");
    putFiles.push({ path, kind: after.kind, executable: after.executable, content });
  }
  const expect = [...plan.relies.keys()].map(
    (path) => ({ space: "files", key: path, version: versionOf(path) }) as const,
  );
  const batch = {
    id,
    expect: [...expect, ...records.flatMap((some) => some.expect)],
    putFiles,
    deleteFiles,
    appendContent: [],
    putRecords: records.flatMap((some) => some.putRecords),
    deleteRecords: records.flatMap((some) => some.deleteRecords),
  };
  if (isEmptyDelta(plan.delta) && records.length === 0) return batch;
  return { ...batch, entry: () => entry };
}

function contentsOf(plan: Plan): ReadonlyMap<string, Content> {
  const contents = new Map<string, Content>();
  for (const { path, bytes, from } of plan.files) {
    if (bytes !== undefined) contents.set(path, { bytes });
    else if (from !== undefined) contents.set(path, { from });
  }
  return contents;
}
