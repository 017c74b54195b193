import { utf8LengthInSteps } from "../base/byte-steps.ts";
import { utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { PlannedChange } from "./change.ts";
import { exceededLimit, tooManyChanges, tooManyEdits } from "./exceeded-limit.ts";
import { isPut, namedPaths } from "./named-paths.ts";
import { type FileChange, type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";

const shortLength = 16 * 1024;
const textsPerStep = 1024;

/**
 * Checks what can be counted without looking at any file.
 *
 * @returns The indexes of changes that are too large to look into; `undefined` when the whole call is.
 */
export function* checkLimits(
  context: PlanContext,
  changes: readonly PlannedChange[],
): Steps<ReadonlySet<number> | undefined> {
  const { limits } = context.options;
  const tooLarge = new Set<number>();
  if (changes.length > limits.changes) {
    context.problems.push(tooManyChanges(limits.changes, changes.length));
    return undefined;
  }
  const due = workCounter();
  let requestBytes = 0;
  for (const [index, change] of changes.entries()) {
    const contentSize = "content" in change ? yield* sizeOf(change.content) : 0;
    requestBytes += contentSize + (yield* sizeOfRest(change));
    if (!checkChange(context, change, index, contentSize)) tooLarge.add(index);
    if (due()) yield;
  }
  if (requestBytes <= limits.requestBytes) return tooLarge;
  const details = { limit: "requestBytes", maximum: limits.requestBytes, actual: requestBytes } as const;
  context.problems.push(exceededLimit(details, { subject: "The call has", unit: "bytes" }));
  return undefined;
}

function checkChange(
  context: PlanContext,
  change: PlannedChange,
  index: number,
  contentSize: number,
): boolean {
  if ("content" in change) {
    const { path, content } = change;
    return checkFileSize(context, { index }, path, contentSize, typeof content === "string");
  }
  const count = "edits" in change ? (change.edits?.length ?? 0) : 0;
  const maximum = context.options.limits.editsPerChange;
  if (count <= maximum) return true;
  const { code, message, details } = tooManyEdits(maximum, count);
  refuse(context, { index }, code, change.path, message, details);
  return false;
}

/** Counts all but the content. */
function* sizeOfRest(change: PlannedChange): Steps<number> {
  let size = 0;
  for (const [index, text] of textsOf(change).entries()) {
    size += text.length <= shortLength ? utf8(text).byteLength : yield* utf8LengthInSteps(text);
    if (index % textsPerStep === textsPerStep - 1) yield;
  }
  return size;
}

function textsOf(change: PlannedChange): readonly string[] {
  const texts: string[] = [...namedPaths(change)];
  if ("patch" in change) texts.push(change.patch);
  for (const edit of "edits" in change ? (change.edits ?? []) : []) {
    if (edit.op === "replace_text") texts.push(edit.oldText, edit.newText);
    else if ("content" in edit) texts.push(edit.content);
  }
  return texts;
}

/** Checks the size of a file that is read or written as text, or as bytes. */
export function checkFileSize(
  context: PlanContext,
  step: { readonly index: number },
  path: string,
  size: number,
  asText: boolean,
): boolean {
  const limit = asText ? "textBytes" : "binaryBytes";
  const maximum = context.options.limits[limit];
  if (size <= maximum) return true;
  const words = { subject: `${quotePath(path)} has`, unit: "bytes" };
  const { code, message, details } = exceededLimit({ limit, maximum, actual: size }, words);
  refuse(context, step, code, path, message, details);
  return false;
}

/**
 * Checks that all that a step names could be read. Where a change needs nothing to be there, it is enough to know that something is: that is
 * refused as such.
 */
export function checkWereRead(context: PlanContext, index: number, change: FileChange): boolean {
  if (isCreation(change) || (change.action === "assert" && change.revision === null)) return true;
  let wereRead = true;
  for (const path of new Set(namedPaths(change))) {
    const { tooLong, byteLength } = context.view.file(path) ?? {};
    if (tooLong === undefined || byteLength === undefined) continue;
    wereRead = checkFileSize(context, { index }, path, byteLength, tooLong === "textBytes") && wereRead;
  }
  return wereRead;
}

/** Whether a change needs nothing to be at its path. */
function isCreation(change: FileChange): boolean {
  return change.action !== "write" && isPut(change);
}

function* sizeOf(content: string | Uint8Array): Steps<number> {
  return typeof content === "string" ? yield* utf8LengthInSteps(content) : content.byteLength;
}
