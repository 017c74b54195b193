import { throwIfAborted } from "../../base/abort.ts";
import type { CancelOptions } from "../../base/clock.ts";
import type { CommitHost } from "./commit-batches.ts";
import type { DirectorySession } from "./directory-session.ts";
import { flushPath, openToUpdate, readFully, writeFully } from "./file-bytes.ts";
import type { HeldLock } from "./generation-lock.ts";
import { inProcessQueue } from "./in-process-queue.ts";
import type { LogPosition } from "./log-position.ts";
import { assertRealFolders } from "./real-folders.ts";
import { type Recovered, recoverEntries } from "./recover.ts";
import { RootFolder } from "./root-folder.ts";
import { damaged, listSegments, segmentPath } from "./segment-files.ts";
import { stateFile } from "./state-folder.ts";
import { orDamage } from "./state-folder-error.ts";

/** Work that only one process and one call may do at a time, and what was mended before it. */
export type ExclusiveWork<T> = (host: CommitHost, recovered: Recovered) => Promise<T>;

/**
 * Runs work under the lock, after what others have written is known and what they left unfinished is finished.
 *
 * @param acquire - How the lock is taken. Default: by waiting for its holder.
 */
export async function exclusiveWork<T>(
  session: DirectorySession,
  options: CancelOptions,
  work: ExclusiveWork<T>,
  acquire?: () => Promise<HeldLock>,
): Promise<T> {
  try {
    return await inProcessQueue(session.state.path, () => withLock(session, options, work, acquire));
  } catch (error) {
    throw orDamage(session, error);
  }
}

async function withLock<T>(
  session: DirectorySession,
  options: CancelOptions,
  work: ExclusiveWork<T>,
  acquire: (() => Promise<HeldLock>) | undefined,
): Promise<T> {
  const held = await (acquire?.() ?? session.lock.acquire({ ...options, timeoutMs: session.lockTimeoutMs }));
  let isCurrent = false;
  try {
    throwIfAborted(options);
    return await logTurn(session, async () => {
      const root = new RootFolder(session.fileSystem, session.rootPath, session.state.caseSensitive);
      try {
        const recovered = await synchronize({ ...session, root }, held);
        isCurrent = true;
        return await work({ ...session, root }, recovered);
      } finally {
        root.close();
      }
    });
  } finally {
    await held.release(isCurrent && !session.log.isPassed ? session.log.position : undefined);
  }
}

/** Reads and writes of one handle's view of the log take turns. */
export function logTurn<T>(session: DirectorySession, run: () => Promise<T>): Promise<T> {
  return inProcessQueue(`${session.state.path}\n${session.turnName}`, run);
}

/** Brings this handle's view of the log up to date, and finishes what was interrupted. */
async function synchronize(host: CommitHost, held: HeldLock): Promise<Recovered> {
  const { log } = host;
  const { position } = held;
  const { isPassed } = log;
  if (held.from === "released" && !log.isBroken && !isPassed) {
    await log.catchUp(position);
    if (position.applied >= log.state.ordinal) {
      await log.hold();
      return { rolledForward: 0, rolledBack: 0, conflicts: [] };
    }
  }
  assertRealFolders(host);
  const rebooted = held.from === "reboot";
  const { entries, torn } = await log.load();
  const reachable =
    log.position.segment > position.segment ||
    log.position.end >= (rebooted ? position.flushed : position.end);
  if (log.position.segment < position.segment || !reachable) throw damaged(`segment ${position.segment}`);
  if (host.durable) await settleSegments(host, position);
  const open = entries.filter(
    ({ entry }) => rebooted || entry.ordinal > position.applied || isUndoOf(entry, position.applied),
  );
  const recovered = await recoverEntries(host, open, rebooted);
  log.settle();
  if (torn || isPassed) await log.startSegment();
  log.markApplied(log.state.ordinal);
  await log.hold();
  return recovered;
}

function isUndoOf(entry: { readonly kind: string; readonly of?: number }, applied: number): boolean {
  return entry.of !== undefined && entry.of > applied;
}

/**
 * Entries that are acted on must be durable, and so must the names of their segments: whoever made one may have ended before it was. What was
 * not known to be durable is written once more: after a flush that failed, another would find nothing to do and say that all is well.
 */
async function settleSegments(host: CommitHost, { segment: last, flushed }: LogPosition): Promise<void> {
  const { fileSystem, state, log, pause } = host;
  await flushPath(fileSystem, stateFile(state, "log"), "folder");
  const { segments } = await listSegments(host);
  for (const segment of segments) {
    if (segment <= log.sealed) continue;
    const descriptor = await openToUpdate(fileSystem, segmentPath(state, segment));
    try {
      const from = segment < last ? Number.POSITIVE_INFINITY : segment === last ? flushed : 0;
      const end = segment === log.position.segment ? log.position.end : fileSystem.fstat(descriptor).size;
      if (from < end)
        await writeFully(
          fileSystem,
          descriptor,
          await readFully(fileSystem, descriptor, from, end - from, pause),
          from,
          pause,
        );
      await fileSystem.flush(descriptor, "all");
    } finally {
      fileSystem.close(descriptor);
    }
  }
}
