/** Replaces whole lines. */
export interface ReplaceEdit {
  /** What it does. */
  readonly op: "replace";
  /** First line to replace, from 1. */
  readonly startLine: number;
  /** Last line to replace. Default: `startLine`. */
  readonly endLine?: number | undefined;
  /** The new lines. `""` is no line; a trailing newline adds an empty line. */
  readonly content: string;
}

/** Deletes whole lines. */
export interface DeleteEdit {
  /** What it does. */
  readonly op: "delete";
  /** First line to delete, from 1. */
  readonly startLine: number;
  /** Last line to delete. Default: `startLine`. */
  readonly endLine?: number | undefined;
}

/** Inserts whole lines beside a line. */
export interface InsertEdit {
  /** After or before the named line. */
  readonly op: "insert_after" | "insert_before";
  /** `insert_after`: 0 (the start of the file) to the line count. `insert_before`: 1 to the line count + 1. */
  readonly line: number;
  /** The new lines. */
  readonly content: string;
}

/** Adds whole lines at the end. */
export interface AppendEdit {
  /** What it does. */
  readonly op: "append";
  /** The new lines. */
  readonly content: string;
}

/** Replaces literal text; the text itself is the guard, so no revision is needed. */
export interface ReplaceTextEdit {
  /** What it does. */
  readonly op: "replace_text";
  /** The exact text; line ends are matched whatever their kind. Never empty. */
  readonly oldText: string;
  /** What stands there afterwards; taken literally. */
  readonly newText: string;
  /** How often the text must occur; all are replaced. Default: 1. */
  readonly occurrences?: number | undefined;
  /** Replaces every occurrence, however many (at least one). Default: false. */
  readonly replaceAll?: boolean | undefined;
}

/** One edit of a file's lines or text. All line numbers of one call refer to the file as it was read. */
export type Edit = ReplaceEdit | DeleteEdit | InsertEdit | AppendEdit | ReplaceTextEdit;
