import { type NamePair, readFileName, readGitNames, withoutPrefixes } from "./file-names.ts";
import type { PatchReader } from "./patch-reader.ts";
import { PatchSyntaxError } from "./patch-section.ts";

/** What the lines between `diff --git` and the hunks of one file say. */
export interface GitHeader {
  /** The names of the first line without prefixes, when they can be told apart. */
  readonly names?: NamePair | undefined;
  /** The source of a rename or copy. */
  from?: string;
  /** The target of a rename or copy. */
  to?: string;
  copies: boolean;
  creates: boolean;
  deletes: boolean;
  executable?: boolean;
}

const gitLine = "diff --git ";

/** Says whether a line begins one file of a git diff. */
export function isGitLine(line: string): boolean {
  return line.startsWith(gitLine);
}

/** Reads the header of one file of a git diff, up to its hunks. */
export function readGitHeader(reader: PatchReader): GitHeader {
  const { number } = reader;
  const names = readGitNames(reader.next().slice(gitLine.length), number);
  const header: GitHeader = {
    names: names === undefined ? undefined : withoutPrefixes(names),
    copies: false,
    creates: false,
    deletes: false,
  };
  while (reader.line !== undefined && readField(header, reader.line, reader.number)) reader.next();
  return header;
}

/** Takes in one line; says whether it belongs to the header. */
function readField(header: GitHeader, text: string, line: number): boolean {
  const found =
    /^(old mode|new mode|deleted file mode|new file mode|copy from|copy to|rename from|rename to|similarity index|dissimilarity index|index) /.exec(
      text,
    );
  if (found === null) return false;
  const value = text.slice(found[0].length);
  switch (found[1]) {
    case "new mode":
      header.executable = isExecutable(value, line);
      break;
    case "new file mode":
      header.creates = true;
      header.executable = isExecutable(value, line);
      break;
    case "old mode":
      isExecutable(value, line);
      break;
    case "deleted file mode":
      header.deletes = true;
      isExecutable(value, line);
      break;
    case "copy from":
    case "rename from":
      header.from = readFileName(value, line);
      break;
    case "copy to":
    case "rename to":
      header.copies = found[1] === "copy to";
      header.to = readFileName(value, line);
      break;
  }
  return true;
}

function isExecutable(mode: string, line: number): boolean {
  if (/^100[67](?:44|55|64|75)$/.test(mode)) return mode.startsWith("1007");
  const kinds: Readonly<Record<string, string>> = { "120000": "a symbolic link", "160000": "a submodule" };
  const what = kinds[mode] ?? "something unknown";
  throw new PatchSyntaxError(
    line,
    `has the mode ${JSON.stringify(mode.slice(0, 16))}, ${what}; only the modes 100644 and 100755 of files are supported. Leave this file out.`,
  );
}
