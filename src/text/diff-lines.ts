import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { internLines } from "./intern-lines.ts";
import { type MarkedLines, markShortestEdit } from "./shortest-edit.ts";
import { slideChanges } from "./slide-changes.ts";
import type { TextDocument } from "./text-document.ts";

/** Lines of one text that stand in the place of lines of the other: from 0, half-open. */
export interface LineChange {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Finds what changes one text into another, in order; between two changes lies at least one line that stays. Lines include their terminator, the first one the byte order mark. */
export function* diffLines(before: TextDocument, after: TextDocument): Steps<readonly LineChange[]> {
  const { lines } = yield* internLines([before, after]);
  return yield* diffNumbers(lines[0] as Int32Array, lines[1] as Int32Array);
}

/** Finds what changes one sequence of numbered lines into another. */
export function* diffNumbers(before: Int32Array, after: Int32Array): Steps<readonly LineChange[]> {
  const marked: MarkedLines = {
    before,
    after,
    removed: new Uint8Array(before.length),
    added: new Uint8Array(after.length),
  };
  yield* markShortestEdit(marked, { oldFrom: 0, oldTo: before.length, newFrom: 0, newTo: after.length });
  yield* slideChanges(marked);
  return yield* collectChanges(marked);
}

function* collectChanges({ removed, added }: MarkedLines): Steps<readonly LineChange[]> {
  const changes: LineChange[] = [];
  const worked = workCounter();
  let oldAt = 0;
  let newAt = 0;
  while (oldAt < removed.length || newAt < added.length) {
    const oldStart = oldAt;
    const newStart = newAt;
    while (removed[oldAt] === 1) oldAt++;
    while (added[newAt] === 1) newAt++;
    if (oldAt > oldStart || newAt > newStart)
      changes.push({ oldStart, oldEnd: oldAt, newStart, newEnd: newAt });
    if (worked(1 + ((oldAt - oldStart + newAt - newStart) >> 3))) yield;
    if (oldAt < removed.length) oldAt++;
    if (newAt < added.length) newAt++;
  }
  return changes;
}
