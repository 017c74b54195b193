import * as z from "zod";

/** A text file, read whole. */
export interface TextFile {
  /** Its path. */
  readonly path: string;
  /** Its text without a byte order mark; line ends as they are. */
  readonly text: string;
  /** Names its bytes; what a change passes as `revision`. */
  readonly revision: string;
  /** Lines of the whole file. */
  readonly lineCount: number;
  /** Bytes of the whole file. */
  readonly byteLength: number;
  /** What the bytes are; `"unknown-8bit"`: neither UTF-8 nor binary. */
  readonly encoding: "utf-8" | "latin1" | "unknown-8bit";
  /** Whether the bytes begin with a UTF-8 byte order mark. */
  readonly bom: boolean;
  /** How its lines end. */
  readonly lineEnding: "lf" | "crlf" | "mixed" | "none";
  /** Whether it may be run. */
  readonly executable: boolean;
}

/** Some lines of a text file; `text` holds these lines, all else describes the whole file. */
export interface TextPage extends TextFile {
  /** First line given, from 1; 1 in an empty file. */
  readonly startLine: number;
  /** Last line given; `startLine - 1` when there is none. */
  readonly endLine: number;
  /** Where the next page begins; left out at the end of what was asked. */
  readonly nextStartLine?: number;
  /** What cut the page short; left out when nothing did. */
  readonly truncatedBy?: "lines" | "bytes";
}

/** A file's bytes. */
export interface BinaryFile {
  /** Its path. */
  readonly path: string;
  /** Its bytes; the caller's own copy. */
  readonly bytes: Uint8Array;
  /** Names its bytes. */
  readonly revision: string;
  /** Whether it may be run. */
  readonly executable: boolean;
}

/** What is at a path. */
export interface FileStat {
  /** The path. */
  readonly path: string;
  /** File, folder or symbolic link. */
  readonly kind: "file" | "directory" | "symlink";
  /** Length of the bytes; 0 for a folder. */
  readonly byteLength: number;
  /** When it was asked for: of a file its revision, of a folder a digest of the paths and revisions below it. */
  readonly revision?: string;
  /** Whether it may be run; false for a folder. */
  readonly executable: boolean;
}

/** One entry of a listing. */
export interface ListedEntry {
  /** Its path. */
  readonly path: string;
  /** File, folder or symbolic link. */
  readonly kind: "file" | "directory" | "symlink";
  /** Length of the bytes; 0 for a folder. */
  readonly byteLength: number;
}

/** A line that holds the text that was searched for. */
export interface SearchMatch {
  /** The file. */
  readonly path: string;
  /** The line, from 1. */
  readonly line: number;
  /** Where the text first occurs in the line, in UTF-16 code units from 1. */
  readonly column: number;
  /** The line without its end. */
  readonly text: string;
  /** The lines before it, as many as `context` says and there are. */
  readonly before: readonly string[];
  /** The lines after it. */
  readonly after: readonly string[];
}

export const textFileSchema = z.object({
  path: z.string(),
  text: z.string(),
  revision: z.string().describe("Names the whole file's bytes; pass it with the next change."),
  lineCount: z.int().describe("Lines of the whole file."),
  byteLength: z.int().describe("Bytes of the whole file."),
  encoding: z.enum(["utf-8", "latin1", "unknown-8bit"]),
  bom: z.boolean(),
  lineEnding: z.enum(["lf", "crlf", "mixed", "none"]),
  executable: z.boolean(),
});

export const textPageSchema = textFileSchema.extend({
  startLine: z.int(),
  endLine: z.int(),
  nextStartLine: z.int().optional().describe("Where the next page begins."),
  truncatedBy: z.enum(["lines", "bytes"]).optional().describe("What cut the page short."),
});

export const listedEntrySchema = z.object({
  path: z.string(),
  kind: z.enum(["file", "directory", "symlink"]),
  byteLength: z.int(),
});

export const searchMatchSchema = z.object({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  text: z.string(),
  before: z.array(z.string()),
  after: z.array(z.string()),
});
