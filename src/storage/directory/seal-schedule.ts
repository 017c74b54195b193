import { runLater, timeSlice } from "../../base/clock.ts";
import { type HoldfastError, isHoldfastError } from "../../base/holdfast-error.ts";
import { runCheckpoint } from "./checkpoint.ts";
import type { DirectorySession } from "./directory-session.ts";
import { packSealed, type WorthPacking, worthPacking } from "./pack-sealed.ts";

/** Log that may wait while commits go on, and log that may be left for the next opening: sealing takes as long as several commits. */
const mostWaiting = {
  running: { entries: 1000, bytes: 64 * 1024 * 1024 },
  closing: { entries: 16, bytes: 1024 * 1024 },
} as const;

/** So many entries that are sealed at closing are packed there: they took longer than that will. */
const manyEntries = 64;

/** How long packing may hold the event loop at a time, in milliseconds: commits go on beside it. */
const packSliceMs = 2;

/**
 * Decides when the log of a session is sealed: when much has come together, when nothing comes for a while, and at the end. What is sealed is
 * then packed; when it was sealed because nothing came, the next commit ends that.
 */
export class SealSchedule {
  readonly #session: DirectorySession;
  readonly #idleMs: number | undefined;
  #cancelIdle: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();
  /** Whether a sealing for that reason is on its way. */
  #hasGrown = false;
  /** Ends a packing that can wait. */
  #endPacking: (() => void) | undefined;
  #untold: HoldfastError | undefined;

  /** @param idleMs - Milliseconds without a commit after which it is sealed; `undefined`: never for that reason. */
  constructor(session: DirectorySession, idleMs: number | undefined) {
    this.#session = session;
    this.#idleMs = idleMs;
  }

  /** A commit begins: nothing is idle. */
  hold(): void {
    this.#endPacking?.();
    if (!this.#hasGrown) this.#cancelIdle?.();
  }

  /** A commit has ended. */
  plan(): void {
    // Commits that follow each other closely must not put it off.
    if (this.#hasGrown) return;
    this.#cancelIdle?.();
    this.#hasGrown = this.#isDue("running");
    if (this.#hasGrown) this.#sealLater(0, false);
    else if (this.#idleMs !== undefined) this.#sealLater(this.#idleMs, true);
  }

  /** Nobody waits for a sealing in the background. Most of what it can meet, the next one meets again; a foreign write it tells but once. */
  #sealLater(ms: number, canWait: boolean): void {
    const seal = () =>
      this.seal().catch((error: unknown) => {
        if (isHoldfastError(error, "EXTERNAL_WRITE")) this.#untold ??= error;
      });
    this.#cancelIdle = runLater(ms, () => void seal().then(() => this.#pack(worthPacking, canWait)));
  }

  /** Packs what is sealed. Where that fails, all stays as it is, and a damaged history is told to who reads it. */
  #pack(least: WorthPacking, canWait: boolean): Promise<void> {
    const stop = new AbortController();
    if (canWait) this.#endPacking = () => stop.abort();
    const pause = timeSlice({ sliceMs: packSliceMs, signal: stop.signal });
    this.#running = this.#running
      .catch(() => undefined)
      .then(() => packSealed(this.#session, least, pause))
      .catch(() => undefined);
    return this.#running;
  }

  /** Seals what has been committed so far, after a sealing that runs. */
  seal(): Promise<void> {
    this.#cancelIdle?.();
    this.#running = this.#running.catch(() => undefined).then(() => runCheckpoint(this.#session));
    this.#running = this.#running.finally(() => {
      this.#hasGrown = false;
    });
    return this.#running;
  }

  /**
   * The session ends: seals what would make the next opening slow.
   *
   * @throws `EXTERNAL_WRITE` when this or an earlier sealing found that another program wrote through a file that a commit had replaced.
   */
  async end(): Promise<void> {
    this.#cancelIdle?.();
    this.#endPacking?.();
    await this.#running.catch(() => undefined);
    const { entries } = this.#session.log.unsealedSize;
    if (!this.#session.readOnly && this.#isDue("closing")) {
      await this.seal();
      // Large contents are left to whoever has time; many closings must not leave it to each other.
      const least =
        entries >= manyEntries ? worthPacking : { ...worthPacking, bytes: Number.POSITIVE_INFINITY };
      await this.#pack(least, false);
    }
    if (this.#untold !== undefined) throw this.#untold;
  }

  #isDue(when: keyof typeof mostWaiting): boolean {
    const { entries, bytes } = this.#session.log.unsealedSize;
    return entries >= mostWaiting[when].entries || bytes >= mostWaiting[when].bytes;
  }
}
