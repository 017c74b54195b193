import type { Steps } from "../base/steps.ts";
import type { Delta } from "./delta.ts";
import { type DiffFileOptions, diffFile, namesOf } from "./diff-file.ts";
import type { FileState } from "./file-state.ts";
import { type PathPair, pairPaths } from "./pair-paths.ts";
import type { FileDiff, TreeDiff } from "./tree-diff.ts";

/** How the diff of a delta is made. */
export interface DiffDeltaOptions extends DiffFileOptions {
  /** Tells what is at a path that the delta does not change, so that a copy is compared with where it came from. */
  readonly stateOf: (path: string) => FileState | undefined;
  /** Which paths are shown; a renamed or copied file when one of its two is. */
  readonly wants: (path: string) => boolean;
  /** Bytes of all unified texts together. */
  readonly maxBytes: number;
}

/** A diff that is being made. */
export interface GrowingDiff {
  readonly files: FileDiff[];
  additions: number;
  removals: number;
  truncated: boolean;
  /** Bytes that unified texts may still have. */
  room: number;
}

/** Begins a diff. */
export function beginDiff({ maxBytes }: Pick<DiffDeltaOptions, "maxBytes">): GrowingDiff {
  return { files: [], additions: 0, removals: 0, truncated: false, room: maxBytes };
}

/** Gives a diff whose files have all been added. */
export function finishDiff({ room: _room, ...diff }: GrowingDiff): TreeDiff {
  return diff;
}

/**
 * Makes the diff of a delta, at a cost that follows the contents of the changed paths. Files are shown in the order of their paths as long as they
 * fit; one that does not is listed without its text, and smaller ones after it may still fit.
 */
export function* diffDelta(delta: Delta, options: DiffDeltaOptions): Steps<TreeDiff> {
  const diff = beginDiff(options);
  yield* addToDiff(diff, yield* pairPaths(delta, options.stateOf), options);
  return finishDiff(diff);
}

/** Adds files to a diff, those that are wanted. */
export function* addToDiff(
  diff: GrowingDiff,
  pairs: readonly PathPair[],
  options: DiffFileOptions & Pick<DiffDeltaOptions, "wants">,
): Steps<void> {
  for (const pair of pairs) {
    if (!isWanted(pair, options.wants)) continue;
    const measured = yield* diffFile(pair, options, diff.room);
    yield;
    diff.files.push(measured?.file ?? { ...namesOf(pair), binary: false, hunks: [], unified: "" });
    if (measured === undefined) {
      diff.truncated = true;
      continue;
    }
    diff.room -= measured.byteLength;
    diff.additions += measured.additions;
    diff.removals += measured.removals;
  }
}

/** Whether a file is shown: a renamed or copied one when one of its two paths is wanted. */
export function isWanted({ path, before }: PathPair, wants: (path: string) => boolean): boolean {
  return wants(path) || (before !== undefined && before.path !== path && wants(before.path));
}
