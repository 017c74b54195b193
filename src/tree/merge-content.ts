import type { Steps } from "../base/steps.ts";
import { type MergeTexts, mergedBytes, mergeText, type TextMerge } from "../text/merge-text.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import type { FileState } from "./file-state.ts";
import type { MergeInput, MergeOptions } from "./merge.ts";

/** What the parts of a merge share. */
export interface MergeContext {
  readonly input: MergeInput;
  readonly options: MergeOptions;
}

/** Three texts with their merge. */
export interface LineMerge {
  readonly texts: MergeTexts;
  readonly merge: TextMerge;
}

/** The merge of two contents, or why there is none. */
export type ContentMerge =
  | { readonly bytes: Uint8Array; readonly refusal?: undefined }
  | { readonly bytes?: undefined; readonly refusal: "lines"; readonly lines: LineMerge }
  | { readonly bytes?: undefined; readonly refusal: "symlink" | "binary" | "bytesUnknown" | "tooLong" };

const emptyDocument: TextDocument = {
  kind: "text",
  bytes: new Uint8Array(),
  bomLength: 0,
  encoding: "utf-8",
  lineCount: 0,
  lineStarts: new Uint32Array(1),
  lineEnding: "none",
};

/** Merges what two sides made of a file by its lines; without a base both made it anew. */
export function* mergeContents(
  context: MergeContext,
  base: FileState | undefined,
  current: FileState,
  incoming: FileState,
): Steps<ContentMerge> {
  const states = [base, current, incoming];
  if (states.some((state) => state?.kind === "symlink")) return { refusal: "symlink" };
  if (states.some((state) => (state?.byteLength ?? 0) > context.options.textBytes))
    return { refusal: "tooLong" };
  const documents: TextDocument[] = [];
  for (const state of states) {
    const document = state === undefined ? emptyDocument : yield* documentOf(context, state);
    if (document === undefined) return { refusal: "bytesUnknown" };
    if (document === "binary") return { refusal: "binary" };
    documents.push(document);
  }
  const texts = { base: documents[0], current: documents[1], incoming: documents[2] } as MergeTexts;
  const merge = yield* mergeText(texts.base, texts.current, texts.incoming);
  if (merge.conflicts > 0) return { refusal: "lines", lines: { texts, merge } };
  return { bytes: yield* mergedBytes(merge, texts) };
}

/** The text of a file; `undefined` when its bytes are not known. */
function* documentOf({ input }: MergeContext, state: FileState): Steps<TextDocument | "binary" | undefined> {
  const bytes = input.contents.get(state.contentId);
  if (bytes === undefined) return undefined;
  const document = yield* openDocument(bytes);
  return document.kind === "text" ? document : "binary";
}
