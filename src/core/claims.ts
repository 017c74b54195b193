import { pathKey } from "../tree/path-key.ts";
import { parseWorkspacePath } from "../tree/workspace-path.ts";

/** The name under which calls that touch a path wait for each other; none for what is no path, which planning refuses, however long it is. */
export function claimsOf(path: string, folds: boolean): readonly string[] {
  const plain = parseWorkspacePath(path, { folder: true }).path;
  if (plain === undefined) return [];
  return [folds ? pathKey(plain) : plain];
}
