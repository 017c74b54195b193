import type { CommitOutcome, StorageAdapter, StorageBatch } from "holdfast";
import { type NaiveState, NaiveStorage } from "./naive-storage.ts";

type Prune = Parameters<StorageAdapter["prune"]>[0];

/** A storage with one fault, and the case of the contract that has to find it. */
export interface PlantedFault {
  /** What is wrong. */
  readonly fault: string;
  /** The name of the case. */
  readonly foundBy: string;
  /** Whether the case waits for ever, instead of failing. */
  readonly waits?: true;
  /** Makes the storage. */
  readonly make: () => NaiveStorage;
  /** What opening again gives. Default: the same storage. */
  readonly reopen?: (storage: NaiveStorage) => NaiveStorage;
}

/** A storage that commits something else than it was given. */
export function rewriting(rewrite: (batch: StorageBatch, state: NaiveState) => StorageBatch) {
  return () =>
    new (class extends NaiveStorage {
      override commit(batches: readonly StorageBatch[]) {
        return super.commit(batches.map((batch) => rewrite(batch, this.state)));
      }
    })();
}

/** A storage that does something more after each batch. */
export function spoiling(
  spoil: (
    state: NaiveState,
    batch: StorageBatch,
    outcome: CommitOutcome,
    before: NaiveState,
  ) => CommitOutcome | undefined,
) {
  return () =>
    new (class extends NaiveStorage {
      override async commit(batches: readonly StorageBatch[]) {
        const outcomes: CommitOutcome[] = [];
        for (const batch of batches) {
          const before = this.state;
          const [outcome] = await super.commit([batch]);
          if (outcome !== undefined) outcomes.push(spoil(this.state, batch, outcome, before) ?? outcome);
        }
        return outcomes;
      }
    })();
}

/** A storage that prunes something else than it was asked to. */
export function pruning(rewrite: (options: Prune, state: NaiveState) => Prune) {
  return () =>
    new (class extends NaiveStorage {
      override prune(options: Prune) {
        return super.prune(rewrite(options, this.state));
      }
    })();
}

/** A storage that lists what it likes. */
export function listing(
  relist: (paths: readonly string[], options: { under?: string; after?: string }) => readonly string[],
) {
  return () =>
    new (class extends NaiveStorage {
      override async *list(options: { under?: string; after?: string }) {
        for (const path of relist([...this.state.files.keys()].sort(), options)) {
          const file = this.state.files.get(path);
          yield { path, kind: file?.kind ?? "file", byteLength: file?.bytes.byteLength ?? 0 } as const;
        }
      }
    })();
}
