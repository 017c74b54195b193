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

/**
 * Makes the diff of a delta, at a cost that follows the contents of the changed paths. Files are shown in the order of their paths as long as they
 * fit; one that does not is listed without its text, and smaller ones after it may still fit.
 */
export function* diffDelta(delta: Delta, options: DiffDeltaOptions): Steps<TreeDiff> {
  const files: FileDiff[] = [];
  let room = options.maxBytes;
  let [additions, removals] = [0, 0];
  let truncated = false;
  for (const pair of yield* pairPaths(delta, options.stateOf)) {
    if (!isWanted(pair, options.wants)) continue;
    const measured = yield* diffFile(pair, options, room);
    yield;
    files.push(measured?.file ?? { ...namesOf(pair), binary: false, hunks: [], unified: "" });
    if (measured === undefined) {
      truncated = true;
      continue;
    }
    room -= measured.byteLength;
    additions += measured.additions;
    removals += measured.removals;
  }
  return { files, additions, removals, truncated };
}

function isWanted({ path, before }: PathPair, wants: (path: string) => boolean): boolean {
  return wants(path) || (before !== undefined && before.path !== path && wants(before.path));
}
