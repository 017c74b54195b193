import { runLater } from "../../base/clock.ts";
import { runCheckpoint } from "./checkpoint.ts";
import type { DirectorySession } from "./directory-session.ts";

/** Log that may wait while commits go on, and log that may be left for the next opening: sealing takes as long as several commits. */
const mostWaiting = {
  running: { entries: 1000, bytes: 64 * 1024 * 1024 },
  closing: { entries: 64, bytes: 4 * 1024 * 1024 },
} as const;

/** Decides when the log of a session is sealed: when much has come together, when nothing comes for a while, and at the end. */
export class SealSchedule {
  readonly #session: DirectorySession;
  readonly #idleMs: number | undefined;
  #cancelIdle: (() => void) | undefined;
  #running: Promise<void> = Promise.resolve();

  /** @param idleMs - Milliseconds without a commit after which it is sealed; `undefined`: never for that reason. */
  constructor(session: DirectorySession, idleMs: number | undefined) {
    this.#session = session;
    this.#idleMs = idleMs;
  }

  /** A commit begins: nothing is idle. */
  hold(): void {
    this.#cancelIdle?.();
  }

  /** A commit has ended. What a sealing in the background refuses, the next one meets again. */
  plan(): void {
    this.#cancelIdle?.();
    if (this.#isDue("running")) void this.seal().catch(() => undefined);
    else if (this.#idleMs !== undefined) this.#cancelIdle = runLater(this.#idleMs, () => void this.seal().catch(() => undefined));
  }

  /** Seals what has been committed so far, after a sealing that runs. */
  seal(): Promise<void> {
    this.#cancelIdle?.();
    this.#running = this.#running.catch(() => undefined).then(() => runCheckpoint(this.#session));
    return this.#running;
  }

  /** The session ends: seals what would make the next opening slow. */
  async end(): Promise<void> {
    this.#cancelIdle?.();
    if (!this.#session.readOnly && this.#isDue("closing")) await this.seal();
    await this.#running.catch(() => undefined);
  }

  #isDue(when: keyof typeof mostWaiting): boolean {
    const { entries, bytes } = this.#session.log.unsealedSize;
    return entries >= mostWaiting[when].entries || bytes >= mostWaiting[when].bytes;
  }
}
