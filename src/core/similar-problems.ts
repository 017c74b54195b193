import type { CancelOptions } from "../base/clock.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { pathsNear } from "./find-file.ts";

/** Missing paths of one call for which near ones are looked up. */
const mostLookedUp = 10;

/** Adds near paths to each `NOT_FOUND` that has none. */
export async function tellSimilarPaths(
  files: StoredFiles,
  problems: readonly Problem[],
  options: CancelOptions,
): Promise<readonly Problem[]> {
  let left = mostLookedUp;
  const told: Problem[] = [];
  for (const problem of problems) {
    const details = problem.details as { readonly similar?: readonly string[] } | undefined;
    const { code, path } = problem;
    if (code !== "NOT_FOUND" || path === undefined || (details?.similar?.length ?? 0) > 0 || left-- <= 0) {
      told.push(problem);
      continue;
    }
    told.push({
      ...problem,
      details: { ...details, path, similar: await pathsNear(files, path, options) },
    });
  }
  return told;
}
