import type { Steps } from "../base/steps.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import { type ChangedLines, changedLines } from "./changed-lines.ts";
import type { PlanContext } from "./plan-context.ts";

/** What a result tells about the lines of a file. */
export interface LineFacts extends ChangedLines {
  /** Lines of the new text; left out when it is none. */
  readonly totalLines?: number;
}

/** Opens bytes as text; `undefined` when there are none, they are binary, or larger than any text may be. */
export function* openText(
  context: PlanContext,
  bytes: Uint8Array | undefined,
): Steps<TextDocument | undefined> {
  if (bytes === undefined || bytes.byteLength > context.options.limits.textBytes) return undefined;
  const document = yield* openDocument(bytes);
  return document.kind === "text" ? document : undefined;
}

/** Tells how the lines of a file change when its bytes are replaced. */
export function* lineFacts(
  context: PlanContext,
  before: Uint8Array | undefined,
  after: Uint8Array | undefined,
): Steps<LineFacts> {
  const oldText = yield* openText(context, before);
  const newText = before === after ? oldText : yield* openText(context, after);
  const changed = yield* changedLines(oldText, newText);
  return { ...changed, ...(newText !== undefined && { totalLines: newText.lineCount }) };
}
