import { timeSlice } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { SearchOptions } from "../schema/list-options.ts";
import type { SearchMatch } from "../schema/read-results.ts";
import { decodeText } from "../text/decode-text.ts";
import { openDocument } from "../text/text-document.ts";
import { matchingLines, textFinder } from "./matching-lines.ts";
import { type PathFilter, pathFilter } from "./path-filter.ts";
import { readStored } from "./read-stored.ts";
import { walkTree } from "./walk-tree.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Files that are read ahead of the one that is searched. */
const readAhead = 8;

/**
 * Searches text files as `FileView.search` promises; the options have been checked. Binary files and those beyond the limit `textBytes` are passed
 * over; bytes that are not UTF-8 are taken for one character each.
 */
export async function* searchText(
  context: ViewContext,
  wanted: string,
  options: SearchOptions,
): AsyncGenerator<SearchMatch, void, undefined> {
  if (wanted === "" || wanted.includes("\n"))
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `"text" must be part of one line, but ${wanted === "" ? "is empty" : "holds a line end"}.`,
    });
  const filter = pathFilter(options);
  const find = textFinder(wanted, options.ignoreCase === true);
  const { context: around = 0, limit = Number.POSITIVE_INFINITY, signal } = options;
  const pause = timeSlice({ signal });
  let given = 0;
  for await (const { path, text } of readTexts(context, filter, { signal, pause })) {
    for (const match of matchingLines(text, find, around)) {
      const waiting = pause();
      if (waiting !== undefined) await waiting;
      if (match === undefined) continue;
      yield { path, ...match };
      given += 1;
      if (given >= limit) return;
    }
  }
}

interface FileText {
  readonly path: string;
  readonly text: string;
}

interface ReadContext {
  readonly signal: AbortSignal | undefined;
  readonly pause: () => Promise<void> | undefined;
}

/** Gives the text files of the workspace in their order, some of them being read while earlier ones are looked at. */
async function* readTexts(
  context: ViewContext,
  filter: PathFilter,
  read: ReadContext,
): AsyncGenerator<FileText, void, undefined> {
  const ahead: Promise<FileText | undefined>[] = [];
  const skips = (folder: string) => filter.excludes(folder);
  try {
    for await (const { path, kind, byteLength } of walkTree(context.files, {
      signal: read.signal,
      under: "",
      skips,
    })) {
      const isWanted = kind === "file" && byteLength <= context.limits.textBytes;
      if (!isWanted || !filter.accepts(path) || filter.excludes(path)) continue;
      ahead.push(readFileText(context, path, read));
      if (ahead.length < readAhead) continue;
      const text = await ahead.shift();
      if (text !== undefined) yield text;
    }
    for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
      const text = await next;
      if (text !== undefined) yield text;
    }
  } finally {
    await Promise.allSettled(ahead);
  }
}

async function readFileText(
  context: ViewContext,
  path: string,
  { signal, pause }: ReadContext,
): Promise<FileText | undefined> {
  // It may have grown since it was listed.
  const stored = await readStored(context, path, { signal, limit: "textBytes" }).catch((error: unknown) => {
    if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
  });
  if (stored?.kind !== "file") return undefined;
  const document = await driveSteps(openDocument(stored.bytes), pause);
  if (document.kind === "binary") return undefined;
  const encoding = document.encoding === "utf-8" ? "utf-8" : "latin1";
  const { text } = await driveSteps(decodeText(document, encoding), pause);
  return text === undefined ? undefined : { path, text };
}
