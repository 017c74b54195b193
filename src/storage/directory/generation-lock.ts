import type { CancelOptions, Clock, Pause } from "../../base/clock.ts";
import type { Hashing } from "../../base/hashing.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { isGone, removeIfThere, removeQuietly, writeFully } from "./file-bytes.ts";
import { errorNumber, type FileSystem } from "./file-system.ts";
import { type Freed, howFree, isOfThisRun } from "./judge-lock.ts";
import { brokenError, lockedError, replacedError } from "./lock-errors.ts";
import { encodeLockRecord, type LockFile, type LockRecord, readLockFile } from "./lock-record.ts";
import { type LogPosition, startPosition } from "./log-position.ts";
import { patiently } from "./patiently.ts";
import type { ProcessTable } from "./process-table.ts";
import { type StateFolder, stateFile } from "./state-folder.ts";

/** What the lock stands on. */
export interface LockHost {
  readonly fileSystem: FileSystem;
  readonly processes: ProcessTable;
  readonly hashing: Hashing;
  readonly clock: Clock;
  readonly state: StateFolder;
  readonly nextName: () => string;
  readonly pause: Pause;
}

/** The lock while this process has it. */
export interface HeldLock {
  /** How far the log was when the lock was last let go. */
  readonly position: LogPosition;
  /** How it came free: released by its last holder; taken from a dead one; or left from another run of the machine, or unreadable. */
  readonly from: Freed;
  /** Lets go and tells how far the log is, or that what was interrupted is unfinished. Never throws: this process's end releases the lock, too. */
  release(position?: LogPosition): Promise<void>;
}

interface Generation {
  readonly number: number;
  readonly file: LockFile;
}

const releaseAttempts = 3;

/** The one file that a handle gives to each number that it takes. */
interface OwnFile {
  readonly path: string;
  /** Held open, for it is written twice in each taking. */
  readonly descriptor: number;
  /** The number that it was given last, and what it says since it was let go. */
  last?: Generation | undefined;
}

/**
 * A lock between processes that nobody needs to clean up: numbered files, of which the highest counts until its first byte says that it is
 * released. A new one is published by a hard link, so it is never seen half written, and of several that try one wins. Nobody removes or
 * renames another's file; the holder removes lower numbers.
 */
export class GenerationLock {
  readonly #host: LockHost;
  /** Stays for as long as the handle is open: once it is gone, the state folder is another. */
  #own: OwnFile | undefined;
  /** Host path of the generation that this handle holds. */
  #held: string | undefined;

  constructor(host: LockHost) {
    this.#host = host;
  }

  /** How far the log was when the lock was last let go. */
  async position(): Promise<LogPosition> {
    this.#assertPresent();
    return (await this.#current())?.file.record?.position ?? startPosition;
  }

  /**
   * Takes the lock, waiting for a living holder.
   *
   * @throws `LOCKED` with the owner when `timeoutMs` has passed.
   */
  async acquire(options: CancelOptions & { readonly timeoutMs: number }): Promise<HeldLock> {
    const { clock, processes } = this.#host;
    const deadline = clock.now() + options.timeoutMs;
    for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
      options.signal?.throwIfAborted();
      const { current, from } = await this.#judge();
      if (from !== undefined) {
        const held = await this.#publish(current, from);
        if (held !== undefined) return held;
        wait = 1;
      }
      if (clock.now() >= deadline) throw lockedError(current?.file.record);
      const jitter = Number.parseInt(processes.token().slice(0, 4), 16) / 0x10000;
      await clock.sleep(1 + wait * jitter, options);
    }
  }

