import type { LineTerminator } from "./text-document.ts";

/** Lines that are replaced: their contents in order, and for each its terminator (`undefined`: it has none). */
export interface ReplacedLines {
  /** Contents without terminators. */
  readonly contents: readonly string[];
  /** Their terminators. */
  readonly terminators: readonly (LineTerminator | undefined)[];
}

/** How much work finding shared lines may still cost; shared by all edits of one call. */
export interface MatchBudget {
  /** Cells of tables that may still be filled. */
  cells: number;
}

/**
 * Chooses the terminator of each new line, so that lines that stay keep their own: a line that the old and the new text share has the one it had; any other has that of the old line in
 * whose place it stands, else that of the new line before it, else `neighbour`.
 *
 * Shared lines are found at both ends in any text, and between them while the budget lasts.
 */
export function keepTerminators(
  replaced: ReplacedLines,
  contents: readonly string[],
  neighbour: LineTerminator,
  budget: MatchBudget,
): LineTerminator[] {
  const partner = matchLines(replaced.contents, contents, budget);
  const limits = nextPartners(partner, replaced.contents.length);
  const chosen: LineTerminator[] = [];
  let next = 0;
  let last: LineTerminator | undefined;
  for (let index = 0; index < contents.length; index++) {
    const shared = partner[index] as number;
    const old = shared >= 0 ? shared : next < (limits[index] as number) ? next : -1;
    const own = old >= 0 ? replaced.terminators[old] : undefined;
    if (old >= 0) next = old + 1;
    last = own ?? last ?? neighbour;
    chosen.push(last);
  }
  return chosen;
}

/** For each new line the old line that the next shared line is. */
function nextPartners(partner: Int32Array, none: number): Int32Array {
  const limits = new Int32Array(partner.length);
  let limit = none;
  for (let index = partner.length - 1; index >= 0; index--) {
    if ((partner[index] as number) >= 0) limit = partner[index] as number;
    limits[index] = limit;
  }
  return limits;
}

/** For each new line the index of the old line that it is, or -1; increasing. */
function matchLines(before: readonly string[], after: readonly string[], budget: MatchBudget): Int32Array {
  const partner = new Int32Array(after.length).fill(-1);
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start])
    partner[start] = start++;
  let beforeEnd = before.length;
  let afterEnd = after.length;
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1])
    partner[--afterEnd] = --beforeEnd;
  matchMiddle(partner, before.slice(start, beforeEnd), after.slice(start, afterEnd), start, budget);
  return partner;
}

/** Marks a longest common subsequence, unless the table for it would be too large. */
function matchMiddle(
  partner: Int32Array,
  before: readonly string[],
  after: readonly string[],
  offset: number,
  budget: MatchBudget,
): void {
  const width = after.length + 1;
  const cells = (before.length + 1) * width;
  if (cells > budget.cells) return;
  budget.cells -= cells;
  const longest = new Uint32Array(cells);
  const cell = (row: number, column: number) => longest[row * width + column] as number;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      longest[row * width + column] =
        before[row] === after[column]
          ? cell(row + 1, column + 1) + 1
          : Math.max(cell(row + 1, column), cell(row, column + 1));
  for (let row = 0, column = 0; row < before.length && column < after.length; ) {
    if (before[row] === after[column]) partner[offset + column++] = offset + row++;
    else if (cell(row + 1, column) >= cell(row, column + 1)) row++;
    else column++;
  }
}
