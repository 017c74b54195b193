import { invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { DeleteTreeChange, MoveTreeChange } from "./change.ts";
import type { CheckedChange } from "./checked-changes.ts";
import { isFolderDigest } from "./folder-digest.ts";
import { isBelow } from "./path-parts.ts";
import { type FileStep, type PlanContext, refuse } from "./plan-context.ts";
import { refuseStale } from "./plan-guard.ts";
import { quotePath } from "./quote-path.ts";
import { parseWorkspacePath } from "./workspace-path.ts";

type TreeChange = CheckedChange<MoveTreeChange | DeleteTreeChange>;

/**
 * Takes a change of a folder apart into changes of its files. The folder's digest guards all of them, so they carry the revisions that the view
 * has. When it is refused, its files still count for duplicates and for what the batch leaves behind.
 */
export function* expandTree(context: PlanContext, tree: TreeChange): Steps<readonly FileStep[]> {
  const { index, change } = tree;
  const paths = context.view.below(change.path);
  const guarded = yield* holdsDigest(context, tree, paths);
  const free = change.action === "deleteTree" || isFreeDestination(context, index, change);
  const due = workCounter();
  const steps: FileStep[] = [];
  for (const path of paths) {
    if (due(4)) yield;
    const file = context.view.file(path);
    invariant(file !== undefined, "a view holds every file below a folder that is changed whole");
    const { revision } = file;
    if (change.action === "deleteTree" || !free) {
      steps.push({ index, refused: !(guarded && free), change: { action: "delete", path, revision } });
      continue;
    }
    const destination = change.destination + path.slice(change.path.length);
    const { problem } = parseWorkspacePath(destination);
    if (problem !== undefined) refuse(context, tree, problem.code, destination, problem.message);
    steps.push({
      index,
      refused: !guarded || problem !== undefined,
      absentFolder: change.destination,
      change: { action: "move", path, destination, revision },
    });
  }
  return steps;
}

function* holdsDigest(context: PlanContext, tree: TreeChange, paths: readonly string[]): Steps<boolean> {
  const { path } = tree.change;
  const revision: string | undefined = tree.change.revision;
  if (revision !== undefined && !isFolderDigest(revision)) {
    const message = `revision ${quotePath(revision)} of the folder ${quotePath(path)} does not have the form of a folder's revision; pass one exactly as stat returned it.`;
    refuse(context, tree, "INVALID_ARGUMENT", path, message);
    return false;
  }
  if (paths.length === 0) {
    refuseNoFolder(context, tree, path);
    return false;
  }
  if (revision === undefined) {
    const message = `The folder ${quotePath(path)} is changed whole, and the change names no revision of it; pass the one that stat gives for the folder.`;
    refuse(context, tree, "REVISION_REQUIRED", path, message);
    return false;
  }
  if (context.view.folderRevision(path) === revision) return true;
  yield* refuseStale(context, tree, path, revision, "folder");
  return false;
}

function refuseNoFolder(context: PlanContext, tree: TreeChange, path: string): void {
  const isFile = context.view.file(path) !== undefined;
  const other = isFile ? path : context.view.otherSpelling(path);
  const message = isFile
    ? `${quotePath(path)} is a file, not a folder; use move or delete.`
    : `There is no folder at ${quotePath(path)}.`;
  refuse(context, tree, "NOT_FOUND", path, message, { path, similar: other === undefined ? [] : [other] });
}

function isFreeDestination(context: PlanContext, index: number, change: MoveTreeChange): boolean {
  const { path, destination } = change;
  if (destination === path || isBelow(destination, path)) {
    const message = `The folder ${quotePath(path)} cannot be moved onto or into itself (${quotePath(destination)}).`;
    refuse(context, { index }, "INVALID_ARGUMENT", destination, message);
    return false;
  }
  if (context.view.file(destination) === undefined && context.view.below(destination).length === 0)
    return true;
  const message = `There is something at ${quotePath(destination)}, and a folder moves only to where nothing is.`;
  refuse(context, { index }, "ALREADY_EXISTS", destination, message);
  return false;
}
