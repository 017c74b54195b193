import { indentOf } from "./line-grades.ts";

/** White space that lines have more, or less, at their start than in a hunk; one of the two is empty. */
export interface IndentShift {
  /** What the file's lines have before the hunk's. */
  readonly add: string;
  /** What the hunk's lines have before the file's. */
  readonly remove: string;
}

/**
 * Finds the one shift that leads from the lines of a hunk to those of a file that are equal but for white space at both ends.
 *
 * @param before - The hunk's old lines.
 * @param added - The lines that it adds, which must be able to follow.
 * @param lineAt - Gives the file's line in the place of one of the hunk.
 * @returns `undefined` when lines are shifted differently, or spaces stand for tabs.
 */
export function shiftBetween(
  before: readonly string[],
  added: readonly { readonly text: string }[],
  lineAt: (at: number) => string,
): IndentShift | undefined {
  let shift: IndentShift | undefined;
  for (const [at, line] of before.entries()) {
    const own = indentOf(line);
    if (own.length === line.length) continue;
    const found = indentOf(lineAt(at));
    shift ??= firstShift(own, found);
    if (shift === undefined || shiftIndent(own, shift) !== found) return undefined;
  }
  const { remove = "" } = shift ?? {};
  const canFollow = added.every(
    ({ text }) => text.startsWith(remove) || indentOf(text).length === text.length,
  );
  return canFollow ? shift : undefined;
}

function firstShift(own: string, found: string): IndentShift | undefined {
  if (found.endsWith(own)) return { add: found.slice(0, found.length - own.length), remove: "" };
  return own.endsWith(found) ? { add: "", remove: own.slice(0, own.length - found.length) } : undefined;
}

/** Shifts a line; one of white space alone stays as it is. */
export function shiftLine(line: string, shift: IndentShift): string {
  return indentOf(line).length === line.length ? line : shiftIndent(line, shift);
}

function shiftIndent(line: string, { add, remove }: IndentShift): string {
  return line.startsWith(remove) ? add + line.slice(remove.length) : line;
}
