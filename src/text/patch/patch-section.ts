/** One line of a hunk. */
export interface PatchLine {
  /** A line that stays, goes or comes. */
  readonly kind: " " | "-" | "+";
  /** Its text, without line end. */
  readonly text: string;
  /** Whether the patch says that the line ends in CRLF; false in a patch that has CRLF everywhere, which says nothing. */
  readonly crlf: boolean;
}

/** One hunk: lines that stand together in the file, and what becomes of them. */
export interface PatchHunk {
  /** Line of the patch where it begins, from 1. */
  readonly line: number;
  /** Lines of the file that stand somewhere before it, the outermost first. */
  readonly anchors: readonly string[];
  /** The line that its header says it begins at, when that has numbers. */
  readonly oldStart?: number;
  /** Its lines, in order. */
  readonly lines: readonly PatchLine[];
  /** Whether its last line is the last of the file. */
  readonly atEnd: boolean;
  /** Whether the last line of the old text has no line end. */
  readonly oldOpen: boolean;
  /** Whether the last line of the new text has no line end. */
  readonly newOpen: boolean;
  /** Whether its header counts other numbers of lines than it has. */
  readonly miscounted: boolean;
}

/** What a patch does to one file. */
export interface PatchSection {
  /** Line of the patch where it begins, from 1. */
  readonly line: number;
  /** Makes the file, changes it (and moves or copies it when there is a destination), or deletes it. */
  readonly operation: "create" | "update" | "delete";
  /** The file, as the patch spells it. */
  readonly path: string;
  /** Where the changed file goes. */
  readonly destination?: string;
  /** Whether the file at `path` stays as it is when there is a destination. */
  readonly copies?: boolean;
  /** Whether the file may be run, when the patch says so. */
  readonly executable?: boolean;
  /** The hunks; of a new file one with all its lines, or none. */
  readonly hunks: readonly PatchHunk[];
  /** Whether a deletion says what the file holds, which is then checked. */
  readonly checked?: boolean;
}

/** A patch is not of a form that is understood. Thrown within the parsers alone; callers get a problem. */
export class PatchSyntaxError extends Error {
  /** Line of the patch, from 1. */
  readonly line: number;

  /** Names the line; the message says what is wrong and what to do. */
  constructor(line: number, message: string) {
    super(`Line ${line} of the patch ${message}`);
    this.line = line;
  }
}

/** The lines of a hunk's old or new side. */
export function sideOf(hunk: PatchHunk, side: "-" | "+"): readonly PatchLine[] {
  return hunk.lines.filter(({ kind }) => kind === " " || kind === side);
}

/** The content of the file that a section makes. */
export function createdText({ hunks }: PatchSection): string {
  const [hunk] = hunks;
  if (hunk === undefined) return "";
  const text = hunk.lines.map((line) => line.text + (line.crlf ? "\r\n" : "\n")).join("");
  return hunk.newOpen ? text.replace(/\r?\n$/, "") : text;
}
