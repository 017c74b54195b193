import { HoldfastError } from "../../base/holdfast-error.ts";
import { firstPreviousHash } from "../log/chain-hash.ts";
import type { CommitEntry, PathRecord } from "../log/physical-entry.ts";
import type { CommitOutcome, StorageBatch } from "../storage-adapter.ts";
import { isSameFile, versionOf } from "./file-content.ts";
import { finishFromMemory, type MemoryFinishHost } from "./finish-from-memory.ts";
import { lateCheck, publishEntry } from "./publish-paths.ts";
import { storageError } from "./state-folder-error.ts";
import { type TakeBackHost, takeBack } from "./take-back.ts";

/** What carrying out needs. */
export type CarryOutHost = TakeBackHost & MemoryFinishHost;

/** A batch whose entry is durable. */
export interface EnteredBatch {
  readonly batch: StorageBatch;
  readonly entry: CommitEntry;
  readonly blobs?: readonly Uint8Array[];
  readonly checked?: { readonly hardLinked: readonly string[] };
  readonly reached?: { readonly sequence: number; readonly hash: string };
}

/** What became of an entry; `isSettled`: nothing of it is left to do. */
export interface CarriedOut {
  readonly outcome: CommitOutcome;
  readonly isSettled: boolean;
}

/** The outcome of a batch that does not count. */
export function refused(error: unknown, written: "no" | "unknown" = "no"): CommitOutcome {
  return { committed: false, error, written };
}

/** Carries out one durable entry, or takes it back. */
export async function carryOut(host: CarryOutHost, member: EnteredBatch): Promise<CarriedOut> {
  const { entry } = member;
  let trouble: HoldfastError;
  let foreign: readonly string[] = [];
  try {
    foreign = await publishEntry(host, entry);
    if (foreign.length === 0) foreign = await lateCheck(host, entry);
    if (foreign.length === 0) return settled(committed(member));
    trouble = externalWrite(foreign);
  } catch (error) {
    trouble = storageError(host, error, "put the new files in place");
  }
  if (!isLogThere(host)) return settled(await finishWithoutState(host, member));
  try {
    const left = await takeBack(host, entry, { decided: false, keepOurs: foreign.length > 0 });
    const stuck = entry.paths.filter((record) => left.includes(record.path) && isOurs(host, record));
    return settled(stuck.length === 0 ? refused(trouble) : halfDone(stuck, trouble));
  } catch (error) {
    if (!isLogThere(host)) return settled(await finishWithoutState(host, member));
    const paths = pathsOf(entry.paths);
    const message = `A commit could be neither finished nor taken back; opening the storage again finishes it. Paths: ${paths}.`;
    const pending = new HoldfastError("RECOVERY_PENDING", { message, cause: error, written: "unknown" });
    return { outcome: refused(pending, "unknown"), isSettled: false };
  }
}

function settled(outcome: CommitOutcome): CarriedOut {
  return { outcome, isSettled: true };
}

/** Whether the log still has its name; what the disk refuses to tell is taken to be so. */
function isLogThere(host: CarryOutHost): boolean {
  try {
    return host.log.isLinked();
  } catch {
    return true;
  }
}

/** Finishes an entry whose log was removed, for nobody else can. */
async function finishWithoutState(host: CarryOutHost, member: EnteredBatch): Promise<CommitOutcome> {
  const { entry, batch, blobs } = member;
  try {
    await finishFromMemory(host, entry, ({ path, after }) => {
      if (after?.blob !== undefined) return blobs?.[after.blob];
      const content = batch.putFiles.find((put) => put.path === path)?.content;
      return content !== undefined && "bytes" in content ? content.bytes : undefined;
    });
    return committed(member);
  } catch (error) {
    return halfDone(entry.paths, error);
  }
}

/** Whether a path still is as the commit made it, though it was to be taken back. */
function isOurs(host: CarryOutHost, { path, after }: PathRecord): boolean {
  const located = host.root.locate(path);
  return after === null ? located.kind === "absent" : "at" in located && isSameFile(located.status, after);
}

function halfDone(records: readonly PathRecord[], cause: unknown): CommitOutcome {
  const message = `The state folder was removed or damaged while a commit was carried out, so the commit may be there in part. Look at these paths, then close this workspace and open it again: ${pathsOf(records)}.`;
  const problems = records.map(({ path }) => ({ code: "STORAGE_FAILED" as const, message, path }));
  return refused(
    new HoldfastError("STORAGE_FAILED", { message, cause, problems, written: "unknown" }),
    "unknown",
  );
}

function pathsOf(records: readonly PathRecord[]): string {
  return records.map(({ path }) => `"${path}"`).join(", ");
}

function externalWrite(paths: readonly string[]): HoldfastError {
  const message = `Another program wrote "${paths.join('", "')}" at the same moment; its bytes stand, the change was taken back and is kept in the conflicts folder.`;
  return new HoldfastError("EXTERNAL_WRITE", {
    message,
    details: { paths },
    problems: paths.map((path) => ({ code: "EXTERNAL_WRITE", message, path })),
  });
}

function committed({ entry, checked, reached }: EnteredBatch): CommitOutcome {
  return {
    committed: true,
    sequence: reached?.sequence ?? 0,
    hash: reached?.hash ?? firstPreviousHash,
    fileVersions: new Map(
      entry.paths.flatMap(({ path, after }) => (after === null ? [] : [[path, versionOf(after)]])),
    ),
    recordVersions: new Map(entry.putRecords.map(([key]) => [key, String(entry.ordinal)])),
    ...(checked === undefined || checked.hardLinked.length === 0
      ? {}
      : { hardLinksBroken: checked.hardLinked }),
  };
}
