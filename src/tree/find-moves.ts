import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Delta } from "./delta.ts";
import type { FileState } from "./file-state.ts";

/** Shorter files say too little: two that are alike need not be one that was moved. */
const shortestRecognised = 32;

/** Which files a delta moved: paths that they left, and where they are now; and the other way round. */
export interface Moves {
  readonly to: ReadonlyMap<string, string>;
  readonly from: ReadonlyMap<string, string>;
}

/**
 * Finds the moves of a delta: those that it tells as origins, and files that left one path and came to another with the same bytes. Only moves
 * from a path that is absent afterwards to one that was absent before count; others are a change of both paths. Equal bytes make a move where
 * exactly one file left and one came with them, and there are 32 or more.
 */
export function* findMoves(delta: Delta): Steps<Moves> {
  const due = workCounter();
  const to = new Map<string, string>();
  const from = new Map<string, string>();
  for (const [path, { before, after, origin }] of delta.changes) {
    if (due()) yield;
    if (before !== undefined || after === undefined || origin?.kind !== "moved" || to.has(origin.path))
      continue;
    const source = delta.changes.get(origin.path);
    if (source?.before === undefined || source.after !== undefined) continue;
    to.set(origin.path, path);
    from.set(path, origin.path);
  }
  const left = new OnlyOnes();
  const came = new OnlyOnes();
  for (const [path, { before, after }] of delta.changes) {
    if (due()) yield;
    if (after === undefined && before !== undefined && !to.has(path)) left.add(before, path);
    if (before === undefined && after !== undefined && !from.has(path)) came.add(after, path);
  }
  for (const [content, source] of left.paths) {
    if (due()) yield;
    const target = came.paths.get(content);
    if (source === undefined || target === undefined) continue;
    to.set(source, target);
    from.set(target, source);
  }
  return { to, from };
}

/** Paths by their content; `undefined` where there are several. */
class OnlyOnes {
  readonly paths = new Map<string, string | undefined>();

  add({ kind, contentId, byteLength }: FileState, path: string): void {
    if (byteLength < shortestRecognised) return;
    const content = `${kind} ${contentId}`;
    this.paths.set(content, this.paths.has(content) ? undefined : path);
  }
}
