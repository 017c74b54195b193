import { invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Delta, Origin, PathChange } from "./delta.ts";
import { diffedFacts } from "./diffed-facts.ts";
import { equalStates, type FileState } from "./file-state.ts";
import type { LoadedFile, Plan, PlannedFile } from "./plan.ts";
import { stateOf } from "./plan-context.ts";
import type { LineFacts } from "./plan-lines.ts";
import { quotePath } from "./quote-path.ts";

/** What the files are that a delta is planned on. */
export interface DeltaSource {
  /**
   * Every path that the delta changes or takes bytes from, as it is now (`undefined`: absent), with its bytes where they are known; and paths
   * that only must still hold at commit.
   */
  readonly relies: ReadonlyMap<string, LoadedFile | undefined>;
  /** Gives new bytes, by content id; `undefined` for what no new content has. */
  readonly contentOf: (contentId: string) => Uint8Array | undefined;
  /** Longest file that is looked through for lines. */
  readonly textBytes: number;
  /** What is known already of the lines of a path that changes in its place; what is not is found out. */
  readonly factsOf?: ((path: string) => LineFacts | undefined) | undefined;
}

/**
 * Makes the plan of a delta that was not planned from changes, but composed, inverted or merged: so that it is described and committed as all
 * others are. Pure, as `planChanges` is.
 *
 * A file that its origin brought is moved when that went away with it, to it alone, else copied; both are compared with where they came from. All
 * others are compared with what they replace. Where a side's bytes are not known, nothing is told about lines but how many there are.
 *
 * @param delta - What is to happen; it must begin at what is there now.
 * @param source - What is there now, and the new bytes.
 * @returns The plan; its files are sorted by path, and both ends of a move are one.
 * @throws {@link HoldfastError} `INTERNAL` when the delta does not begin at what is there, or a content is found nowhere.
 */
export function* planDelta(delta: Delta, source: DeltaSource): Steps<Plan> {
  const due = workCounter();
  const context = { source, held: yield* heldContents(source.relies) };
  const { arrivals, leavers } = yield* findArrivals(delta, source);
  const files: PlannedFile[] = [];
  for (const [path, change] of delta.changes) {
    if (due(16)) yield;
    if (leavers.has(path)) continue;
    files.push(yield* planPath(context, path, change, arrivals.get(path)));
  }
  return { delta, files, relies: source.relies, located: new Set(), warnings: [] };
}

interface DeltaContext {
  readonly source: DeltaSource;
  readonly held: HeldContents;
}

/** The contents that are there now. */
interface HeldContents {
  /** The first path that has it, by kind and content id. */
  readonly paths: ReadonlyMap<string, string>;
  /** By content id, where they are known. */
  readonly bytes: ReadonlyMap<string, Uint8Array>;
}

function* heldContents(relies: DeltaSource["relies"]): Steps<HeldContents> {
  const due = workCounter();
  const paths = new Map<string, string>();
  const bytes = new Map<string, Uint8Array>();
  for (const [path, file] of relies) {
    if (due(4)) yield;
    if (file === undefined) continue;
    if (!paths.has(heldAs(file))) paths.set(heldAs(file), path);
    if (file.bytes !== undefined) bytes.set(file.contentId, file.bytes);
  }
  return { paths, bytes };
}

function heldAs({ kind, contentId }: FileState): string {
  return `${kind} ${contentId}`;
}

/** Which files came from elsewhere, and which paths a moved file left: nothing else is told about those. */
function* findArrivals(
  delta: Delta,
  { relies }: DeltaSource,
): Steps<{ readonly arrivals: ReadonlyMap<string, Origin>; readonly leavers: ReadonlySet<string> }> {
  const due = workCounter();
  const arrivals = new Map<string, Origin>();
  const leavers = new Set<string>();
  for (const [path, { before, after, origin }] of delta.changes) {
    if (due(4)) yield;
    const isAtStart = relies.has(path) && equalStates(stateOf(relies.get(path)), before);
    invariant(
      isAtStart,
      () => `A delta begins at what is there now, and that of ${quotePath(path)} does not.`,
    );
    if (after === undefined || origin === undefined || origin.path === path) continue;
    if (relies.get(origin.path)?.kind !== after.kind) continue;
    const source = delta.changes.get(origin.path);
    const isGone = source !== undefined && source.after === undefined;
    const isMove = origin.kind === "moved" && isGone && !leavers.has(origin.path);
    if (isMove) leavers.add(origin.path);
    arrivals.set(path, { kind: isMove ? "moved" : "copied", path: origin.path });
  }
  return { arrivals, leavers };
}

function* planPath(
  context: DeltaContext,
  path: string,
  { before, after }: PathChange,
  arrival: Origin | undefined,
): Steps<PlannedFile> {
  const { relies } = context.source;
  const compared = arrival === undefined ? before : stateOf(relies.get(arrival.path));
  const known = arrival === undefined ? context.source.factsOf?.(path) : undefined;
  const facts = known ?? (yield* factsOf(context, compared, after));
  if (after === undefined) return { path, operation: "deleted", ...facts };
  const content = contentOf(context, arrival?.path ?? path, after);
  invariant(content !== undefined, () => `The bytes that ${quotePath(path)} is to get are not at hand.`);
  if (arrival !== undefined)
    return { path, previousPath: arrival.path, operation: arrival.kind, ...content, ...facts };
  return { path, operation: before === undefined ? "created" : "modified", ...content, ...facts };
}

/** Where the bytes of a file come from: from where it was if it had them, so that none are written anew; else they are new; else another path has them. */
function contentOf(
  { source, held }: DeltaContext,
  previousPath: string,
  after: FileState,
): Pick<PlannedFile, "bytes" | "from"> | undefined {
  const previous = source.relies.get(previousPath);
  if (previous !== undefined && heldAs(previous) === heldAs(after)) return { from: previousPath };
  const bytes = source.contentOf(after.contentId);
  if (bytes !== undefined) return { bytes };
  const from = held.paths.get(heldAs(after));
  return from === undefined ? undefined : { from };
}

function* factsOf(
  context: DeltaContext,
  before: FileState | undefined,
  after: FileState | undefined,
): Steps<LineFacts> {
  const { textBytes } = context.source;
  const old = before && knownBytes(context, before);
  if (before?.contentId === after?.contentId && before?.kind === after?.kind)
    return yield* diffedFacts(old, old, textBytes);
  const now = after && knownBytes(context, after);
  const isKnown = (before === undefined || old !== undefined) && (after === undefined || now !== undefined);
  if (!isKnown) return yield* diffedFacts(now, now, textBytes);
  if (before === undefined || after === undefined || before.kind === after.kind)
    return yield* diffedFacts(old, now, textBytes);
  return yield* replacedFacts(old, now, textBytes);
}

/** A link and a file have no line in common. */
function* replacedFacts(
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
  textBytes: number,
): Steps<LineFacts> {
  const { removals } = yield* diffedFacts(before, undefined, textBytes);
  const made = yield* diffedFacts(undefined, after, textBytes);
  const { totalLines } = made;
  if (totalLines === undefined) return { ...made, removals };
  const range = { startLine: 1, endLine: totalLines, added: totalLines, removed: removals };
  return { ...made, changedRanges: [range], removals };
}

function knownBytes({ source, held }: DeltaContext, { contentId }: FileState): Uint8Array | undefined {
  return held.bytes.get(contentId) ?? source.contentOf(contentId);
}
