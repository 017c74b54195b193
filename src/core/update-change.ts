import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import { isBytes } from "../schema/content.ts";
import type { TextFile } from "../schema/read-results.ts";
import type { Change } from "../tree/change.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import type { Updated } from "./editable-view.ts";
import { readText } from "./read-file.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Reads what the function of an `update` is given: bytes that are not UTF-8 one character each. */
export async function readForUpdate(
  context: ViewContext,
  path: WorkspacePath,
  { signal }: CancelOptions,
): Promise<TextFile | undefined> {
  try {
    return await readText(context, path, { signal });
  } catch (error) {
    if (isHoldfastError(error, "NOT_FOUND")) return undefined;
    if (!isHoldfastError(error, "UNSUPPORTED_ENCODING")) throw error;
    return await readText(context, path, { signal, encoding: "latin1" });
  }
}

/** The change that makes a file what the function of an `update` returned. */
export function updateChange(path: WorkspacePath, current: TextFile | undefined, next: Updated): Change {
  if (next === undefined || (next === null && current === undefined))
    return { action: "assert", path, revision: current?.revision ?? null };
  if (next === null) return { action: "delete", path, revision: current?.revision };
  if (typeof next !== "string" && !isBytes(next))
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `The function given to update must return a string, a Uint8Array, null or undefined, but it returned a ${typeof next}.`,
    });
  const content = typeof next === "string" ? next : next.slice();
  const encoding = current?.encoding === "latin1" && typeof next === "string" ? "latin1" : undefined;
  return { action: "write", path, content, revision: current?.revision, encoding };
}
