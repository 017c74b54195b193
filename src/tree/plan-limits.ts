import { utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import type { Edit } from "../text/edit.ts";
import type { Change } from "./change.ts";
import type { PlanOptions } from "./plan.ts";
import { type PlanContext, refuse } from "./plan-context.ts";
import { quotePath } from "./quote-path.ts";
import { workCounter } from "./work-counter.ts";

type LimitName = keyof PlanOptions["limits"];

/** Checks what can be counted without looking at any file. Says no more when there are too many changes to go through. */
export function* checkLimits(context: PlanContext, changes: readonly Change[]): Steps<boolean> {
  const due = workCounter();
  const { limits } = context.options;
  if (changes.length > limits.changes) {
    context.problems.push(exceeded("changes", limits.changes, changes.length, "The call has", "changes"));
    return false;
  }
  let requestBytes = 0;
  for (const [index, change] of changes.entries()) {
    const requestBefore = requestBytes;
    requestBytes +=
      "destination" in change ? sizeOf(change.path) + sizeOf(change.destination) : sizeOf(change.path);
    const edits = "edits" in change ? (change.edits ?? []) : [];
    if (edits.length > limits.editsPerChange)
      context.problems.push({
        ...exceeded("editsPerChange", limits.editsPerChange, edits.length, "The change has", "edits"),
        changeIndex: index,
        path: change.path,
      });
    for (const edit of edits) requestBytes += sizeOfEdit(edit);
    if ("content" in change) {
      const size = sizeOf(change.content);
      requestBytes += size;
      checkFileSize(context, { index }, change.path, size, typeof change.content === "string");
    }
    if (due(1 + ((requestBytes - requestBefore) >> 10))) yield;
  }
  if (requestBytes > limits.requestBytes)
    context.problems.push(
      exceeded("requestBytes", limits.requestBytes, requestBytes, "The call has", "bytes"),
    );
  return true;
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
  const { code, message, details } = exceeded(limit, maximum, size, `${quotePath(path)} has`, "bytes");
  refuse(context, step, code, path, message, details);
  return false;
}

function exceeded(limit: LimitName, maximum: number, actual: number, subject: string, unit: string) {
  const message = `${subject} ${actual} ${unit}, more than the limit ${limit} of ${maximum}; split the call.`;
  return { code: "LIMIT_EXCEEDED", message, details: { limit, maximum, actual } } as const;
}

function sizeOf(content: string | Uint8Array): number {
  return typeof content === "string" ? utf8(content).byteLength : content.byteLength;
}

function sizeOfEdit(edit: Edit): number {
  if (edit.op === "replace_text") return sizeOf(edit.oldText) + sizeOf(edit.newText);
  return "content" in edit ? sizeOf(edit.content) : 0;
}
