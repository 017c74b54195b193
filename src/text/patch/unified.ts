import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { type NamePair, noFile, readFileName, withoutPrefixes } from "./file-names.ts";
import { type GitHeader, isGitLine, readGitHeader } from "./git-header.ts";
import type { PatchReader } from "./patch-reader.ts";
import { type PatchHunk, type PatchSection, PatchSyntaxError } from "./patch-section.ts";
import { isFileHeader, readHunk } from "./read-hunk.ts";

/** Says whether a patch begins, at its next line, as a unified diff with file headers does. */
export function beginsUnified(reader: PatchReader): boolean {
  return isFileHeader(reader) || /^(?:diff |Index: )/.test(reader.line ?? "");
}

/**
 * Reads unified diffs, those of git included.
 *
 * @param single - Whether the patch is of one file, so that hunks need not count their lines.
 */
export function* parseUnified(reader: PatchReader, single: boolean): Steps<readonly PatchSection[]> {
  const due = workCounter();
  const sections: PatchSection[] = [];
  for (let line = reader.line; line !== undefined; line = reader.line) {
    if (due(16)) yield;
    refuseByName(line, reader.number);
    if (isGitLine(line)) sections.push(yield* readGitSection(reader, single));
    else if (isFileHeader(reader)) sections.push(yield* readPlainSection(reader, single));
    else if (line === "" || /^(?:Index: |={3,}$|diff -)/.test(line)) reader.next();
    else refuseLine(reader.number, line);
  }
  return sections;
}

/** Refuses forms of diffs that are known and not supported. */
function refuseByName(line: string, number: number): void {
  if (/^diff --(?:cc|combined) /.test(line))
    throw new PatchSyntaxError(
      number,
      "begins a combined diff, which is not supported; make a diff against one parent.",
    );
  if (line === "GIT binary patch" || /^Binary files .* differ$/.test(line))
    throw new PatchSyntaxError(
      number,
      "stands for changes of a binary file (GIT binary patch, Binary files differ), which are not supported; write the file whole.",
    );
}

function refuseLine(number: number, line: string): never {
  const what = line.startsWith("@@")
    ? "begins a hunk where no file has been named, or that does not belong to the hunk before it"
    : "is not understood: it belongs to no hunk and is no header of a file";
  throw new PatchSyntaxError(
    number,
    `${what}; correct the hunk before it, or leave out what is no part of the diff.`,
  );
}

function* readHunks(reader: PatchReader, single: boolean): Steps<readonly PatchHunk[]> {
  const hunks: PatchHunk[] = [];
  while (reader.line?.startsWith("@@") === true)
    hunks.push(yield* readHunk(reader, { counted: !single, headless: false }));
  return hunks;
}

/** The two names that stand before the hunks; times and prefixes are taken off. */
function readNames(reader: PatchReader): NamePair {
  const { number } = reader;
  const old = readFileName(reader.next().slice(4), number);
  const now = readFileName(reader.next().slice(4), number + 1);
  return withoutPrefixes([old, now]);
}

function* readPlainSection(reader: PatchReader, single: boolean): Steps<PatchSection> {
  const line = reader.number;
  const [old, now] = readNames(reader);
  const hunks = yield* readHunks(reader, single);
  if (hunks.length === 0) throw new PatchSyntaxError(line, "names a file without any hunk; leave it out.");
  if (old === noFile && now === noFile) throw new PatchSyntaxError(line, "names no file on either side.");
  if (old === noFile) return created({ line, path: now, hunks });
  if (now === noFile) return deleted({ line, path: old, hunks });
  if (old !== now)
    throw new PatchSyntaxError(
      line,
      `names two files, ${show(old)} and ${show(now)}; give both sides one name, or say that it is a rename as git does ("rename from", "rename to").`,
    );
  return { line, operation: "update", path: now, hunks };
}

function* readGitSection(reader: PatchReader, single: boolean): Steps<PatchSection> {
  const line = reader.number;
  const header = readGitHeader(reader);
  refuseByName(reader.line ?? "", reader.number);
  const named = isFileHeader(reader);
  const headerLine = reader.number;
  const names = named ? readNames(reader) : undefined;
  const hunks = named ? yield* readHunks(reader, single) : [];
  const [old, now] = namesOf(header, names, line);
  if (names !== undefined && !(agree(names[0], old, header.creates) && agree(names[1], now, header.deletes)))
    throw new PatchSyntaxError(
      headerLine,
      `names another file than the lines above it, which name ${show(old)}${old === now ? "" : ` and ${show(now)}`}.`,
    );
  const mode = header.executable === undefined ? {} : { executable: header.executable };
  if (header.creates) return { ...created({ line, path: now, hunks }), ...mode };
  if (header.deletes) return deleted({ line, path: old, hunks });
  const moved = header.from === undefined ? {} : { destination: now, copies: header.copies };
  if (hunks.length === 0 && header.from === undefined && header.executable === undefined)
    throw new PatchSyntaxError(line, "names a file without any change; leave it out.");
  return { line, operation: "update", path: old, ...moved, ...mode, hunks };
}

function namesOf(header: GitHeader, names: NamePair | undefined, line: number): NamePair {
  const { from, to } = header;
  if ((from === undefined) !== (to === undefined))
    throw new PatchSyntaxError(line, 'begins a rename or copy that lacks its "from" or its "to" line.');
  if (from !== undefined && to !== undefined) {
    if (from === to) throw new PatchSyntaxError(line, "renames or copies a file onto itself.");
    return [from, to];
  }
  if (header.names !== undefined && header.names[0] === header.names[1]) return header.names;
  const name = names?.find((one) => one !== noFile);
  if (name !== undefined) return [name, name];
  throw new PatchSyntaxError(line, "names two files and does not say that it is a rename or a copy.");
}

/** Whether a name before the hunks is that of the header; `/dev/null` stands for a side that is not there, which only a header can say. */
function agree(name: string, path: string, isMissing: boolean): boolean {
  if (name === noFile) return isMissing;
  return !isMissing && (name === path || (name[1] === "/" && name.slice(2) === path));
}

function created(section: Omit<PatchSection, "operation">): PatchSection {
  const stray = section.hunks[1] ?? section.hunks.find(({ lines }) => lines.some(({ kind }) => kind !== "+"));
  if (stray !== undefined)
    throw new PatchSyntaxError(
      stray.line,
      "begins a hunk that a new file cannot have: one hunk, all of whose lines begin with +.",
    );
  return { ...section, operation: "create" };
}

function deleted(section: Omit<PatchSection, "operation">): PatchSection {
  const stray = section.hunks[1] ?? section.hunks.find(({ lines }) => lines.some(({ kind }) => kind !== "-"));
  if (stray !== undefined)
    throw new PatchSyntaxError(
      stray.line,
      "begins a hunk that a deleted file cannot have: one hunk, all of whose lines begin with -.",
    );
  return { ...section, operation: "delete", checked: true };
}

function show(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200)}…` : name);
}
