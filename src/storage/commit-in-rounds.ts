import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import { splitBatches } from "./split-batches.ts";
import type { CommitOutcome, StorageAdapter, StorageBatch } from "./storage-adapter.ts";
import { asStorageError } from "./storage-errors.ts";

type CommitCallOptions = CancelOptions & { readonly flush: boolean };

/**
 * Commits batches in as many adapter calls as their dependence on each other needs. Rejects only when no batch has taken effect: what a later call throws becomes the outcome of its batches.
 */
export async function commitInRounds(
  adapter: StorageAdapter,
  batches: readonly StorageBatch[],
  options: CommitCallOptions,
): Promise<readonly CommitOutcome[]> {
  if (batches.length === 0) return [];
  const rounds = await driveSteps(splitBatches(batches, adapter.capabilities.caseSensitive), timeSlice());
  const outcomes: CommitOutcome[] = [];
  for (const [number, positions] of rounds.entries()) {
    const members = positions.map((position) => batches[position] as StorageBatch);
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
