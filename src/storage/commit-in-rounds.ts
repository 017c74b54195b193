import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { splitBatches } from "./split-batches.ts";
import type { CommitOutcome, StorageAdapter, StorageBatch } from "./storage-adapter.ts";
import { asStorageError } from "./storage-errors.ts";

type CommitCallOptions = CancelOptions & { readonly flush: boolean };

/**
 * Commits batches in as many adapter calls as their dependence on each other needs, each with its own copy of the caller's bytes, made before
 * the first wait. Rejects only when no batch has taken effect: what a later call throws becomes the outcome of its batches.
 */
export async function commitInRounds(
  adapter: StorageAdapter,
  batches: readonly StorageBatch[],
  options: CommitCallOptions,
): Promise<readonly CommitOutcome[]> {
  if (batches.length === 0) return [];
  const rounds = splitBatches(batches, adapter.capabilities.caseSensitive);
  const copies = batches.map(copyOfBatch);
  const outcomes: CommitOutcome[] = [];
  for (const [number, positions] of rounds.entries()) {
    const members = positions.map((position) => copies[position] as StorageBatch);
    const answers =
      number === 0
        ? await commitRound(adapter, members, options)
        : await commitLaterRound(adapter, members, options);
    positions.forEach((position, index) => {
      outcomes[position] = answers[index] as CommitOutcome;
    });
  }
  return outcomes;
}

async function commitRound(
  adapter: StorageAdapter,
  batches: readonly StorageBatch[],
  options: CommitCallOptions,
): Promise<readonly CommitOutcome[]> {
  const outcomes = await adapter.commit(batches, options);
  if (outcomes.length !== batches.length)
    throw new HoldfastError("STORAGE_FAILED", {
      message: `The storage gave ${outcomes.length} outcomes for ${batches.length} batches.`,
      written: "unknown",
    });
  return outcomes.map((outcome) =>
    !outcome.committed && "error" in outcome
      ? { ...outcome, error: asStorageError(outcome.error, { ...options, written: outcome.written }) }
      : outcome,
  );
}

async function commitLaterRound(
  adapter: StorageAdapter,
  batches: readonly StorageBatch[],
  options: CommitCallOptions,
): Promise<readonly CommitOutcome[]> {
  try {
    options.signal?.throwIfAborted();
    return await commitRound(adapter, batches, options);
  } catch (thrown) {
    const error = asStorageError(thrown, options);
    const written = error instanceof HoldfastError && error.written === "unknown" ? "unknown" : "no";
    return batches.map(() => ({ committed: false, error, written }));
  }
}

function copyOfBatch(batch: StorageBatch): StorageBatch {
  const { putFiles, appendContent, putRecords } = batch;
  const entry = batch.entry?.bind(batch);
  return {
    id: batch.id,
    expect: batch.expect,
    putFiles: putFiles.map((put) =>
      "bytes" in put.content ? { ...put, content: { bytes: put.content.bytes.slice() } } : put,
    ),
    deleteFiles: batch.deleteFiles,
    appendContent: appendContent.map((append) => ({ ...append, bytes: append.bytes.slice() })),
    putRecords: putRecords.map((put) => ({ ...put, bytes: put.bytes.slice() })),
    deleteRecords: batch.deleteRecords,
    ...(entry === undefined ? {} : { entry }),
  };
}
