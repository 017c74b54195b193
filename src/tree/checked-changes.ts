import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { PlannedChange } from "./change.ts";
import { destinationOf } from "./named-paths.ts";
import { parseWorkspacePath, type WorkspacePath } from "./workspace-path.ts";

/** A change of the call with its paths checked and in their one spelling. */
export interface CheckedChange<C extends PlannedChange = PlannedChange> {
  /** Its index in the call, from 0. */
  readonly index: number;
  /** The change. */
  readonly change: C;
}

/** The changes whose paths are in order, and what is wrong with the others. */
export interface CheckedChanges {
  /** The changes, in the order of the call. */
  readonly checked: readonly CheckedChange[];
  /** What is wrong with the others. */
  readonly problems: readonly Problem[];
}

/** Checks the paths of all changes. Changes with a problem are left out of the list. */
export function* checkChanges(changes: readonly PlannedChange[]): Steps<CheckedChanges> {
  const due = workCounter();
  const checked: CheckedChange[] = [];
  const problems: Problem[] = [];
  for (const [index, change] of changes.entries()) {
    if (due(16)) yield;
    const folder = change.action === "moveTree" || change.action === "deleteTree";
    const parse = (input: string): WorkspacePath | undefined => {
      const { path, problem } = parseWorkspacePath(input, { folder });
      if (problem !== undefined) problems.push({ ...problem, changeIndex: index, path: input });
      else if (path === "") problems.push({ ...rootProblem, changeIndex: index, path: input });
      else return path;
      return undefined;
    };
    const path = parse(change.path);
    const target = destinationOf(change);
    if (target !== undefined) {
      const destination = parse(target);
      if (path !== undefined && destination !== undefined)
        checked.push({ index, change: { ...change, path, destination } as PlannedChange });
    } else if (path !== undefined) checked.push({ index, change: { ...change, path } });
  }
  return { checked, problems };
}

const rootProblem = {
  code: "INVALID_PATH",
  message: "The root itself cannot be moved, deleted or moved onto; name a folder in it.",
} as const;
