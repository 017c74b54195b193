import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import type { PatchReader } from "./patch-reader.ts";
import { type PatchHunk, type PatchLine, type PatchSection, PatchSyntaxError } from "./patch-section.ts";
import { readHunk } from "./read-hunk.ts";

const begin = "*** Begin Patch";
const end = "*** End Patch";

/** Says whether a line begins an envelope, or a section of one. */
export function beginsEnvelope(line: string): boolean {
  return line === begin || /^\*\*\* (?:Add|Update|Delete) File: /.test(line);
}

/**
 * Reads a patch in the envelope form: `*** Begin Patch`, sections that begin with `*** Add File: `, `*** Update File: ` or `*** Delete File: `, `*** End Patch`.
 *
 * @param bare - Whether the first and last line may be left out.
 */
export function* parseEnvelope(reader: PatchReader, bare: boolean): Steps<readonly PatchSection[]> {
  const due = workCounter();
  const sections: PatchSection[] = [];
  const isBare = bare && reader.line !== begin;
  if (!isBare) reader.next();
  for (let line = reader.line; line !== undefined; line = reader.line) {
    if (due(16)) yield;
    if (line === "") reader.next();
    else if (line === end && !isBare) {
      reader.next();
      refuseRest(reader);
      return sections;
    } else sections.push(yield* readSection(reader, line));
  }
  if (isBare) return sections;
  throw new PatchSyntaxError(reader.number, `is missing: the patch ends before "${end}"; give it whole.`);
}

function refuseRest(reader: PatchReader): void {
  while (reader.line === "") reader.next();
  if (reader.line !== undefined)
    throw new PatchSyntaxError(
      reader.number,
      `stands after "${end}"; leave out what is no part of the patch.`,
    );
}

function* readSection(reader: PatchReader, header: string): Steps<PatchSection> {
  const line = reader.number;
  const path = nameIn(header, "Add File") ?? nameIn(header, "Update File") ?? nameIn(header, "Delete File");
  if (path === undefined)
    throw new PatchSyntaxError(
      line,
      'is not understood; a line of a hunk begins with a blank, - or +, and a section with "*** Add File: ", "*** Update File: " or "*** Delete File: ".',
    );
  reader.next();
  if (header.startsWith("*** Add"))
    return { line, operation: "create", path, hunks: yield* readAddedLines(reader) };
  if (header.startsWith("*** Delete")) return { line, operation: "delete", path, hunks: [] };
  const target = nameIn(reader.line ?? "", "Move to");
  if (target !== undefined) reader.next();
  const hunks: PatchHunk[] = [];
  for (;;) {
    while (reader.line === "") reader.next();
    if (reader.line === undefined || reader.line.startsWith("*** ")) break;
    hunks.push(yield* readHunk(reader, { counted: false, headless: hunks.length === 0 }));
  }
  const destination = target === undefined || target === path ? {} : { destination: target };
  if (hunks.length === 0 && target === undefined)
    throw new PatchSyntaxError(line, "updates a file without any hunk; give one, or leave the section out.");
  return { line, operation: "update", path, ...destination, hunks };
}

function* readAddedLines(reader: PatchReader): Steps<readonly PatchHunk[]> {
  const due = workCounter();
  const { number } = reader;
  const lines: PatchLine[] = [];
  for (let text = reader.line; text?.startsWith("+") === true; text = reader.line) {
    if (due(1 + (text.length >> 10))) yield;
    lines.push({ kind: "+", text: text.slice(1), crlf: reader.crlf });
    reader.next();
  }
  const rest = { anchors: [], atEnd: false, oldOpen: false, newOpen: false, miscounted: false };
  return lines.length === 0 ? [] : [{ line: number, lines, ...rest }];
}

function nameIn(header: string, keyword: string): string | undefined {
  const start = `*** ${keyword}: `;
  return header.startsWith(start) && header.length > start.length ? header.slice(start.length) : undefined;
}
