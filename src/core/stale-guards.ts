import type { PlannedChange } from "../tree/change.ts";
import type { PlanView } from "../tree/plan.ts";
import { parseWorkspacePath } from "../tree/workspace-path.ts";

/** Paths at which a change names a revision that is not the one of now, with that revision. */
export type StaleGuards = ReadonlyMap<string, string>;

/**
 * Finds the changes that are based on files as they were before. What only asserts, or is about a folder, is not based on the bytes of a file; and
 * what names a revision that can be none is left to planning, as is a file that is too long to be read.
 */
export function staleGuards(
  changes: readonly PlannedChange[],
  view: PlanView,
  isRevision: (text: string) => boolean,
): StaleGuards {
  const named = new Map<string, string>();
  const twice = new Set<string>();
  const note = (spelled: string, revision: string | undefined) => {
    if (revision === undefined || !isRevision(revision)) return;
    const { path } = parseWorkspacePath(spelled);
    if (path === undefined) return;
    if ((named.get(path) ?? revision) !== revision) twice.add(path);
    named.set(path, revision);
  };
  for (const change of changes) {
    if (change.action === "assert" || change.action === "moveTree" || change.action === "deleteTree")
      continue;
    if ("revision" in change) note(change.path, change.revision);
    if ("destinationRevision" in change) note(change.destination, change.destinationRevision);
  }
  const stale = new Map<string, string>();
  for (const [path, revision] of named) {
    const now = view.file(path);
    if (now?.revision === revision || now?.tooLong !== undefined || twice.has(path)) continue;
    stale.set(path, revision);
  }
  return stale;
}
