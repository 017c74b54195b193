import type * as z from "zod";
import { type Problem, throwProblems } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import type { Change } from "../tree/change.ts";
import { tooManyChanges, tooManyEdits } from "../tree/exceeded-limit.ts";
import { changesSchema } from "./change.ts";
import { checkInput } from "./check-input.ts";
import { isBytes } from "./content.ts";

/** What a caller gave for a call that changes files. */
export interface ApplyInput<T> {
  /** A change or several, unchecked. */
  readonly changes: unknown;
  /** What the options must be. */
  readonly optionsSchema: z.ZodType<T>;
  /** The options, unchecked. */
  readonly options: unknown;
}

/**
 * Checks changes and options together, and copies the bytes, so that the caller may use its own again. Lists that are longer than a limit are not
 * looked into.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` or `LIMIT_EXCEEDED` with everything that is wrong.
 */
export function checkApply<T>(
  { changes, optionsSchema, options }: ApplyInput<T>,
  limits: Limits,
): { readonly changes: readonly Change[]; readonly options: T } {
  const single = !Array.isArray(changes);
  const { list, tooMany } = cutToLimits(single ? [changes] : (changes as readonly unknown[]), limits);
  const checkedChanges = checkInput(changesSchema, list, { name: "changes", listsChanges: true, single });
  const checkedOptions = checkInput(optionsSchema, options, { name: "options" });
  if (tooMany.length > 0 || checkedChanges.problems !== undefined || checkedOptions.problems !== undefined)
    throwProblems([...tooMany, ...(checkedChanges.problems ?? []), ...(checkedOptions.problems ?? [])]);
  return { changes: checkedChanges.value.map(ownBytes), options: checkedOptions.value };
}

/** Takes lists that are longer than a limit out of what is looked into, and says so. */
function cutToLimits(
  list: readonly unknown[],
  limits: Limits,
): { readonly list: readonly unknown[]; readonly tooMany: readonly Problem[] } {
  if (list.length > limits.changes)
    return { list: [], tooMany: [tooManyChanges(limits.changes, list.length)] };
  const tooMany: Problem[] = [];
  const maximum = limits.editsPerChange;
  const short = Array.from(list, (change, changeIndex) => {
    const { edits, path } = (change ?? {}) as { readonly edits?: unknown; readonly path?: unknown };
    if (!Array.isArray(edits) || edits.length <= maximum) return change;
    const place = { changeIndex, ...(typeof path === "string" && { path }) };
    tooMany.push({ ...tooManyEdits(maximum, edits.length), ...place });
    return { ...(change as object), edits: [] };
  });
  return { list: short, tooMany };
}

function ownBytes(change: Change): Change {
  if (!("content" in change) || !isBytes(change.content)) return change;
  return { ...change, content: new Uint8Array(change.content) };
}
