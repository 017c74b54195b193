import * as z from "zod";
import { throwProblems } from "../base/holdfast-error.ts";
import { checkInput } from "../schema/check-input.ts";
import { readLinesOptionsSchema } from "../schema/read-options.ts";
import { readSpellings, respell } from "./field-spellings.ts";

const { startLine, endLine, maxLines, encoding } = readLinesOptionsSchema.shape;

/** The input of the tool that reads a file. */
export const readInputSchema = z.strictObject({
  path: z.string().describe("Path relative to the root, with forward slashes."),
  startLine,
  endLine,
  maxLines,
  encoding,
});

/**
 * Checks what a model gave.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` with everything that is wrong.
 */
export function checkRead(input: unknown): z.output<typeof readInputSchema> {
  const { value, problems } = respell(input ?? {}, Object.keys(readInputSchema.shape), readSpellings, "");
  const checked = checkInput(z.array(readInputSchema), [value], { name: "input", single: true });
  const all = [...problems, ...(checked.problems ?? [])];
  if (all.length > 0) throwProblems(all);
  return (checked.value as z.output<typeof readInputSchema>[])[0] as z.output<typeof readInputSchema>;
}
