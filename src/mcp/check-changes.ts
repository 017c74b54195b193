import * as z from "zod";
import { type Problem, throwProblems } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import { checkInput } from "../schema/check-input.ts";
import type { Change } from "../tree/change.ts";
import { changeInputSchema, changeOptionsSchema } from "./change-input.ts";
import { isFields, respell } from "./field-spellings.ts";
import { strictChange, tooMany } from "./strict-change.ts";

/** Changes are looked at one by one afterwards; here it is only said that they are a list. */
const rootSchema = z.strictObject({ changes: z.array(z.unknown()), ...changeOptionsSchema.shape });

/** What a model asked for, in the library's own terms. */
export interface CheckedChanges {
  readonly changes: readonly Change[];
  readonly options: z.output<typeof changeOptionsSchema>;
}

/**
 * Checks what a model gave against the strict forms of changes and options, and within the limits of one call.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` or `LIMIT_EXCEEDED` with everything that is wrong.
 */
export function checkChanges(input: unknown, limits: Limits): CheckedChanges {
  const root = respell(input ?? {}, Object.keys(changeInputSchema.shape), {}, "");
  const checked = checkInput(z.array(rootSchema), [root.value], { name: "input", single: true });
  const problems = [...root.problems, ...(checked.problems ?? [])];
  const list = isFields(root.value) ? root.value["changes"] : undefined;
  const changes = Array.isArray(list) ? checkList(list, limits, problems) : [];
  const fields = checked.value?.[0];
  if (problems.length > 0 || fields === undefined) throwProblems(problems);
  const { changes: _unchecked, ...options } = fields;
  return { changes, options };
}

function checkList(list: readonly unknown[], limits: Limits, problems: Problem[]): readonly Change[] {
  if (list.length > limits.changes) {
    problems.push(tooMany({ at: "changes" }, "changes", limits.changes, list.length));
    return [];
  }
  const changes: Change[] = [];
  for (const [index, given] of list.entries()) {
    const checked = strictChange(given, index, limits);
    if (checked.problems === undefined) changes.push(checked.value);
    else for (const problem of checked.problems) problems.push(problem);
  }
  return changes;
}
