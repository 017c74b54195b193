import type { Problem } from "../base/holdfast-error.ts";
import type { PlannedChange } from "../tree/change.ts";
import type { Conflict } from "../tree/conflict.ts";
import { namedPaths } from "../tree/named-paths.ts";
import { quotePath } from "../tree/quote-path.ts";
import { parseWorkspacePath } from "../tree/workspace-path.ts";
import type { StaleGuards } from "./stale-guards.ts";

/** Regions that a message names. */
const mostRegions = 5;

/** Tells conflicts of changes with what others did as problems of the call; each carries all of them. */
export function conflictProblems(
  changes: readonly PlannedChange[],
  conflicts: readonly Conflict[],
  stale: StaleGuards,
): readonly Problem[] {
  if (conflicts.length === 0) return [];
  const indexes = new Map<string, number>();
  for (const [index, change] of changes.entries())
    for (const spelled of namedPaths(change)) {
      const { path = spelled } = parseWorkspacePath(spelled);
      if (!indexes.has(path)) indexes.set(path, index);
    }
  return conflicts.map((conflict) => {
    const changeIndex = indexes.get(conflict.path);
    return {
      code: "MERGE_CONFLICT",
      message: `${describe(conflict, stale.get(conflict.path))}; look at both sides, read the file again and make the change on what is there now.`,
      path: conflict.path,
      ...(changeIndex !== undefined && { changeIndex }),
      details: { conflicts },
    };
  });
}

function describe(
  { path, kind, current, incoming, regions, unmerged }: Conflict,
  revision: string | undefined,
): string {
  const file = quotePath(path);
  const since = revision === undefined ? "" : ` since revision ${revision}`;
  if (current === undefined) return `Others deleted ${file}${since}, and this call changes it`;
  if (incoming === undefined) return `Others changed ${file}${since}, and this call deletes it`;
  if (unmerged === "tooLong") return `Others changed ${file}${since}, and it is too long to be merged`;
  const both = `Others changed ${file}${since}`;
  if (regions === undefined || regions.length === 0)
    return `${both}, in a way that does not go with this call (${kind})`;
  const lines = regions.slice(0, mostRegions).map((region) => linesOf(region.current));
  const more = regions.length > lines.length ? " and more" : "";
  return `${both}, in lines that this call changes too: ${lines.join(", ")}${more} of what is there now`;
}

/** An empty range lies after the line that it ends at. */
function linesOf([first, last]: readonly [number, number]): string {
  if (last < first) return last === 0 ? "before line 1" : `after line ${last}`;
  return first === last ? `line ${first}` : `lines ${first}-${last}`;
}
