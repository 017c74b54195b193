import { HoldfastError, isHoldfastError } from "../../base/holdfast-error.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { chainHash } from "../log/chain-hash.ts";
import type { CommitEntry, PathRecord } from "../log/physical-entry.ts";
import type { CommitOutcome, ContentAppend, StorageBatch } from "../storage-adapter.ts";
import { type CarryOutHost, carryOut, refused } from "./carry-out.ts";
import { type CheckedBatch, type CheckHost, checkExpectations } from "./check-expectations.ts";
import { openToUpdate, removeQuietly, writeFully } from "./file-bytes.ts";
import { isSameFile } from "./file-content.ts";
import { patiently } from "./patiently.ts";
import type { PreparedPut } from "./prepare-contents.ts";
import { linkPreImages, preImage, settlePreImages } from "./publish-paths.ts";
import { assertRealFolders } from "./real-folders.ts";
import { pathError } from "./root-folder.ts";
import { stateFile, stateFolders } from "./state-folder.ts";
import { storageError } from "./state-folder-error.ts";

/** What committing needs. */
export type CommitHost = Omit<CheckHost, "log"> &
  CarryOutHost & {
    readonly boot: string;
    /** Fails when the lock that is to be held for writing was lost. */
    readonly assertHeld: () => void;
  };

/** One batch on its way, with its outcome once it has one. */
interface Member {
  readonly batch: StorageBatch;
  readonly prepared: readonly PreparedPut[];
  checked?: CheckedBatch;
  entry?: CommitEntry;
  blobs?: readonly Uint8Array[];
  reached?: { readonly sequence: number; readonly hash: string };
  outcome?: CommitOutcome;
}

/**
 * Commits a list of disjoint batches under the lock: one append and one flush for all of them, then each is carried out.
 *
 * @param list - The batches with their prepared contents.
 * @param flush - Whether the list is made durable.
 * @returns One outcome for each. Entries that could neither be carried out nor taken back leave `host.log.isBroken` or a lower `applied`.
 */
export async function commitBatches(
  host: CommitHost,
  list: readonly { readonly batch: StorageBatch; readonly prepared: readonly PreparedPut[] }[],
  flush: boolean,
): Promise<readonly CommitOutcome[]> {
  const members: Member[] = list.map((member) => ({ ...member }));
  for (const member of members) await check(host, member);
  const open = members.filter((member) => member.outcome === undefined);
  await enter(host, open, flush);
  let allApplied = true;
  for (const member of open)
    if (member.outcome === undefined && member.entry !== undefined) {
      const { outcome, isSettled } = await carryOut(host, { ...member, entry: member.entry });
      member.outcome = outcome;
      allApplied &&= isSettled;
    }
  host.log.settle();
  if (allApplied) host.log.markApplied(host.log.state.ordinal);
  return members.map(
    ({ outcome }) =>
      outcome ?? refused(new HoldfastError("INTERNAL", { message: "A batch has no outcome." })),
  );
}

/** Checks one batch, links its pre-images and writes its staged bytes; what it finds becomes the outcome. */
async function check(host: CommitHost, member: Member): Promise<void> {
  const { batch, prepared } = member;
  try {
    const checked = await checkExpectations({ ...host, log: host.log.state }, batch, prepared);
    if ("failed" in checked) {
      member.outcome = { committed: false, failed: checked.failed };
      return;
    }
    if (batch.appendContent.length > 0) assertRealFolders(host, [stateFolders.staged]);
    for (const append of batch.appendContent) await appendStaged(host, append);
    member.checked = checked;
  } catch (error) {
    member.outcome = refused(storageError(host, error, "check the batch"));
  }
}

async function appendStaged(host: CommitHost, { staged, at, bytes }: ContentAppend): Promise<void> {
  const descriptor = await openToUpdate(host.fileSystem, stateFile(host.state, "staged", staged));
  try {
    const { size } = host.fileSystem.fstat(descriptor);
    if (size < at)
      throw new HoldfastError("STORAGE_FAILED", {
        message: `A staged content holds ${size} bytes, and ${at} were said to be there.`,
      });
    if (size > at) host.fileSystem.truncate(descriptor, at);
    await writeFully(host.fileSystem, descriptor, bytes, at, host.pause);
    // Before the entry is written, not before it is flushed: a power cut may leave the entry, and must not leave it alone.
    if (host.durable) await host.fileSystem.flush(descriptor, "all");
  } finally {
    host.fileSystem.close(descriptor);
  }
}

