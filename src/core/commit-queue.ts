import { afterOthers } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import type { CommitOutcome, StorageAdapter, StorageBatch } from "../storage/storage-adapter.ts";

/** Batches that go to the storage at once; more wait for the next time. */
const mostAtOnce = 1024;

interface Waiting {
  readonly batch: StorageBatch;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Hands batches to the storage: while one commit runs, those that come wait, and then go together, so that they share the cost of making it
 * last. First come, first served.
 */
export class CommitQueue {
  readonly #storage: StorageAdapter;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** Commits a batch. Rejects with the signal's reason when it fires before the storage has been given the batch, and not afterwards. */
  commit(
    batch: StorageBatch,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<CommitOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, signal: options.signal, resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    // Batches that are planned at the same time go together from the first time on, also when planning them takes more than one turn.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      await afterOthers();
      const members = this.#waiting.splice(0, mostAtOnce).filter(refuseAborted);
      if (members.length > 0) await this.#commitTogether(members);
    }
    this.#running = false;
  }

  async #commitTogether(members: readonly Waiting[]): Promise<void> {
    try {
      // Only batches with a log entry change files; expectations alone have nothing to be flushed.
      const flush = members.some(({ batch }) => batch.entry !== undefined || batch.putRecords.length > 0);
      const outcomes = await this.#storage.commit(
        members.map(({ batch }) => batch),
        { flush },
      );
      for (const [index, member] of members.entries()) settle(member, outcomes[index]);
    } catch (error) {
      if (members.length === 1 || !concernsOneBatch(error))
        for (const member of members) member.reject(error);
      else for (const member of members) await this.#commitTogether([member]);
    }
  }
}

function refuseAborted({ signal, reject }: Waiting): boolean {
  if (signal?.aborted !== true) return true;
  reject(signal.reason);
  return false;
}

function settle({ resolve, reject }: Waiting, outcome: CommitOutcome | undefined): void {
  if (outcome !== undefined) resolve(outcome);
  else reject(new HoldfastError("STORAGE_FAILED", { written: "unknown" }));
}

/** Whether a refusal of a whole list is about something in one of its batches, so that the others may be tried without it. */
function concernsOneBatch(error: unknown): boolean {
  if (!isHoldfastError(error) || error.written !== "no") return false;
  return error.category === "security" || error.category === "validation" || error.code === "INTERNAL";
}
