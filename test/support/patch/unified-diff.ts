import { runSteps } from "../../../src/base/steps.ts";
import { diffLines, type LineChange } from "../../../src/text/diff-lines.ts";
import { openText } from "../edit-text.ts";

/** The unified diff of two texts, as git writes it, each line with the end that it has; "" for equal ones. */
export function unifiedDiff(path: string, before: string, after: string, context: number): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const changes = runSteps(diffLines(openText(before), openText(after)));
  const hunks: string[] = [];
  for (let at = 0; at < changes.length; ) {
    let end = at + 1;
    while (end < changes.length && gap(changes, end) <= 2 * context) end++;
    const group = changes.slice(at, end);
    const first = group[0] as LineChange;
    const last = group.at(-1) as LineChange;
    const oldFrom = Math.max(0, first.oldStart - context);
    const oldTo = Math.min(old.length, last.oldEnd + context);
    const newFrom = first.newStart - (first.oldStart - oldFrom);
    const newTo = last.newEnd + (oldTo - last.oldEnd);
    const body: string[] = [];
    let line = oldFrom;
    for (const { oldStart, oldEnd, newStart, newEnd } of group) {
      body.push(...old.slice(line, oldStart).map((text) => mark(" ", text)));
      body.push(...old.slice(oldStart, oldEnd).map((text) => mark("-", text)));
      body.push(...now.slice(newStart, newEnd).map((text) => mark("+", text)));
      line = oldEnd;
    }
    body.push(...old.slice(line, oldTo).map((text) => mark(" ", text)));
    hunks.push(`@@ -${range(oldFrom, oldTo)} +${range(newFrom, newTo)} @@\n${body.join("")}`);
    at = end;
  }
  return hunks.length === 0 ? "" : `--- a/${path}\n+++ b/${path}\n${hunks.join("")}`;
}

/** How many equal lines stand before a change, behind the one before it. */
function gap(changes: readonly LineChange[], at: number): number {
  return (changes[at]?.oldStart ?? 0) - (changes[at - 1]?.oldEnd ?? 0);
}

function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

function mark(sign: string, text: string): string {
  return text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
}

function range(from: number, to: number): string {
  return `${to === from ? from : from + 1},${to - from}`;
}