/** Writes the entries of all members and makes them durable: the commit point. */
async function enter(host: CommitHost, members: readonly Member[], flush: boolean): Promise<void> {
  const head = { ...host.log.head };
  const entering: Member[] = [];
  for (const member of members) {
    if (isEmpty(member.batch)) {
      member.outcome = {
        committed: true,
        sequence: head.sequence,
        hash: head.hash,
        fileVersions: new Map(),
        recordVersions: new Map(),
      };
      continue;
    }
    try {
      await buildEntry(host, member, head);
      if (member.outcome === undefined) entering.push(member);
    } catch (error) {
      member.outcome = refused(storageError(host, error, "enter the batch"));
    }
  }
  if (entering.length === 0) return;
  try {
    if (host.log.isBroken) throw new HoldfastError("RECOVERY_PENDING");
    // As with what is appended: an entry that a power cut leaves must find the large contents that it replaces.
    await settlePreImages(
      host,
      entering.flatMap(({ entry }) => entry?.paths ?? []),
    );
    await host.log.append(
      entering.map(({ entry, blobs }) => ({ entry: entry as CommitEntry, blobs: blobs ?? [] })),
    );
    await makeDurable(host, entering, flush);
  } catch (error) {
    for (const member of entering) {
      const cause = storageError(host, error, "write the log");
      member.outcome = host.log.isBroken
        ? refused(new HoldfastError("RECOVERY_PENDING", { cause, written: "unknown" }), "unknown")
        : refused(cause);
      // Whoever has taken the lock may need them, and may have given theirs the same names.
      if (!host.log.isBroken && !isHoldfastError(cause, "LOCKED")) dropPreImages(host, member.entry);
    }
  }
}

async function makeDurable(host: CommitHost, members: readonly Member[], flush: boolean): Promise<void> {
  try {
    if (!host.log.isLinked())
      throw new HoldfastError("STORAGE_FAILED", {
        message:
          "The log was removed from the state folder while it was in use; nothing was written. Close this workspace and open it again.",
      });
    for (const { entry } of members) for (const record of entry?.paths ?? []) assertPrepared(host, record);
  } catch (error) {
    await host.log.retract();
    throw error;
  }
  if (flush) await host.log.flush();
}

/** A prepared content must still be there: only then can nothing but links and renames remain to be done. */
function assertPrepared(host: CommitHost, { path, after }: PathRecord): void {
  if (after === null || isSameFile(host.fileSystem.lstat(`${host.state.path}/${after.file}`), after)) return;
  throw pathError(
    "STORAGE_FAILED",
    path,
    `The new content of "${path}" was removed from the state folder before it was committed; nothing was written. Try again.`,
  );
}

function isEmpty(batch: StorageBatch): boolean {
  const parts = [
    batch.putFiles,
    batch.deleteFiles,
    batch.appendContent,
    batch.putRecords,
    batch.deleteRecords,
  ];
  return batch.entry === undefined && parts.every((part) => part.length === 0);
}

/** Makes the entry of one member and links what it replaces; `head` moves on with it. */
async function buildEntry(
  host: CommitHost,
  member: Member,
  head: { ordinal: number; sequence: number; hash: string },
): Promise<void> {
  const { batch, checked, prepared } = member;
  const ordinal = head.ordinal + 1;
  const blobs: Uint8Array[] = [];
  const blob = (bytes: Uint8Array) => blobs.push(bytes) - 1;
  const opaque = batch.entry?.(head.sequence + 1, head.hash);
  const numbered =
    opaque === undefined
      ? {}
      : {
          sequence: head.sequence + 1,
          hash: chainHash(host.hashing, head.sequence + 1, head.hash, opaque),
          opaque: blob(opaque),
        };
  const inline = new Map(prepared.map(({ put, bytes }) => [put.path, bytes]));
  const paths = (checked?.records ?? []).map((record, index): PathRecord => {
    const bytes = record.after === null ? undefined : inline.get(record.path);
    const after =
      record.after === null || bytes === undefined ? record.after : { ...record.after, blob: blob(bytes) };
    return { ...record, after, ...(record.before === null ? {} : { pre: `${ordinal}-${index}` }) };
  });
  // What has this entry's number may be another's by now.
  if (paths.some(({ pre }) => pre !== undefined)) host.assertHeld();
  const moved = await linkPreImages(host, paths);
  if (moved.length > 0) {
    dropPreImages(host, { paths });
    member.outcome = {
      committed: false,
      failed: batch.expect.filter(({ space, key }) => space === "files" && moved.includes(key)),
    };
    return;
  }
  member.blobs = blobs;
  member.entry = {
    kind: "commit",
    ordinal,
    boot: host.boot,
    batch: batch.id,
    ...numbered,
    paths,
    folders: await patiently(host.fileSystem, () => missingFolders(host, batch)),
    putRecords: batch.putRecords.map(({ key, bytes }) => [key, blob(bytes)] as const),
    deleteRecords: batch.deleteRecords,
    appended: [...new Set(batch.appendContent.map(({ staged }) => staged))],
  };
  head.ordinal = ordinal;
  if (numbered.sequence !== undefined)
    Object.assign(head, { sequence: numbered.sequence, hash: numbered.hash });
  member.reached = { sequence: head.sequence, hash: head.hash };
}

/** Folders that the batch makes, outermost first. */
function missingFolders(host: CommitHost, batch: StorageBatch): readonly string[] {
  const missing = new Set<string>();
  for (const { path } of batch.putFiles) {
    for (const folder of ancestorsOf(path)) {
      const found = missing.has(folder) ? undefined : host.root.folder(folder);
      // A file in the way is one that the batch removes.
      if (found === undefined || "kind" in found) missing.add(folder);
    }
  }
  return [...missing];
}

/** What a disk refuses to remove is removed by the next opening; the outcome does not depend on it. */
function dropPreImages(host: CommitHost, entry: Pick<CommitEntry, "paths"> | undefined): void {
  for (const record of entry?.paths ?? [])
    if (record.pre !== undefined) removeQuietly(host.fileSystem, preImage(host, record));
}
