import { concatInSteps } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { Json } from "../base/json.ts";
import type { Steps } from "../base/steps.ts";
import type { AppliedFile, ApplyResult, Warning } from "../schema/apply-result.ts";
import type { RevisionCause } from "../schema/revision-info.ts";
import { type Delta, emptyDelta } from "../tree/delta.ts";
import { deltaFromJson, deltaToJson } from "../tree/delta-json.ts";

/** What a call returned, without what its place in the log tells: enough to return it again. */
export interface RecordedResult
  extends Pick<
    ApplyResult,
    "alreadyApplied" | "revisionAlgorithm" | "files" | "additions" | "removals" | "warnings"
  > {
  /** Paths in whose result several sides have a part. */
  readonly mergedPaths?: readonly string[] | undefined;
  /** Of a revert: the workspace revisions that it takes back. */
  readonly revisions?: readonly string[] | undefined;
}

/** One commit as the log keeps it. */
export interface RevisionEntry {
  /** When, RFC 3339. */
  readonly time: string;
  /** What kind of call. */
  readonly cause: RevisionCause;
  /** Which method was called. */
  readonly operation: string;
  /** Who, in which session and exchange, and why. */
  readonly source?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly exchange?: number | undefined;
  readonly reason?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  /** The call's idempotency key. */
  readonly idempotencyKey?: string | undefined;
  /** The states before and after. */
  readonly delta: Delta;
  /** What the call returned. */
  readonly result: RecordedResult;
}

/** The format that this version writes, and the newest that it reads. */
const currentFormat = 1;

/** Paths, or places in them, that are written at a time, so that no piece of a large entry takes long. */
const itemsPerPiece = 512;

/** Gives the bytes of an entry: one JSON object whose `format` says how to read the rest. */
export function* encodeRevisionEntry(entry: RevisionEntry): Steps<Uint8Array> {
  const { delta, result, ...rest } = entry;
  const { files, ...sums } = result;
  const pieces = [utf8(`${openObject({ format: currentFormat, ...rest })}"delta":[`)];
  const changes = [...delta.changes];
  yield* writeList(pieces, changes, (some) => deltaToJson({ changes: new Map(some) }));
  pieces.push(utf8(`],"result":${openObject(sums)}"files":[`));
  for (let at = 0; at < files.length; ) {
    const some = alike(files, at);
    if (at > 0) pieces.push(utf8(","));
    if (some.length > 1 || !isLong(some[0] as AppliedFile)) yield* writeList(pieces, some, (items) => items);
    else yield* writeLongFile(pieces, some[0] as AppliedFile);
    at += some.length;
  }
  pieces.push(utf8("]}}"));
  return yield* concatInSteps(pieces);
}

/** The JSON of an object with at least one field, left open for more. */
function openObject(fields: object): string {
  return `${JSON.stringify(fields).slice(0, -1)},`;
}

/** Files from a place in the list on: one that is long, or those up to the next that is. */
function alike(files: readonly AppliedFile[], from: number): readonly AppliedFile[] {
  let to = from + 1;
  if (!isLong(files[from] as AppliedFile))
    while (to < files.length && to - from < itemsPerPiece && !isLong(files[to] as AppliedFile)) to++;
  return files.slice(from, to);
}

function isLong({ changedRanges, lineShifts }: AppliedFile): boolean {
  return changedRanges.length + lineShifts.length > itemsPerPiece;
}

function* writeLongFile(pieces: Uint8Array[], file: AppliedFile): Steps<void> {
  const { changedRanges, lineShifts, ...rest } = file;
  pieces.push(utf8(`${openObject(rest)}"changedRanges":[`));
  yield* writeList(pieces, changedRanges, (some) => some);
  pieces.push(utf8(`],"lineShifts":[`));
  yield* writeList(pieces, lineShifts, (some) => some);
  pieces.push(utf8("]}"));
}

function* writeList<T>(
  pieces: Uint8Array[],
  items: readonly T[],
  toJson: (some: readonly T[]) => unknown,
): Steps<void> {
  for (let at = 0; at < items.length; at += itemsPerPiece) {
    const some = JSON.stringify(toJson(items.slice(at, at + itemsPerPiece)));
    pieces.push(utf8((at === 0 ? "" : ",") + some.slice(1, -1)));
    yield;
  }
}

/**
 * Reads the bytes of an entry. Fields that it does not know are passed over, so that a newer version may add some.
 *
 * @throws {@link HoldfastError} `STORAGE_FAILED` when the format is newer than this version, or the bytes are no entry.
 */
export function decodeRevisionEntry(bytes: Uint8Array): RevisionEntry {
  const fields = parseFields(bytes);
  const format = fields["format"];
  if (typeof format === "number" && format > currentFormat)
    throw new HoldfastError("STORAGE_FAILED", {
      message: `A log entry has format ${format}, and this version reads formats up to ${currentFormat}; use the version that wrote it, or a newer one.`,
    });
  const delta = fields["delta"] === undefined ? emptyDelta : deltaFromJson(fields["delta"]);
  const { time, result } = fields;
  if (format !== currentFormat || delta === undefined || typeof time !== "string" || !isFields(result))
    throw broken();
  return {
    time,
    cause: (text(fields, "cause") ?? "apply") as RevisionCause,
    operation: text(fields, "operation") ?? "apply",
    source: text(fields, "source"),
    sessionId: text(fields, "sessionId"),
    exchange: typeof fields["exchange"] === "number" ? fields["exchange"] : undefined,
    reason: text(fields, "reason"),
    metadata: isFields(fields["metadata"]) ? (fields["metadata"] as Record<string, string>) : undefined,
    idempotencyKey: text(fields, "idempotencyKey"),
    delta,
    result: readResult(result),
  };
}

type Fields = { readonly [name: string]: Json };

function parseFields(bytes: Uint8Array): Fields {
  let parsed: Json;
  try {
    parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch (error) {
    throw broken(error);
  }
  if (!isFields(parsed)) throw broken();
  return parsed;
}

function broken(cause?: unknown): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", {
    message:
      "A log entry cannot be read: it is no revision. The log of the storage is damaged; restore it, or remove it to begin a new history.",
    cause,
  });
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  return typeof value === "string" ? value : undefined;
}

function readResult(result: Fields): RecordedResult {
  const { files, warnings, additions, removals } = result;
  if (!Array.isArray(files) || !Array.isArray(warnings)) throw broken();
  return {
    alreadyApplied: result["alreadyApplied"] === true,
    revisionAlgorithm: result["revisionAlgorithm"] === "sha256" ? "sha256" : "xxh64",
    files: files as unknown as readonly AppliedFile[],
    additions: typeof additions === "number" ? additions : 0,
    removals: typeof removals === "number" ? removals : 0,
    warnings: warnings as unknown as readonly Warning[],
    ...(isTexts(result["mergedPaths"]) && { mergedPaths: result["mergedPaths"] }),
    ...(isTexts(result["revisions"]) && { revisions: result["revisions"] }),
  };
}

function isTexts(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
