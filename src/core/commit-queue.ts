import { afterOthers, nextMacrotask } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import type { CommitOutcome, StorageAdapter, StorageBatch } from "../storage/storage-adapter.ts";

/** Batches that go to the storage at once; more wait for the next time. */
const mostAtOnce = 1024;

/** Turns of the event loop that batches wait for others at most, each a slice of work long. */
const mostTurns = 8;

interface Waiting {
  readonly batch: StorageBatch;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (reason: unknown) => void;
}

/** The place of a call that plans a batch, or finds that it has none. */
export interface QueuePlace {
  /** Commits the batch. Rejects with the signal's reason when it fires before the storage has been given the batch, and not afterwards. */
  commit(batch: StorageBatch, options: { readonly signal?: AbortSignal | undefined }): Promise<CommitOutcome>;
  /** Says that there will be no batch; does nothing after `commit`. */
  leave(): void;
}

/**
 * Hands batches to the storage: while one commit runs, those that come wait, and then go together, so that they share the cost of making it
 * last. First come, first served. Those that are being planned are waited for as long as each turn of the event loop brings one.
 */
export class CommitQueue {
  readonly #storage: StorageAdapter;
  #waiting: Waiting[] = [];
  #planned = 0;
  #running = false;

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** Announces a batch that is still to be planned. */
  announce(): QueuePlace {
    this.#planned += 1;
    let isOpen = true;
    const leave = () => {
      if (isOpen) this.#planned -= 1;
      isOpen = false;
    };
    return {
      leave,
      commit: (batch, options) => {
        leave();
        return this.#enter(batch, options);
      },
    };
  }

  #enter(
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
      await this.#gather();
      const members = this.#waiting.splice(0, mostAtOnce).filter(refuseAborted);
      if (members.length > 0) await this.#commitTogether(members);
    }
    this.#running = false;
  }

  async #gather(): Promise<void> {
    for (let turn = 0, had = 0; turn < mostTurns && this.#waiting.length > had; turn++) {
      if (this.#planned === 0 || this.#waiting.length >= mostAtOnce) return;
      had = this.#waiting.length;
      await (afterOthers() ?? wholeTurn());
    }
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

/** Lets all others of one turn of the event loop go on, those too that come behind this one in it. */
async function wholeTurn(): Promise<void> {
  await nextMacrotask();
  await nextMacrotask();
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
