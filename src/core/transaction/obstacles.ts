import type { CancelOptions } from "../../base/clock.ts";
import { pathKey } from "../../tree/path-key.ts";
import { ancestorsOf } from "../../tree/path-parts.ts";
import { eachBounded } from "../each-bounded.ts";
import { Spellings } from "../spellings.ts";
import type { ViewContext } from "../workspace-context.ts";
import type { StagedSteps } from "./staged-steps.ts";

/**
 * Lists files of now that stand where staged steps make new ones: in the place of a folder, below a new file, or in another spelling where the
 * storage takes spellings for one file. Such a file is at no path that the steps rely on, and yet they cannot be committed while it is there.
 */
export async function findObstacles(
  { files }: ViewContext,
  { states, pins }: StagedSteps,
  { signal }: CancelOptions,
): Promise<ReadonlySet<string>> {
  const keyOf = files.capabilities.caseSensitive ? (path: string) => path : pathKey;
  const leaving = new Set<string>();
  const made: string[] = [];
  for (const [path, state] of states)
    if (state === undefined) leaving.add(keyOf(path));
    else if (pins.get(path)?.state === undefined) made.push(path);
  const found = new Set<string>();
  const folders = new Set(made.flatMap(ancestorsOf).filter((folder) => !states.has(folder)));
  await eachBounded([...folders], async (folder) => {
    if (leaving.has(keyOf(folder))) return;
    if ((await files.stat(folder, { signal })) !== undefined) found.add(folder);
  });
  const spellings = files.capabilities.caseSensitive ? undefined : new Spellings(files);
  await eachBounded(made, async (path) => {
    for await (const { path: below } of files.list({ signal, under: path }))
      if (!leaving.has(keyOf(below))) {
        found.add(below);
        break;
      }
    const other = await spellings?.other(path, { signal });
    if (other !== undefined && !leaving.has(keyOf(other))) found.add(other);
  });
  return found;
}
