import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { HistoryFilter, RevisionInfo } from "../schema/revision-info.ts";
import type { LogEntry, StorageAdapter } from "../storage/storage-adapter.ts";
import { isBelow } from "../tree/path-parts.ts";
import { decodeRevisionEntry, type RevisionEntry } from "./revision-entry.ts";
import { formatWorkspaceRevision, parseWorkspaceRevision } from "./workspace-revision.ts";

/** A commit and its place in the log. */
export interface LoggedRevision {
  /** Its number. */
  readonly sequence: number;
  /** The workspace revision that it made. */
  readonly id: string;
  /** The workspace revision before it; left out where it was not asked for, or the log does not reach back to it. */
  readonly parent?: string | undefined;
  /** What it holds. */
  readonly entry: RevisionEntry;
}

/** The state of the log: its newest entry's number and what the workspace is called there. */
export interface LogHead {
  /** The number of the newest entry that counts; 0 when there is none. */
  readonly sequence: number;
  /** The workspace revision. */
  readonly workspaceRevision: string;
}

const mostListedPaths = 1000;

/** Which commits, and from where on. */
type ListedRange = HistoryFilter &
  CancelOptions & { readonly after?: string | undefined; readonly limit?: number | undefined };

/** Reads the commits of a storage's log as workspace revisions; entries that were taken back are passed over. */
export class RevisionLog {
  readonly #storage: StorageAdapter;

  constructor(storage: StorageAdapter) {
    this.#storage = storage;
  }

  /** Tells where the log stands. */
  async head(options: CancelOptions): Promise<LogHead> {
    for await (const { sequence, hash, undone } of this.#storage.readLog({ ...options, reverse: true }))
      if (undone !== true) return { sequence, workspaceRevision: formatWorkspaceRevision(sequence, hash) };
    return { sequence: 0, workspaceRevision: formatWorkspaceRevision(0, "") };
  }

  /** Reads commits in order from a number on, or backwards down from one. */
  async *read(
    options: CancelOptions & { readonly from?: number | undefined; readonly reverse?: boolean | undefined },
  ): AsyncGenerator<LoggedRevision, void, undefined> {
    for await (const logged of this.#storage.readLog(options)) {
      if (logged.undone !== true) yield toRevision(logged);
    }
  }

  /** Reads the commits after one in order, each with the one before it. */
  async *readAfter(
    { sequence, id }: { readonly sequence: number; readonly id?: string | undefined },
    options: CancelOptions,
  ): AsyncGenerator<LoggedRevision, void, undefined> {
    let parent = id;
    for await (const revision of this.read({ ...options, from: sequence + 1 })) {
      parent ??= await this.#idBefore(revision.sequence, options);
      yield { ...revision, parent };
      parent = revision.id;
    }
  }

  /** Finds commits that pass the filter, newest first. */
  async *find(options: ListedRange): AsyncGenerator<LoggedRevision, void, undefined> {
    const { signal, limit = Number.POSITIVE_INFINITY } = options;
    const oldest = options.since === undefined ? 0 : await this.sequenceOf(options.since, { signal });
    const after = options.after === undefined ? undefined : await this.sequenceOf(options.after, { signal });
    if (after !== undefined && after <= 1) return;
    let given = 0;
    const from = after === undefined ? undefined : after - 1;
    for await (const revision of this.#readBack({ signal, from })) {
      if (revision.sequence <= oldest) return;
      if (!passes(revision.entry, options)) continue;
      yield revision;
      given += 1;
      if (given >= limit) return;
    }
  }

  /**
   * Gives one commit.
   *
   * @throws {@link HoldfastError} `REVISION_NOT_FOUND` when the log does not hold it, or no longer.
   */
  async revision(workspaceRevision: string, options: CancelOptions): Promise<LoggedRevision> {
    const parsed = parseWorkspaceRevision(workspaceRevision);
    const found =
      parsed === undefined || parsed.sequence === 0
        ? undefined
        : await this.#entryAt(parsed.sequence, options);
    const isIt = parsed !== undefined && found?.hash.startsWith(parsed.hashStart) === true;
    if (!isIt || found?.undone === true) throw revisionNotFound(workspaceRevision);
    return toRevision(found);
  }

  /** Reads commits backwards, each with the one before it; of that one no more is read than its name. */
  async *#readBack(
    options: CancelOptions & { readonly from?: number | undefined },
  ): AsyncGenerator<LoggedRevision, void, undefined> {
    let later: LogEntry | undefined;
    let reached = 0;
    for await (const logged of this.#storage.readLog({ ...options, reverse: true })) {
      reached = logged.sequence;
      if (logged.undone === true) continue;
      if (later !== undefined) yield { ...toRevision(later), parent: idOf(logged) };
      later = logged;
    }
    if (later !== undefined) yield { ...toRevision(later), parent: parentOfOldest(reached) };
  }

