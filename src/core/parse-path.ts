import { HoldfastError } from "../base/holdfast-error.ts";
import { parseWorkspacePath, type WorkspacePath } from "../tree/workspace-path.ts";

/**
 * Checks a path argument.
 *
 * @throws {@link HoldfastError} `INVALID_PATH`, `PROTECTED_PATH`, or `INVALID_ARGUMENT` when it is no text.
 */
export function parsePath(
  input: unknown,
  options: { readonly folder?: boolean | undefined } = {},
): WorkspacePath {
  if (typeof input !== "string")
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `"path" must be a string, but is ${typeof input}.`,
    });
  const { path, problem } = parseWorkspacePath(input, options);
  if (problem === undefined) return path;
  const { code, message } = problem;
  throw new HoldfastError(code, { message, problems: [{ code, message, path: input }] });
}
