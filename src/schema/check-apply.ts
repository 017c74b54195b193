import type * as z from "zod";
import { throwProblems } from "../base/holdfast-error.ts";
import type { Change } from "../tree/change.ts";
import { changesSchema } from "./change.ts";
import { checkInput } from "./check-input.ts";
import { isBytes } from "./content.ts";

/**
 * Checks changes and options together, and copies the bytes, so that the caller may use its own again.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` with everything that is wrong.
 */
export function checkApply<T>(
  changes: unknown,
  optionsSchema: z.ZodType<T>,
  options: unknown,
): { readonly changes: readonly Change[]; readonly options: T } {
  const single = !Array.isArray(changes);
  const place = { name: "changes", listsChanges: true, single };
  const checkedChanges = checkInput(changesSchema, single ? [changes] : changes, place);
  const checkedOptions = checkInput(optionsSchema, options, { name: "options" });
  if (checkedChanges.problems !== undefined || checkedOptions.problems !== undefined)
    throwProblems([...(checkedChanges.problems ?? []), ...(checkedOptions.problems ?? [])]);
  return { changes: checkedChanges.value.map(ownBytes), options: checkedOptions.value };
}

function ownBytes(change: Change): Change {
  if (!("content" in change) || !isBytes(change.content)) return change;
  return { ...change, content: new Uint8Array(change.content) };
}