  async #idBefore(sequence: number, options: CancelOptions): Promise<string | undefined> {
    let reached = sequence;
    if (sequence === 1) return parentOfOldest(sequence);
    for await (const logged of this.#storage.readLog({ ...options, reverse: true, from: sequence - 1 })) {
      if (logged.undone !== true) return idOf(logged);
      reached = logged.sequence;
    }
    return parentOfOldest(reached);
  }

  /**
   * The number of a workspace revision of this log.
   *
   * @throws {@link HoldfastError} `INVALID_ARGUMENT` when the log holds no such revision.
   */
  async sequenceOf(workspaceRevision: string, options: CancelOptions): Promise<number> {
    const parsed = parseWorkspaceRevision(workspaceRevision);
    if (parsed?.sequence === 0) return 0;
    const found = parsed === undefined ? undefined : await this.#entryAt(parsed.sequence, options);
    if (parsed === undefined || found === undefined || !found.hash.startsWith(parsed.hashStart))
      throw new HoldfastError("INVALID_ARGUMENT", {
        message: `The history of this workspace holds no revision "${workspaceRevision}".`,
      });
    return found.sequence;
  }

  async #entryAt(sequence: number, options: CancelOptions): Promise<LogEntry | undefined> {
    for await (const logged of this.#storage.readLog({ ...options, from: sequence, limit: 1 }))
      if (logged.sequence === sequence) return logged;
    return undefined;
  }
}

function idOf({ sequence, hash }: LogEntry): string {
  return formatWorkspaceRevision(sequence, hash);
}

function toRevision(logged: LogEntry): LoggedRevision {
  return { sequence: logged.sequence, id: idOf(logged), entry: decodeRevisionEntry(logged.bytes) };
}

/** What was before the oldest commit, when the log was read back as far as an entry: known only when that is the first of all. */
function parentOfOldest(reached: number): string | undefined {
  return reached === 1 ? formatWorkspaceRevision(0, "") : undefined;
}

/** Tells a commit as the history lists it. */
export function describeRevision({ id, parent, entry }: LoggedRevision): RevisionInfo {
  const { time, cause, source, sessionId, exchange, reason, metadata, idempotencyKey, delta } = entry;
  return {
    id,
    ...(parent !== undefined && { parent }),
    time,
    cause,
    ...(source !== undefined && { source }),
    ...(sessionId !== undefined && { sessionId }),
    ...(exchange !== undefined && { exchange }),
    ...(reason !== undefined && { reason }),
    ...(metadata !== undefined && { metadata }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    paths: [...delta.changes.keys()].slice(0, mostListedPaths),
    pathCount: delta.changes.size,
  };
}

function passes(entry: RevisionEntry, filter: HistoryFilter): boolean {
  const { path, source, sessionId, exchange, cause } = filter;
  if (source !== undefined && entry.source !== source) return false;
  if (sessionId !== undefined && entry.sessionId !== sessionId) return false;
  if (exchange !== undefined && entry.exchange !== exchange) return false;
  if (cause !== undefined && entry.cause !== cause) return false;
  return path === undefined || touches(entry, path);
}

function touches({ delta }: RevisionEntry, path: string): boolean {
  if (delta.changes.has(path)) return true;
  for (const changed of delta.changes.keys()) if (isBelow(changed, path)) return true;
  return false;
}

/** Says that a workspace revision is not, or no longer, in the history. */
export function revisionNotFound(revision: string): HoldfastError {
  return new HoldfastError("REVISION_NOT_FOUND", {
    message: `The history of this workspace holds no revision "${revision}", or no longer holds it.`,
    details: { revision },
  });
}