  /**
   * Fails when this handle no longer has what it took: what it would write now, others would not reckon with.
   *
   * @throws `LOCKED` when the lock was broken, `STORAGE_FAILED` when the state folder was removed.
   */
  assertHeld(): void {
    if (this.#held === undefined || !isGone(this.#host.fileSystem, this.#held)) return;
    this.#assertPresent();
    throw brokenError();
  }

  #assertPresent(): void {
    if (this.#own !== undefined && isGone(this.#host.fileSystem, this.#own.path)) throw replacedError();
  }

  /** Takes the lock from an owner that somebody vouches to be gone; `token` must be the owner's. */
  async break(token: string): Promise<HeldLock> {
    const current = await this.#current();
    if (current?.file.record?.token !== token || current.file.letter !== "H")
      throw new HoldfastError("NOT_FOUND", {
        message: "No lock with this token is held.",
        details: { path: "", similar: [] },
      });
    const held = await this.#publish(
      current,
      isOfThisRun(this.#host.processes, current.file.record) ? "dead" : "reboot",
    );
    if (held === undefined) throw lockedError((await this.#current())?.file.record);
    return held;
  }

  async #current(): Promise<Generation | undefined> {
    const { fileSystem, hashing, pause } = this.#host;
    for (;;) {
      const number = (await this.#numbers()).at(-1);
      if (number === undefined) return undefined;
      // What this handle let go last, nobody else writes to.
      if (number === this.#own?.last?.number && this.#linksOfOwn(this.#own) > 1) return this.#own.last;
      const file = await readLockFile(fileSystem, hashing, this.#path(number), pause);
      if (file !== undefined) return { number, file };
    }
  }

  /** A lock whose owner is gone is read once more: what was read while the owner lived need not be its last word. */
  async #judge(): Promise<{
    readonly current: Generation | undefined;
    readonly from: Freed | undefined;
  }> {
    for (let gone: string | undefined; ; ) {
      const current = await this.#current();
      const from = howFree(this.#host, current?.file);
      const token = current?.file.record?.token;
      if (from === undefined || from === "released" || token === undefined || token === gone)
        return { current, from };
      gone = token;
    }
  }

  /** Publishes the next number; `undefined` when another process was quicker. */
  async #publish(current: Generation | undefined, from: Freed): Promise<HeldLock | undefined> {
    const { fileSystem, processes } = this.#host;
    const number = (current?.number ?? 0) + 1;
    const position = current?.file.record?.position ?? startPosition;
    const taken: LockRecord = { owner: processes.self, token: processes.token(), position };
    const record: LockRecord = { ...taken, unfinished: from === "released" ? "dead" : from };
    const path = this.#path(number);
    const release = await this.#place(number, record);
    if (release === undefined) return undefined;
    let numbers: readonly number[];
    try {
      numbers = await this.#numbers();
      if ((numbers.at(-1) ?? number) > number) {
        await removeIfThere(fileSystem, path);
        await release(record);
        return undefined;
      }
    } catch (error) {
      await release(record);
      throw error;
    }
    for (const lower of numbers) if (lower < number) removeQuietly(fileSystem, this.#path(lower));
    this.#held = path;
    return {
      position,
      from,
      release: (reached) => {
        this.#held = undefined;
        return release(reached === undefined ? record : { ...taken, position: reached });
      },
    };
  }

  /**
   * Gives this handle's own lock file a number; `undefined` when the number is taken.
   *
   * One file serves all numbers of a handle, for making files is slow. It says that it is held before it gets the number. Should it still be
   * the highest under its former number, it is held for that moment without having won; nobody else can take it then, and if another has the
   * new number already, the former one counts for nothing.
   *
   * @returns what lets go of it.
   */
  async #place(
    number: number,
    record: LockRecord,
  ): Promise<((record: LockRecord) => Promise<void>) | undefined> {
    const { fileSystem, hashing, state, pause } = this.#host;
    const path = this.#path(number);
    const bytes = encodeLockRecord(hashing, "H", record);
    const own = await this.#ownFile();
    if (!state.links) return await this.#placeWithoutLinks(path, bytes);
    own.last = undefined;
    await writeFully(fileSystem, own.descriptor, bytes, 0, pause);
    try {
      fileSystem.link(own.path, path);
    } catch (error) {
      if (errorNumber(error) === "EEXIST") return undefined;
      this.#assertPresent();
      // Its former number may be the highest still.
      await this.#release(own.descriptor, record);
      throw error;
    }
    return async (reached) => {
      if (await this.#release(own.descriptor, reached))
        own.last = { number, file: { letter: "R", record: reached, modifiedAt: this.#host.clock.now() } };
    };
  }

  /** The file that is there, or the first one. */
  async #ownFile(): Promise<OwnFile> {
    const { fileSystem, state, nextName } = this.#host;
    if (this.#own !== undefined) {
      if (!state.links || this.#linksOfOwn(this.#own) === 0) this.#assertPresent();
      return this.#own;
    }
    const path = stateFile(state, "lock", nextName());
    this.#own = { path, descriptor: await fileSystem.create(path, 0o600) };
    return this.#own;
  }

  #linksOfOwn(own: OwnFile): number {
    return this.#host.fileSystem.fstat(own.descriptor).links;
  }

  /** Tells how far the log is, then changes the letter. @returns whether it could. */
  async #release(descriptor: number, record: LockRecord): Promise<boolean> {
    const { fileSystem, hashing, pause } = this.#host;
    const bytes = encodeLockRecord(hashing, "R", record);
    for (let attempt = 0; attempt < releaseAttempts; attempt++) {
      try {
        await writeFully(fileSystem, descriptor, bytes.subarray(1), 1, pause);
        await writeFully(fileSystem, descriptor, bytes.subarray(0, 1), 0, pause);
        return true;
      } catch {
        // Others would wait for this process to end, so it is tried again.
      }
    }
    // The state folder is gone or the disk refuses: the next holder finds a lock of this realm and judges it so.
    return false;
  }

  async #placeWithoutLinks(
    path: string,
    bytes: Uint8Array,
  ): Promise<((record: LockRecord) => Promise<void>) | undefined> {
    const { fileSystem, pause } = this.#host;
    let descriptor: number;
    try {
      descriptor = await fileSystem.create(path, 0o600);
    } catch (error) {
      if (errorNumber(error) === "EEXIST") return undefined;
      throw error;
    }
    try {
      await writeFully(fileSystem, descriptor, bytes, 0, pause);
    } catch (error) {
      fileSystem.close(descriptor);
      throw error;
    }
    return async (reached) => {
      await this.#release(descriptor, reached);
      fileSystem.close(descriptor);
    };
  }

  /** Removes this handle's own lock file; the number that it has stays and is released. */
  close(): void {
    const own = this.#own;
    this.#own = undefined;
    if (own === undefined) return;
    this.#host.fileSystem.close(own.descriptor);
    // What a disk refuses to remove, the next opening sweeps.
    removeQuietly(this.#host.fileSystem, own.path);
  }

  async #numbers(): Promise<readonly number[]> {
    const folder = stateFile(this.#host.state, "lock");
    return (await patiently(this.#host.fileSystem, () => this.#host.fileSystem.readdir(folder)))
      .flatMap(({ name }) => (/^[1-9]\d{0,14}$/.test(name) ? [Number(name)] : []))
      .sort((a, b) => a - b);
  }

  #path(number: number): string {
    return stateFile(this.#host.state, "lock", String(number));
  }
}
