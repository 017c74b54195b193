import type { Box, MarkedLines } from "./shortest-edit.ts";

/** Gives a stretch without the lines that are the same at its two ends. */
export function trimBox({ before, after }: Pick<MarkedLines, "before" | "after">, box: Box): Box {
  let { oldFrom, oldTo, newFrom, newTo } = box;
  while (oldFrom < oldTo && newFrom < newTo && before[oldFrom] === after[newFrom]) {
    oldFrom++;
    newFrom++;
  }
  while (oldFrom < oldTo && newFrom < newTo && before[oldTo - 1] === after[newTo - 1]) {
    oldTo--;
    newTo--;
  }
  return { oldFrom, oldTo, newFrom, newTo };
}
