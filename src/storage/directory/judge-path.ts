import type { LocatedEntry } from "../log/log-state.ts";
import type { AfterIdentity, PathIdentity, PathRecord } from "../log/physical-entry.ts";
import { readWhole } from "./file-bytes.ts";
import { type FileContent, readContent } from "./file-content.ts";
import { patiently } from "./patiently.ts";
import { type PublishHost, preImage, removedImage, reservedMode } from "./publish-paths.ts";

/** One commit's record of a path, with the entry that holds its bytes. */
export interface ChainLink {
  readonly record: PathRecord;
  readonly located: LocatedEntry;
}

/** What interrupted commits have made of a path, told by which file on the disk is there, not by its bytes alone. */
export type Verdict =
  /** As the last commit leaves it. */
  | "last"
  /** As some commit found or left it: the step to the last one is missing. */
  | "earlier"
  /** Nothing is there, and a commit of the chain had it so. */
  | "absent"
  /** A content of the chain that a power cut has cut short, filled with zeros, or brought back to what it was before. */
  | "torn"
  /** Somebody else's. */
  | "foreign";

/**
 * Judges a path by the records of the interrupted commits that changed it, oldest first.
 *
 * @param rebooted - Whether the machine was restarted since: only then can contents be torn.
 */
export async function judgePath(
  host: PublishHost,
  path: string,
  chain: readonly ChainLink[],
  rebooted: boolean,
): Promise<Verdict> {
  const last = chain.at(-1)?.record.after ?? null;
  const located = await patiently(host.fileSystem, () => host.root.locate(path));
  if (located.kind === "absent" || (located.kind === "obstructed" && located.what === "file"))
    return judgeAbsence(host, chain, last);
  if (located.kind !== "file" && located.kind !== "symlink")
    return last === null && located.kind === "directory" ? "last" : "foreign";
  const content = await readContent(host, () => host.root.find(path), path, "bytes");
  if (content === undefined) return judgeAbsence(host, chain, last);
  const states = chain
    .flatMap(({ record }) => [record.before, record.after])
    .filter((state) => state !== null);
  const known = states.findLast((state) => holds(content, state) && isFileOf(content, state));
  if (known !== undefined) return known === last ? "last" : "earlier";
  if (last !== null && holds(content, last)) return "last";
  if (isReservation(host, content, chain)) return "absent";
  if (rebooted && (await isTorn(host, content, chain))) return "torn";
  return "foreign";
}

function judgeAbsence(host: PublishHost, chain: readonly ChainLink[], last: AfterIdentity | null): Verdict {
  if (last === null) return "last";
  const ours = chain.some(
    ({ record }) => record.before === null || record.after === null || isMovedAway(host, record),
  );
  return ours ? "absent" : "foreign";
}

/** Where links fail, and for a content that the log does not hold, a new file begins as an empty one, which holds nobody's bytes; so does one in the place of what was moved away. */
function isReservation(host: PublishHost, { identity }: FileContent, chain: readonly ChainLink[]): boolean {
  if (identity.kind !== "file" || identity.length > 0) return false;
  // A reservation can have the inode number that a content of the chain had until a power cut took that; where there are modes, they tell.
  const isOurs = chain.some(({ record: { before, after } }) =>
    [before, after].some(
      (state) => state?.ino === identity.ino && (!host.state.modes || state.mode === identity.mode),
    ),
  );
  const isReserved = !isOurs && (!host.state.modes || identity.mode === reservedMode);
  return (
    isReserved &&
    chain.some(({ record }) =>
      record.before === null
        ? !host.state.links || record.after?.staged !== undefined
        : !host.state.links && record.after !== null && isMovedAway(host, record),
    )
  );
}

/** Whether what a commit replaces stands among the pre-images. Where links fail, the file itself does so between two steps. */
function isMovedAway(host: PublishHost, record: PathRecord): boolean {
  return (
    record.pre !== undefined &&
    [preImage(host, record), removedImage(host, record)].some((at) => host.fileSystem.lstat(at) !== undefined)
  );
}

function holds(content: FileContent, state: PathIdentity): boolean {
  const { identity } = content;
  return identity.kind === state.kind && identity.length === state.length && identity.xxh64 === state.xxh64;
}

function isFileOf(content: FileContent, state: PathIdentity): boolean {
  return content.identity.ino === state.ino && content.identity.mtimeNs === state.mtimeNs;
}

/**
 * Whether a content is one of the chain's own, in its own file, cut short or with zeros in it. Of a file that a commit found, and whose
 * bytes the log does not hold, the file and its time must do: nobody has written it since.
 */
async function isTorn(
  host: PublishHost,
  content: FileContent,
  chain: readonly ChainLink[],
): Promise<boolean> {
  const { bytes, identity } = content;
  if (bytes === undefined) return false;
  for (const { record, located } of chain) {
    const { before, after } = record;
    if (isUnlogged(before, chain) && isNotLater(identity, before)) return true;
    if (after === null || !isNotLater(identity, after)) continue;
    const whole = await bytesOf(host, located, after);
    if (whole !== undefined && isTornCopy(bytes, whole)) return true;
  }
  return false;
}

/** Whether no commit of the chain has left the bytes that one found. */
function isUnlogged(before: PathIdentity | null, chain: readonly ChainLink[]): before is PathIdentity {
  return (
    before !== null &&
    !chain.some(({ record: { after } }) => after?.ino === before.ino && after.xxh64 === before.xxh64)
  );
}

/** Whether it is the same file, and nobody has written it since. */
function isNotLater(found: PathIdentity, recorded: PathIdentity): boolean {
  return found.ino === recorded.ino && BigInt(found.mtimeNs) <= BigInt(recorded.mtimeNs);
}

/** How much of a sector came to the platter is the disk's own affair: each byte is there, or nothing is. */
function isTornCopy(found: Uint8Array, whole: Uint8Array): boolean {
  return found.byteLength <= whole.byteLength && found.every((byte, at) => byte === 0 || byte === whole[at]);
}

/** The bytes of a content, from the log or from the file that holds them; `undefined` when they are gone. */
export async function bytesOf(
  host: Pick<PublishHost, "fileSystem" | "state" | "pause">,
  located: LocatedEntry,
  after: AfterIdentity,
): Promise<Uint8Array | undefined> {
  if (after.blob !== undefined) return located.bytesOf(after.blob);
  return (await readWhole(host.fileSystem, `${host.state.path}/${after.staged ?? after.file}`, host.pause))
    ?.bytes;
}
