import type { Steps } from "../base/steps.ts";
import type { ConflictKind } from "./conflict.ts";
import type { FileState } from "./file-state.ts";
import { type ContentMerge, type LineMerge, type MergeContext, mergeContents } from "./merge-content.ts";
import { isContested, type Place, type TrackedFile, uncontestedPlace } from "./track-files.ts";

/** A file that both sides go together on. */
export interface MergedFile {
  /** Where it ends and in which state; `undefined`: gone. */
  readonly place: Place | undefined;
  /** Whether its lines were merged. */
  readonly byLines: boolean;
  /** Its bytes, when the merge made them. */
  readonly bytes?: Uint8Array;
  readonly kind?: undefined;
}

/** A file that the sides disagree about. */
export interface ContestedFile {
  /** What about. */
  readonly kind: ConflictKind;
  /** Where it ends however it is resolved; `undefined` when the sides disagree about that. */
  readonly path: string | undefined;
  /** Whether it may be run, in a content that is given. */
  readonly executable: boolean;
  /** Its lines, when both sides changed some of them. */
  readonly lines?: LineMerge;
  /** The merged content and mode, when it is something else that the sides disagree about. */
  readonly merged?: { readonly state: FileState; readonly bytes?: Uint8Array };
  /** Why its lines could not be looked at. */
  readonly unmerged?: "bytesUnknown" | "tooLong";
}

/** What became of one file. */
export type FileMerge = MergedFile | ContestedFile;

/** Merges what two sides did to one file. */
export function* mergeFile(context: MergeContext, file: TrackedFile): Steps<FileMerge> {
  const { base, current, incoming } = file;
  if (!isContested(file)) return { place: uncontestedPlace(file), byLines: false };
  const only = current ?? incoming;
  if (current !== undefined && incoming !== undefined)
    return base === undefined
      ? yield* mergeAdded(context, current, incoming)
      : yield* mergeChanged(context, base, current, incoming);
  return {
    kind: only?.path === base?.path ? "modifyDelete" : "renameDelete",
    path: only?.path,
    executable: only?.state.executable === true,
  };
}

/** Two new files at one path. */
function* mergeAdded(context: MergeContext, current: Place, incoming: Place): Steps<ContestedFile> {
  const path = current.path;
  const { executable } = current.state;
  if (sameContent(current.state, incoming.state)) return { kind: "mode", path, executable };
  const content = yield* mergeContents(context, undefined, current.state, incoming.state);
  return { kind: "addAdd", path, executable, ...linesOf(content) };
}

function* mergeChanged(
  context: MergeContext,
  base: Place,
  current: Place,
  incoming: Place,
): Steps<FileMerge> {
  const path =
    incoming.path === base.path || incoming.path === current.path
      ? current.path
      : current.path === base.path
        ? incoming.path
        : undefined;
  const executable =
    current.state.executable === base.state.executable ? incoming.state.executable : current.state.executable;
  // Where a link leads depends on where it is, so that one that a file became is not carried to another name.
  const isCarriedLink =
    current.path !== incoming.path && [current, incoming].some(({ state }) => state.kind !== base.state.kind);
  const whole = isCarriedLink ? undefined : wholeState(base.state, current.state, incoming.state, executable);
  const content: ContentMerge | undefined =
    whole === undefined
      ? yield* mergeContents(context, base.state, current.state, incoming.state)
      : undefined;
  if (content?.refusal !== undefined) {
    const kind = path === undefined ? "renameRename" : kindOf(content.refusal);
    return { kind, path, executable, ...linesOf(content) };
  }
  const state = whole ?? (yield* stateOf(context, content?.bytes ?? new Uint8Array(), executable));
  const bytes = content?.bytes;
  const merged = { state, ...(bytes !== undefined && { bytes }) };
  if (path === undefined) return { kind: "renameRename", path, executable, merged };
  if (context.options.mergePolicy === "path")
    return { kind: state.kind === "symlink" ? "symlink" : "content", path, executable, merged };
  return { place: { path, state }, byLines: bytes !== undefined, ...(bytes !== undefined && { bytes }) };
}

/** The merged state, when at most one side changed the content. */
function wholeState(
  base: FileState,
  current: FileState,
  incoming: FileState,
  executable: boolean,
): FileState | undefined {
  if (sameContent(current, incoming)) {
    const isModeKnown = current.kind === base.kind || current.executable === incoming.executable;
    return isModeKnown ? { ...current, executable } : undefined;
  }
  const changed = sameContent(base, current) ? incoming : sameContent(base, incoming) ? current : undefined;
  if (changed === undefined) return undefined;
  if (changed.kind === base.kind) return { ...changed, executable };
  // A file that became a link takes no mode from the other side.
  const other = changed === current ? incoming : current;
  return other.executable === base.executable ? changed : undefined;
}

function sameContent(a: FileState, b: FileState): boolean {
  return a.kind === b.kind && a.contentId === b.contentId;
}

function* stateOf({ options }: MergeContext, bytes: Uint8Array, executable: boolean): Steps<FileState> {
  const contentId = yield* options.contentId(bytes);
  return { kind: "file", contentId, byteLength: bytes.byteLength, executable };
}

function kindOf(refusal: Exclude<ContentMerge["refusal"], undefined>): ConflictKind {
  return refusal === "symlink" || refusal === "binary" ? refusal : "content";
}

function linesOf(content: ContentMerge): Pick<ContestedFile, "lines" | "unmerged"> {
  if (content.refusal === "lines") return { lines: content.lines };
  return content.refusal === "bytesUnknown" || content.refusal === "tooLong"
    ? { unmerged: content.refusal }
    : {};
}
