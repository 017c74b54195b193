import type { Steps } from "../base/steps.ts";
import type { EditSplice } from "./edit-splice.ts";

const splicesPerStep = 4096;

/**
 * Orders splices by where they begin in the file; an insertion comes before what begins at its point, and after what ends there.
 *
 * @param lists - The splices of each edit, each list in that order already.
 */
export function* mergeSplices(lists: readonly (readonly EditSplice[])[]): Steps<readonly EditSplice[]> {
  let rest = lists.filter(({ length }) => length > 0);
  while (rest.length > 1) {
    const merged: (readonly EditSplice[])[] = [];
    for (let index = 0; index < rest.length; index += 2) {
      const [first = [], second = []] = rest.slice(index, index + 2);
      merged.push(second.length === 0 ? first : yield* mergeTwo(first, second));
    }
    rest = merged;
  }
  return rest[0] ?? [];
}

function* mergeTwo(first: readonly EditSplice[], second: readonly EditSplice[]): Steps<EditSplice[]> {
  const merged: EditSplice[] = [];
  let other = 0;
  for (const splice of first) {
    for (
      let next = second[other];
      next !== undefined && compareSplices(next, splice) < 0;
      next = second[++other]
    ) {
      merged.push(next);
      if (merged.length % splicesPerStep === 0) yield;
    }
    merged.push(splice);
    if (merged.length % splicesPerStep === 0) yield;
  }
  for (; other < second.length; other++) {
    merged.push(second[other] as EditSplice);
    if (merged.length % splicesPerStep === 0) yield;
  }
  return merged;
}

function compareSplices(a: EditSplice, b: EditSplice): number {
  return (
    a.fromLine - b.fromLine || pointFirst(a) - pointFirst(b) || a.start - b.start || a.editIndex - b.editIndex
  );
}

function pointFirst(splice: EditSplice): number {
  return splice.fromLine === splice.toLine ? 0 : 1;
}
