import type { SearchMatch } from "../schema/read-results.ts";

/** Finds the next occurrence in a text from an offset on; -1 when there is none. */
export type TextFinder = (text: string, from: number) => number;

type LineMatch = Omit<SearchMatch, "path">;

const linesPerStep = 4096;

/** Makes a finder of literal text. */
export function textFinder(wanted: string, ignoreCase: boolean): TextFinder {
  if (!ignoreCase) return (text, from) => text.indexOf(wanted, from);
  // A pattern without operators: it is found in one pass, and offsets stay those of the text.
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu");
  return (text, from) => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.index ?? -1;
  };
}

/** Gives the lines of a text in which something is found, and `undefined` now and then in between so that the caller can pause. */
export function* matchingLines(
  text: string,
  find: TextFinder,
  context: number,
): Generator<LineMatch | undefined, void, undefined> {
  let line = 1;
  let counted = 0;
  for (let at = find(text, 0); at !== -1; ) {
    const start = text.lastIndexOf("\n", at) + 1;
    for (
      let next = text.indexOf("\n", counted);
      next !== -1 && next < start;
      next = text.indexOf("\n", counted)
    ) {
      line += 1;
      counted = next + 1;
      if (line % linesPerStep === 0) yield undefined;
    }
    const end = lineEnd(text, start);
    yield {
      line,
      column: at - start + 1,
      text: lineAt(text, start, end),
      before: linesBefore(text, start, context),
      after: linesAfter(text, end, context),
    };
    if (end >= text.length) return;
    at = find(text, end + 1);
  }
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}

function lineAt(text: string, start: number, end: number): string {
  const isCrlf = end > start && end < text.length && text[end - 1] === "\r";
  return text.slice(start, isCrlf ? end - 1 : end);
}

function linesBefore(text: string, start: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (let end = start - 1; lines.length < most && end >= 0; ) {
    const from = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    lines.unshift(lineAt(text, from, end));
    end = from - 1;
  }
  return lines;
}

function linesAfter(text: string, end: number, most: number): readonly string[] {
  const lines: string[] = [];
  for (let start = end + 1; lines.length < most && start < text.length; ) {
    const next = lineEnd(text, start);
    lines.push(lineAt(text, start, next));
    start = next + 1;
  }
  return lines;
}
