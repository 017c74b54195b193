import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { findCutoff } from "../history/find-cutoff.ts";
import { anchorBatch, readAnchors } from "../history/history-anchor.ts";
import type { Idempotency } from "../history/idempotency.ts";
import type { Retention } from "../schema/retention.ts";
import type { RecordChanges } from "./make-batch.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What of the past somebody still needs. */
export interface Pinned {
  /** The oldest log entry that must stay; left out when none must. */
  readonly oldestSequence?: number | undefined;
  /** Contents that must stay, by SHA-256. */
  readonly contents: Iterable<string>;
  /** Records that are kept no longer, each with what must hold of them, and staged contents that nobody needs once those are gone. */
  readonly stale?: readonly RecordChanges[] | undefined;
  readonly staged?: readonly string[] | undefined;
}

/** Tells what must stay and what may go; asked right before old revisions are removed. `endedBefore`: milliseconds since 1970. */
export type PinSource = (options: CancelOptions & { readonly endedBefore: number }) => Promise<Pinned>;

/** What removing old revisions came to. */
export interface PruneResult {
  /** Revisions that went. */
  readonly revisionsRemoved: number;
  /** Bytes that the storage let go. */
  readonly bytesFreed: number;
}

const day = 24 * 60 * 60 * 1000;

/** What is kept when nothing else is said. */
export const defaultRetention: Retention = { maxRevisions: 10_000, maxAgeMs: 30 * day };

/** After so many commits of all handles it is looked whether there are old revisions. */
const commitsPerLook = 256;

/** What removing old revisions works with. */
export interface HistoryPrunerParts {
  readonly context: WorkspaceContext;
  readonly idempotency: Idempotency;
  /** `false`: all is kept until somebody asks for it. */
  readonly retention: Retention | false;
  /** Runs work when no call is inside. */
  readonly whenIdle: (work: () => Promise<void>) => void;
}

/** Removes old revisions: when it is asked to, and now and then behind the calls. Never what somebody has pinned, nor what a kept idempotency key needs. */
export class HistoryPruner {
  readonly #parts: HistoryPrunerParts;
  readonly #pins: PinSource[] = [];
  #running: Promise<unknown> = Promise.resolve();
  #isDue = false;

  constructor(parts: HistoryPrunerParts) {
    this.#parts = parts;
  }

  /** Lets somebody pin what must stay. */
  addPins(source: PinSource): void {
    this.#pins.push(source);
  }

  /** Notes a commit; now and then old revisions are removed once no call is inside. */
  committed(sequence: number): void {
    const { retention, whenIdle } = this.#parts;
    if (retention === false || this.#isDue || sequence % commitsPerLook !== 0) return;
    this.#isDue = true;
    whenIdle(async () => {
      this.#isDue = false;
      // What cannot be removed now is removed another time.
      await this.prune(retention, {}).catch(() => undefined);
    });
  }

  /** Removes what a retention does not keep; without one, what the handle was opened with. */
  async prune(retention: Retention | undefined, options: CancelOptions): Promise<PruneResult> {
    const kept = retention ?? this.#parts.retention;
    if (kept === false) return { revisionsRemoved: 0, bytesFreed: 0 };
    const done = this.#running.then(() => this.#prune(kept, options));
    this.#running = done.catch(() => undefined);
    return await done;
  }

  /** Waits for what runs. */
  async close(): Promise<void> {
    await this.#running;
  }

  async #prune(retention: Retention, { signal }: CancelOptions): Promise<PruneResult> {
    const { context, idempotency } = this.#parts;
    const { storage, clock } = context;
    const endedBefore = clock.now() - (retention.maxAgeMs ?? defaultRetention.maxAgeMs ?? 0);
    const pins = await Promise.all(this.#pins.map((source) => source({ endedBefore, signal })));
    const staged = await this.#removeStale(pins);
    const keys = await idempotency.oldestNeeded({ signal });
    const pinned = Math.min(
      keys,
      ...pins.map(({ oldestSequence = Number.POSITIVE_INFINITY }) => oldestSequence),
    );
    const cutoff = await findCutoff(storage, retention, { pinned, now: clock.now(), signal });
    if (cutoff === undefined && staged.length === 0) return { revisionsRemoved: 0, bytesFreed: 0 };
    if (cutoff !== undefined) await this.#writeAnchor(cutoff, { signal });
    const keep = new Set<string>();
    for (const { contents } of pins) for (const contentId of contents) keep.add(contentId);
    const { bytesFreed } = await storage.prune({ signal, before: cutoff?.before ?? 1, keep, staged });
    return { revisionsRemoved: cutoff?.revisions ?? 0, bytesFreed };
  }

  /** Removes records that are kept no longer, and gives the staged contents that went with them. */
  async #removeStale(pins: readonly Pinned[]): Promise<readonly string[]> {
    const { storage, ids } = this.#parts.context;
    const none = { putFiles: [], deleteFiles: [], appendContent: [] };
    const batches = pins.flatMap(({ stale = [] }) =>
      stale.map((changes) => ({ id: ids("rev"), ...none, ...changes })),
    );
    if (batches.length === 0) return [];
    const outcomes = await storage.commit(batches, { flush: true });
    // One that somebody went on with meanwhile stays, with what it has staged.
    if (outcomes.some(({ committed }) => !committed)) return [];
    return pins.flatMap(({ staged = [] }) => staged);
  }

  /** Keeps the hash of the last entry that goes beside the one of now, so that the chain can be checked whenever this ends. */
  async #writeAnchor(
    {
      oldest,
      last,
    }: { readonly oldest: number; readonly last: { readonly sequence: number; readonly hash: string } },
    { signal }: CancelOptions,
  ): Promise<void> {
    const { storage, ids } = this.#parts.context;
    const { anchors, version } = await readAnchors(storage, { signal });
    const needed = anchors.filter(({ sequence }) => sequence >= oldest - 1 && sequence !== last.sequence);
    const batch = anchorBatch(ids("rev"), [...needed, last], version);
    const [outcome] = await storage.commit([batch], { signal, flush: true });
    if (outcome?.committed === true) return;
    if (outcome !== undefined && "error" in outcome) throw outcome.error;
    throw new HoldfastError("TARGET_BUSY", {
      message: "Another handle removes old revisions at the same time.",
    });
  }
}
