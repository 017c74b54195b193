import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";
import type { Delta } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import { decodeRevisionEntry } from "./revision-entry.ts";
import { revisionNotFound } from "./revision-log.ts";
import { parseWorkspaceRevision } from "./workspace-revision.ts";

/** Entries up to a revision that are looked through for what they left at a path. */
const mostLookedBack = 1000;

/** How the files at a revision differ from those of a later state. */
export interface PastChanges {
  /** The number of the log's entry up to which later commits are taken in. */
  readonly through: number;
  /** Every path that a commit after the revision touched, with its state at the revision. */
  readonly states: ReadonlyMap<string, FileState | undefined>;
  /** What the commits after the revision did, in order, with their numbers. */
  readonly later: readonly { readonly sequence: number; readonly delta: Delta }[];
}

/**
 * Knows how the files were at one workspace revision: at each path that later commits touched as the first of them found it, or, when somebody
 * else had changed it in between, as the newest commit up to the revision left it. The log is read once, and on when it has grown.
 */
export class PastStates {
  readonly #storage: StorageAdapter;
  readonly #revision: string;
  readonly #named: { readonly sequence: number; readonly hashStart: string };
  readonly #later: { readonly sequence: number; readonly delta: Delta }[] = [];
  /** Paths whose state is to be looked for in the entries up to the revision. */
  readonly #unchecked = new Set<string>();
  #known: PastChanges | undefined;
  #states = new Map<string, FileState | undefined>();
  #through: number;
  /** What the entries that were looked through left, and where looking goes on. */
  readonly #left = new Map<string, FileState | undefined>();
  #lookNext: number;
  #turn: Promise<unknown> = Promise.resolve();

  /** @throws {@link HoldfastError} `INVALID_ARGUMENT` when the text has not the form of a workspace revision. */
  constructor(storage: StorageAdapter, revision: string) {
    const named = parseWorkspaceRevision(revision);
    if (named === undefined)
      throw new HoldfastError("INVALID_ARGUMENT", {
        message: `"${revision}" is no workspace revision, such as r7-0123456789abcdef.`,
      });
    this.#storage = storage;
    this.#revision = revision;
    this.#named = named;
    this.#through = named.sequence;
    this.#lookNext = named.sequence;
  }

  /** The number of the revision. */
  get sequence(): number {
    return this.#named.sequence;
  }

  /** The revision. */
  get revision(): string {
    return this.#revision;
  }

  /**
   * Tells the changes up to now. As long as nobody commits, it gives the same object.
   *
   * @throws {@link HoldfastError} `REVISION_NOT_FOUND` when the log has no such revision, or has it no longer.
   */
  read(options: CancelOptions): Promise<PastChanges> {
    const done = this.#turn.then(() => this.#read({ signal: options.signal }));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #read(options: CancelOptions): Promise<PastChanges> {
    if (this.#known === undefined) await this.#find(options);
    const through = this.#through;
    await this.#readOn(options);
    if (this.#unchecked.size > 0) await this.#lookBack(options);
    if (this.#known === undefined || this.#through !== through) {
      const states = new Map(this.#states);
      this.#known = { through: this.#through, states, later: [...this.#later] };
    }
    return this.#known;
  }

  /** Finds the revision's own entry; of the state before all commits, the first entry of all. */
  async #find(options: CancelOptions): Promise<void> {
    const { sequence, hashStart } = this.#named;
    for await (const logged of this.#storage.readLog({ ...options, from: Math.max(1, sequence), limit: 1 })) {
      if (sequence === 0 && logged.sequence === 1) return;
      const isIt = logged.sequence === sequence && logged.hash.startsWith(hashStart);
      if (isIt && logged.undone !== true) return;
      throw revisionNotFound(this.#revision);
    }
    if (sequence !== 0) throw revisionNotFound(this.#revision);
  }

  async #readOn(options: CancelOptions): Promise<void> {
    for await (const logged of this.#storage.readLog({ ...options, from: this.#through + 1 })) {
      // What was between has been removed meanwhile, and with it what it found.
      if (logged.sequence !== this.#through + 1) throw revisionNotFound(this.#revision);
      const delta = logged.undone === true ? undefined : decodeRevisionEntry(logged.bytes).delta;
      this.#through = logged.sequence;
      if (delta === undefined) continue;
      this.#later.push({ sequence: logged.sequence, delta });
      for (const [path, { before }] of delta.changes) {
        if (this.#states.has(path)) continue;
        this.#states.set(path, before);
        this.#unchecked.add(path);
      }
    }
  }

  async #lookBack(options: CancelOptions): Promise<void> {
    const oldest = Math.max(0, this.#named.sequence - mostLookedBack);
    this.#takeLeft();
    if (this.#unchecked.size > 0 && this.#lookNext > oldest)
      for await (const logged of this.#storage.readLog({ ...options, from: this.#lookNext, reverse: true })) {
        this.#lookNext = logged.sequence - 1;
        if (logged.undone !== true)
          for (const [path, { after }] of decodeRevisionEntry(logged.bytes).delta.changes)
            if (!this.#left.has(path)) this.#left.set(path, after);
        this.#takeLeft();
        if (this.#unchecked.size === 0 || this.#lookNext <= oldest) break;
      }
    this.#unchecked.clear();
  }

  #takeLeft(): void {
    for (const path of this.#unchecked) {
      if (!this.#left.has(path)) continue;
      this.#states.set(path, this.#left.get(path));
      this.#unchecked.delete(path);
    }
  }
}
