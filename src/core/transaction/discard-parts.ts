import { timeSlice } from "../../base/clock.ts";
import { hashBytes } from "../../base/hashing.ts";
import { HoldfastError, type Problem, throwProblems } from "../../base/holdfast-error.ts";
import { driveSteps } from "../../base/steps.ts";
import { defaultContextLines } from "../../schema/diff-options.ts";
import type { SnapshotOptions } from "../../schema/snapshot.ts";
import type { DiscardTarget } from "../../schema/transaction-calls.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import { type Delta, isEmptyDelta, makeDelta, type PathChange } from "../../tree/delta.ts";
import { diffDelta } from "../../tree/diff-delta.ts";
import type { FileState } from "../../tree/file-state.ts";
import { pathKey } from "../../tree/path-key.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { quotePath } from "../../tree/quote-path.ts";
import { reverseHunks } from "../../tree/reverse-hunks.ts";
import type { FileDiff } from "../../tree/tree-diff.ts";
import { pathsFilter } from "../path-filter.ts";
import { stagedBytes } from "./diff-transaction.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import { stageStep } from "./stage-step.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/** Takes parts of what is staged back out, as one step. */
export async function discardParts(
  transaction: OpenTransaction,
  what: DiscardTarget,
  options: SnapshotOptions,
): Promise<TransactionInfo> {
  return await transaction.change("discard", options, async (stored) => {
    const wants = what.paths === undefined ? () => false : pathsFilter(what.paths);
    const whole = wholePaths(stored.steps.delta, wants);
    const contents = new Map<string, Uint8Array>();
    const entries = new Map<string, PathChange>();
    for (const path of whole)
      entries.set(path, {
        before: stored.steps.states.get(path),
        after: stored.steps.pins.get(path)?.state,
      });
    if (what.hunks !== undefined)
      for (const [path, change] of await withoutHunks(transaction, stored, what.hunks, contents, options))
        if (!entries.has(path)) entries.set(path, change);
    const delta = makeDelta(entries);
    if (isEmptyDelta(delta)) return { result: (same) => transaction.info(same) };
    refuseClash(transaction, stored, delta);
    const change = await stageStep(transaction, stored, { delta, pins: new Map(), contents });
    return { change, result: (saved) => transaction.info(saved) };
  });
}

/** The changed paths that are wanted; a moved file goes with the place that it left. */
function wholePaths({ changes }: Delta, wants: (path: string) => boolean): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const [path, { origin }] of changes) {
    const isWanted = wants(path) || (origin?.kind === "moved" && wants(origin.path));
    if (!isWanted) continue;
    paths.add(path);
    if (origin?.kind === "moved") paths.add(origin.path);
  }
  return paths;
}

/** A file that comes back may need the place of one that stays staged, or of its folder. */
function refuseClash(
  { parts: { context } }: OpenTransaction,
  { steps }: StoredTransaction,
  delta: Delta,
): void {
  const keyOf = context.files.capabilities.caseSensitive ? (path: string) => path : pathKey;
  const states = new Map(steps.states);
  for (const [path, { after }] of delta.changes) states.set(path, after);
  const present = new Map<string, string>();
  const problems: Problem[] = [];
  const refuse = (path: string, other: string) => {
    const message = `${quotePath(path)} and ${quotePath(other)} cannot both be there; discard what is staged for both.`;
    problems.push({ code: "ALREADY_EXISTS", message, path });
  };
  for (const [path, state] of states) {
    if (state === undefined) continue;
    const other = present.get(keyOf(path));
    if (other !== undefined) refuse(path, other);
    present.set(keyOf(path), path);
  }
  for (const path of present.values())
    for (const folder of ancestorsOf(path)) {
      const other = present.get(keyOf(folder));
      if (other !== undefined) refuse(path, other);
    }
  if (problems.length > 0) throwProblems(problems);
}

async function withoutHunks(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  ids: readonly string[],
  contents: Map<string, Uint8Array>,
  { signal }: SnapshotOptions,
): Promise<ReadonlyMap<string, PathChange>> {
  const { delta, pins, states } = stored.steps;
  const { hashing, limits } = transaction.parts.context;
  const known = await stagedBytes(transaction, stored, pathsOf(delta), { signal });
  const pause = timeSlice({ signal });
  const diff = await driveSteps(
    diffDelta(delta, {
      hashing,
      textBytes: limits.textBytes,
      contentOf: (contentId) => known.get(contentId),
      stateOf: (path) => pins.get(path)?.state,
      wants: () => true,
      contextLines: defaultContextLines,
      maxBytes: Number.MAX_SAFE_INTEGER,
    }),
    pause,
  );
  const left = new Set(ids);
  const changed = new Map<string, PathChange>();
  for (const file of diff.files) {
    const hunks = file.hunks.filter(({ id }) => left.has(id));
    if (hunks.length === 0) continue;
    for (const { id } of hunks) left.delete(id);
    const [old, now] = statesOf(file, stored);
    const after = states.get(file.path);
    const bytes = await driveSteps(reverseHunks(bytesIn(known, old), bytesIn(known, now), hunks), pause);
    const contentId = hashBytes(hashing, "sha256", bytes);
    contents.set(contentId, bytes);
    const kind = after?.kind ?? old?.kind ?? "file";
    const executable = after?.executable ?? old?.executable ?? false;
    const isAbsentAgain = old === undefined && hunks.length === file.hunks.length;
    const reversed = isAbsentAgain
      ? undefined
      : { kind, contentId, byteLength: bytes.byteLength, executable };
    changed.set(file.path, { before: after, after: reversed });
  }
  for (const id of left)
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `No hunk of what is staged has the id ${quotePath(id)}; diff() with its default context gives the ids.`,
    });
  return changed;
}

function pathsOf({ changes }: Delta): readonly string[] {
  return [...changes].flatMap(([path, { origin }]) => [path, ...(origin === undefined ? [] : [origin.path])]);
}

/** What the diff of a file compares: of a renamed or copied one the place that it came from. */
function statesOf(
  { path, previousPath }: FileDiff,
  { steps }: StoredTransaction,
): readonly [FileState | undefined, FileState | undefined] {
  return [steps.pins.get(previousPath ?? path)?.state, steps.states.get(path)];
}

function bytesIn(known: ReadonlyMap<string, Uint8Array>, state: FileState | undefined): Uint8Array {
  return (state === undefined ? undefined : known.get(state.contentId)) ?? new Uint8Array(0);
}
