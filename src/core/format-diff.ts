import { harmless } from "../text/harmless.ts";
import { quoteName } from "../text/quote-name.ts";
import type { FileDiff, TreeDiff } from "../tree/tree-diff.ts";

/** How a diff is shown. */
export interface FormatDiffOptions {
  /** Whether lines are coloured, as git does, with the escape sequences of terminals. Default: false. */
  readonly color?: boolean | undefined;
}

type Paint = "header" | "place" | "added" | "removed" | "plain";

const colours: Readonly<Record<Paint, string>> = {
  header: "\u001b[1m",
  place: "\u001b[36m",
  added: "\u001b[32m",
  removed: "\u001b[31m",
  plain: "",
};

/**
 * Shows a diff as text for people. Control characters, escape sequences and characters that are not seen or reorder others are spelled out, such as
 * `\x1b`, so that no file can drive a terminal; hence the text is not for applying: that is `unified`.
 *
 * @param diff - A diff of several files or of one.
 * @param options - `color`.
 * @returns Lines joined by line feeds, the last one without; `""` when nothing changed.
 */
export function formatDiff(diff: TreeDiff | FileDiff, options: FormatDiffOptions = {}): string {
  const files = "files" in diff ? diff.files : [diff];
  const paint = (line: string, kind: Paint) => {
    const shown = harmless(line);
    return options.color === true && kind !== "plain" ? `${colours[kind]}${shown}\u001b[m` : shown;
  };
  return files.flatMap((file) => formatFile(file, paint)).join("\n");
}

function formatFile(file: FileDiff, paint: (line: string, kind: Paint) => string): readonly string[] {
  const { path, previousPath, status, unified } = file;
  if (unified === "") {
    const from = previousPath === undefined ? "" : ` from ${quoteName(previousPath)}`;
    return [paint(`${status} ${quoteName(path)}${from}: too long to be shown`, "header")];
  }
  let inHunks = false;
  return unified
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => {
      if (line.startsWith("@@")) inHunks = true;
      return paint(line, inHunks ? kindOf(line) : "header");
    });
}

/** Within hunks the first character tells what a line is. */
function kindOf(line: string): Paint {
  if (line.startsWith("@")) return "place";
  if (line.startsWith("+")) return "added";
  return line.startsWith("-") ? "removed" : "plain";
}
