import { copyInSteps } from "../base/byte-steps.ts";
import { timeSlice } from "../base/clock.ts";
import { HoldfastError, type Problem, throwProblems } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { ReadLinesOptions, ReadOptions } from "../schema/read-options.ts";
import type { BinaryFile, TextFile, TextPage } from "../schema/read-results.ts";
import type { StoredFile } from "../storage/storage-adapter.ts";
import { type DecodedLines, decodeLines, decodeText } from "../text/decode-text.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import { choosePage } from "./choose-page.ts";
import { findFile } from "./find-file.ts";
import { isRevision, revisionOf } from "./fingerprint.ts";
import type { LengthLimit } from "./read-stored.ts";
import type { ViewContext } from "./workspace-context.ts";

/** A file's bytes and what they are called. */
interface LoadedBytes {
  readonly path: WorkspacePath;
  /** The path without links. */
  readonly realPath: string;
  readonly stored: StoredFile;
  readonly revision: string;
}

type Pause = () => Promise<void> | undefined;

/** Reads a whole text file as `FileView.read` promises. */
export async function readText(
  context: ViewContext,
  path: WorkspacePath,
  options: ReadOptions,
): Promise<TextFile> {
  const pause = timeSlice({ signal: options.signal });
  const loaded = await loadBytes(context, path, options, "textBytes", pause);
  remember(context, loaded);
  const document = await openText(loaded, pause);
  const decoded = await driveSteps(decodeText(document, options.encoding ?? "utf-8"), pause);
  if (decoded.problem !== undefined) refuseUndecodable(path, decoded.problem);
  return describeText(loaded, document, decoded.text, options);
}

/** Reads some lines of a text file as `FileView.readLines` promises. */
export async function readPage(
  context: ViewContext,
  path: WorkspacePath,
  options: ReadLinesOptions,
): Promise<TextPage> {
  const pause = timeSlice({ signal: options.signal });
  const loaded = await loadBytes(context, path, options, "textBytes", pause);
  remember(context, loaded);
  const document = await openText(loaded, pause);
  const page = choosePage(path, document.lineCount, options, context.limits);
  if (page.endLine < page.startLine) return { ...describeText(loaded, document, "", options), ...page };
  const encoding = options.encoding ?? "utf-8";
  const maxBytes = Math.min(options.maxBytes ?? context.limits.pageBytes, context.limits.pageBytes);
  const { startLine, endLine } = page;
  const decoded = await driveSteps(decodeLines(document, { startLine, endLine, encoding, maxBytes }), pause);
  if (decoded.problem !== undefined) refuseUndecodable(path, decoded.problem);
  return { ...describeText(loaded, document, decoded.text, options), startLine, ...endOfPage(page, decoded) };
}

/** Reads a file's bytes as `FileView.readBytes` promises. */
export async function readBinary(
  context: ViewContext,
  path: WorkspacePath,
  options: ReadOptions,
): Promise<BinaryFile> {
  const pause = timeSlice({ signal: options.signal });
  const loaded = await loadBytes(context, path, options, "binaryBytes", pause);
  const { stored, revision } = loaded;
  const { bytes, executable } = stored;
  // These bytes become the caller's own, so the others need a copy.
  if (context.reads?.takes(bytes) === true)
    remember(context, {
      ...loaded,
      stored: { ...stored, bytes: await driveSteps(copyInSteps(bytes), pause) },
    });
  return { path, bytes, revision, executable };
}

/** Keeps what was read, for changes that turn out to be based on it. */
function remember({ reads }: ViewContext, { realPath, revision, stored }: LoadedBytes): void {
  reads?.remember(realPath, revision, stored);
}

async function loadBytes(
  context: ViewContext,
  path: WorkspacePath,
  options: ReadOptions,
  limit: LengthLimit,
  pause: Pause,
): Promise<LoadedBytes> {
  const { signal, expectedRevision } = options;
  if (expectedRevision !== undefined && !isRevision(context, expectedRevision))
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `"expectedRevision" ${quotePath(expectedRevision)} does not have the form of a revision.`,
    });
  const { realPath, stored } = await findFile(context, path, { signal, limit });
  const revision = await revisionOf(context, stored.bytes, pause);
  if (expectedRevision !== undefined && expectedRevision !== revision) throw mismatch(path, expectedRevision);
  return { path, realPath, stored, revision };
}

function mismatch(path: string, expectedRevision: string): HoldfastError {
  return new HoldfastError("REVISION_MISMATCH", {
    message: `${quotePath(path)} is no longer at revision ${expectedRevision}; read it again from the start.`,
    details: { path, expectedRevision, changedBy: "unknown" },
  });
}

async function openText({ path, stored }: LoadedBytes, pause: Pause): Promise<TextDocument> {
  const document = await driveSteps(openDocument(stored.bytes), pause);
  if (document.kind === "text") return document;
  const why = document.binary === "nul" ? "it holds a NUL byte" : "it is UTF-16";
  throw new HoldfastError("BINARY_FILE", { message: `${quotePath(path)} is no text: ${why}.` });
}

function refuseUndecodable(path: string, problem: Problem): never {
  const details = { path, ...(problem.details as object | undefined) };
  throwProblems([{ ...problem, message: `${quotePath(path)}: ${problem.message}`, path, details }]);
}

function describeText(
  loaded: LoadedBytes,
  document: TextDocument,
  text: string,
  options: ReadOptions,
): TextFile {
  const { path, stored, revision } = loaded;
  return {
    path,
    text,
    revision,
    lineCount: document.lineCount,
    byteLength: stored.bytes.byteLength,
    encoding: options.encoding === "latin1" ? "latin1" : document.encoding,
    bom: document.bomLength > 0,
    lineEnding: document.lineEnding,
    executable: stored.executable,
  };
}

function endOfPage(
  page: ReturnType<typeof choosePage>,
  decoded: DecodedLines & { readonly text: string },
): Pick<TextPage, "endLine" | "nextStartLine" | "truncatedBy"> {
  const { endLine, cutInLine } = decoded;
  if (endLine >= page.endLine && !cutInLine) return page;
  const goesOn = endLine < page.endLine || page.nextStartLine !== undefined;
  return { endLine, ...(goesOn && { nextStartLine: endLine + 1 }), truncatedBy: "bytes" };
}
