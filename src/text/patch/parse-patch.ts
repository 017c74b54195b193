import type { Problem } from "../../base/holdfast-error.ts";
import type { Steps } from "../../base/steps.ts";
import { beginsEnvelope, parseEnvelope } from "./envelope.ts";
import { PatchReader } from "./patch-reader.ts";
import { type PatchHunk, type PatchSection, PatchSyntaxError } from "./patch-section.ts";
import { readHunk } from "./read-hunk.ts";
import { beginsUnified, parseUnified } from "./unified.ts";

/** What a patch says, or the first line of it that is not understood. */
export type ParsedPatch<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** Reads a patch of any number of files: an envelope, or unified diffs. Sections of one file that follow each other are joined. */
export function* parsePatch(text: string): Steps<ParsedPatch<readonly PatchSection[]>> {
  return yield* caught(function* () {
    const reader = begin(text);
    const sections = beginsEnvelope(reader.line ?? "")
      ? yield* parseEnvelope(reader, false)
      : yield* parseUnified(reader, false);
    if (sections.length === 0)
      throw new PatchSyntaxError(reader.number, "is missing: the patch names no file.");
    return joinSections(sections);
  });
}

/** Reads a patch of one file: hunks alone, or with headers as {@link parsePatch} takes them; the first and last line of an envelope may be left out. */
export function* parseFilePatch(text: string): Steps<ParsedPatch<PatchSection | readonly PatchHunk[]>> {
  return yield* caught(function* () {
    const reader = begin(text);
    const isEnvelope = beginsEnvelope(reader.line ?? "");
    if (!isEnvelope && !beginsUnified(reader)) return yield* readHunks(reader);
    const sections = joinSections(
      isEnvelope ? yield* parseEnvelope(reader, true) : yield* parseUnified(reader, true),
    );
    const [section, second] = sections;
    if (section === undefined)
      throw new PatchSyntaxError(reader.number, "is missing: the patch names no file.");
    if (second !== undefined)
      throw new PatchSyntaxError(
        second.line,
        "begins another file, and this patch is of one; use applyPatch, or one change for each file.",
      );
    return section;
  });
}

function begin(text: string): PatchReader {
  const reader = new PatchReader(text);
  while (reader.line === "") reader.next();
  return reader;
}

function* readHunks(reader: PatchReader): Steps<readonly PatchHunk[]> {
  const hunks: PatchHunk[] = [];
  while (reader.line !== undefined) {
    if (!/^(?:@@|[ +\\-]|$)/.test(reader.line))
      throw new PatchSyntaxError(
        reader.number,
        "is not understood; a hunk begins with @@, and its lines with a blank, - or +.",
      );
    hunks.push(yield* readHunk(reader, { counted: false, headless: hunks.length === 0 }));
    while (reader.line === "") reader.next();
  }
  if (hunks.length === 0) throw new PatchSyntaxError(1, "is missing: the patch has no hunk.");
  return hunks;
}

/** Joins plain updates of one file that follow each other: their hunks stand in the order of the file, as those of one section do. */
function joinSections(sections: readonly PatchSection[]): readonly PatchSection[] {
  const joined: (PatchSection & { readonly hunks: PatchHunk[] })[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    const goesOn = last !== undefined && isPlainUpdate(last) && isPlainUpdate(section);
    if (goesOn && last.path === section.path) for (const hunk of section.hunks) last.hunks.push(hunk);
    else joined.push({ ...section, hunks: [...section.hunks] });
  }
  return joined;
}

function isPlainUpdate({ operation, destination, executable }: PatchSection): boolean {
  return operation === "update" && destination === undefined && executable === undefined;
}

function* caught<T>(parse: () => Steps<T>): Steps<ParsedPatch<T>> {
  try {
    return { value: yield* parse() };
  } catch (error) {
    if (!(error instanceof PatchSyntaxError)) throw error;
    const { message, line } = error;
    return { problem: { code: "PATCH_INVALID", message, details: { line } } };
  }
}
