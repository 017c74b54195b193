import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { trimBoth } from "./line-grades.ts";
import type { PatchReader } from "./patch-reader.ts";
import { type PatchHunk, type PatchLine, PatchSyntaxError } from "./patch-section.ts";

/** How the hunks of a patch may look. */
export interface HunkForm {
  /** Whether another file may follow in the same patch, which then begins with `---` and `+++`: headers must count their lines. */
  readonly counted: boolean;
  /** Whether the hunk may begin without an `@@` line: only the first of a file may. */
  readonly headless: boolean;
}

interface Header {
  readonly anchors: string[];
  numbers?: { readonly start: number; readonly old: number; readonly new: number };
}

interface Body {
  readonly lines: PatchLine[];
  /** Lines of the old and of the new text. */
  old: number;
  new: number;
  /** Lines at the end that are wholly empty, without even a blank. */
  bare: number;
  oldOpen: boolean;
  newOpen: boolean;
  /** Whether a line could also be the header of another file. */
  hasHeader: boolean;
}

const numbersPattern = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@(?: |$)/;

/** Says whether the next line and the one after are the header of a file in a unified diff. */
export function isFileHeader(reader: PatchReader): boolean {
  return reader.line?.startsWith("--- ") === true && reader.following(4) === "+++ ";
}

/** Reads one hunk: its `@@` lines, if it has any, and its body. */
export function* readHunk(reader: PatchReader, form: HunkForm): Steps<PatchHunk> {
  const line = reader.number;
  if (!form.headless && reader.line?.startsWith("@@") !== true)
    throw new PatchSyntaxError(
      line,
      "belongs to no hunk: the one before it has all the lines that it counts; correct its counts, or begin a hunk with @@.",
    );
  const header = readHeader(reader);
  if (form.counted && header.numbers === undefined)
    throw new PatchSyntaxError(
      line,
      "begins a hunk that does not count its lines, so it is not certain where the file ends; write @@ -start,count +start,count @@.",
    );
  const body = yield* readBody(reader, header);
  const { lines, oldOpen, newOpen } = body;
  const { numbers, anchors } = header;
  const miscounted = numbers !== undefined && (body.old !== numbers.old || body.new !== numbers.new);
  if (miscounted && body.hasHeader)
    throw new PatchSyntaxError(
      line,
      `counts ${numbers.old} old and ${numbers.new} new lines, but the hunk has ${body.old} and ${body.new}, and one of them may be the header of another file; correct the counts.`,
    );
  if (numbers === undefined || miscounted) lines.splice(lines.length - body.bare);
  if (!lines.some(({ kind }) => kind !== " "))
    throw new PatchSyntaxError(line, "begins a hunk without any - or + line; give it one, or leave it out.");
  const atEnd = reader.line === "*** End of File";
  if (atEnd) reader.next();
  const oldStart = numbers === undefined ? {} : { oldStart: numbers.start };
  return { line, anchors, ...oldStart, lines, atEnd, oldOpen, newOpen, miscounted };
}

function readHeader(reader: PatchReader): Header {
  const header: Header = { anchors: [] };
  while (reader.line?.startsWith("@@") === true) {
    const { number } = reader;
    const text = reader.next();
    if (text.startsWith("@@@"))
      throw new PatchSyntaxError(
        number,
        "begins a hunk of a combined diff (@@@), which is not supported; make a diff against one parent.",
      );
    const found = numbersPattern.exec(text);
    if (found !== null) {
      const [start, old = 1, , added = 1] = found
        .slice(1)
        .map((digits) => (digits ? Number(digits) : undefined));
      header.numbers = { start: start ?? 0, old, new: added };
      break;
    }
    if (/^@@\s*-\d/.test(text))
      throw new PatchSyntaxError(number, "is not a hunk header of the form @@ -start,count +start,count @@.");
    const anchor = trimBoth(text.slice(2));
    if (anchor !== "") header.anchors.push(anchor);
  }
  return header;
}

function* readBody(reader: PatchReader, { numbers }: Header): Steps<Body> {
  const due = workCounter();
  const body: Body = {
    lines: [],
    old: 0,
    new: 0,
    bare: 0,
    oldOpen: false,
    newOpen: false,
    hasHeader: false,
  };
  for (let text = reader.line; text !== undefined; text = reader.line) {
    if (due(1 + (text.length >> 10))) yield;
    if (text.startsWith("\\ ")) {
      readMarker(reader, body);
      continue;
    }
    const isComplete = numbers !== undefined && body.old === numbers.old && body.new === numbers.new;
    if (isComplete && (text === "" || isFileHeader(reader))) break;
    if (isComplete && text === "-- ")
      throw new PatchSyntaxError(reader.number, "begins the signature of a mail; leave it out.");
    const kind = text === "" ? " " : text[0];
    if (kind !== " " && kind !== "-" && kind !== "+") break;
    if (isFileHeader(reader)) body.hasHeader = true;
    addLine(reader, body, { kind, text: text.slice(1), crlf: reader.crlf });
    body.bare = text === "" ? body.bare + 1 : 0;
    reader.next();
  }
  return body;
}

function addLine({ number }: PatchReader, body: Body, line: PatchLine): void {
  const { kind } = line;
  if ((body.oldOpen && kind !== "+") || (body.newOpen && kind !== "-"))
    throw new PatchSyntaxError(number, 'follows the last line of the file, which "\\ No newline" marks.');
  if (kind !== "+") body.old++;
  if (kind !== "-") body.new++;
  body.lines.push(line);
}

/** The line before the marker is the last of its side, and has no line end. */
function readMarker(reader: PatchReader, body: Body): void {
  const kind = body.lines.at(-1)?.kind;
  if (kind === undefined)
    throw new PatchSyntaxError(reader.number, 'is a "\\ No newline" marker with no line before it.');
  if (kind !== "+") body.oldOpen = true;
  if (kind !== "-") body.newOpen = true;
  reader.next();
}
