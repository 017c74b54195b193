import { quoteName } from "../text/quote-name.ts";
import type { DiffSide, PathPair } from "./pair-paths.ts";

/**
 * The lines with which git begins the diff of a file: names, modes, and where it came from.
 *
 * @param pair - The file.
 * @param similarity - How much of a renamed or copied file stayed, in percent.
 */
export function headerLines(pair: PathPair, similarity: number): readonly string[] {
  const { path, before, after } = pair;
  const oldPath = before?.path ?? path;
  const lines = [`diff --git ${quoteName(`a/${oldPath}`)} ${quoteName(`b/${path}`)}`];
  const [oldMode, newMode] = [modeOf(before), modeOf(after)];
  if (oldMode === undefined) lines.push(`new file mode ${newMode}`);
  else if (newMode === undefined) lines.push(`deleted file mode ${oldMode}`);
  else if (oldMode !== newMode) lines.push(`old mode ${oldMode}`, `new mode ${newMode}`);
  if (oldPath === path) return lines;
  const verb = pair.status === "renamed" ? "rename" : "copy";
  lines.push(`similarity index ${similarity}%`);
  lines.push(`${verb} from ${quoteName(oldPath)}`, `${verb} to ${quoteName(path)}`);
  return lines;
}

function modeOf(side: DiffSide | undefined): string | undefined {
  if (side === undefined) return undefined;
  if (side.state.kind === "symlink") return "120000";
  return side.state.executable ? "100755" : "100644";
}

/** The two lines that name the texts before the first hunk. A tab ends names with blanks, so that no reader takes what follows for a date. */
export function textLines({ before, after }: PathPair): readonly string[] {
  return [`--- ${endName(sideName("a", before))}`, `+++ ${endName(sideName("b", after))}`];
}

function endName(name: string): string {
  return name.includes(" ") ? `${name}\t` : name;
}

/**
 * The lines that stand for contents without lines. Without the first of them, which names no object, git would pass over the file and apply the rest of a
 * patch; with it, git refuses all of it.
 */
export function binaryLines({ before, after }: PathPair): readonly string[] {
  return [
    "index 0000000..0000000",
    `Binary files ${sideName("a", before)} and ${sideName("b", after)} differ`,
  ];
}

function sideName(prefix: "a" | "b", side: DiffSide | undefined): string {
  return side === undefined ? "/dev/null" : quoteName(`${prefix}/${side.path}`);
}
