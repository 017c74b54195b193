import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { PlannedChange } from "./change.ts";
import { type CheckedChange, checkChanges } from "./checked-changes.ts";
import { namedPaths, operationOf } from "./named-paths.ts";
import { pathKey } from "./path-key.ts";
import { ancestorsOf } from "./path-parts.ts";
import { oddlyNamedFolders } from "./portable-name.ts";

/** What a view must hold before a batch is planned against it. */
export interface ChangePaths {
  /** What is wrong with the paths; planning finds the same again, among everything else. */
  readonly problems: readonly Problem[];
  /** Paths that `file` and `otherSpelling` are asked for: those named by the batch, destinations too, and all their ancestors. */
  readonly files: ReadonlySet<string>;
  /** Paths whose bytes planning looks at, when a file is there. */
  readonly needBytes: ReadonlySet<string>;
  /** Paths, and folders with all below them, whose bytes only a diff looks at besides. */
  readonly shown: ReadonlySet<string>;
  /** Paths whose files are edited as text, and so keep the limit of texts. */
  readonly edited: ReadonlySet<string>;
  /** Paths that `below` is asked for; where a file is, the answer is known to be nothing. */
  readonly folders: ReadonlySet<string>;
  /** Folders that are moved or deleted whole: `folderRevision` is asked for them, and `file` for every file below them. */
  readonly trees: ReadonlySet<string>;
}

/** Tells what has to be loaded before `planChanges` can be called with these changes. */
export function* pathsOfChanges(changes: readonly PlannedChange[]): Steps<ChangePaths> {
  const { checked, problems } = yield* checkChanges(changes);
  const due = workCounter();
  const files = new Set<string>();
  const needBytes = new Set<string>();
  const shown = new Set<string>();
  const edited = new Set<string>();
  const folders = new Set<string>();
  const trees = new Set<string>();
  for (const { change } of checked) {
    if (due(16)) yield;
    for (const path of namedPaths(change)) {
      files.add(path);
      for (const ancestor of ancestorsOf(path)) files.add(ancestor);
      if (change.action !== "assert") folders.add(path);
      for (const folder of oddlyNamedFolders(path)) folders.add(folder);
    }
    if (change.action === "moveTree" || change.action === "deleteTree") trees.add(change.path);
    if (looksAtBytes(change)) needBytes.add(change.path);
    if (isEdited(change)) edited.add(change.path);
    if (isShownWhole(change)) for (const path of namedPaths(change)) shown.add(path);
  }
  for (const node of yield* spelledTwice(checked)) folders.add(node);
  return { problems, files, needBytes, shown, edited, folders, trees };
}

/** Whether a file is changed as text. */
function isEdited(change: PlannedChange): boolean {
  if (change.action === "patch")
    return operationOf(change) !== "create" && !("section" in change && change.section.hunks.length === 0);
  return "edits" in change && (change.edits?.length ?? 0) > 0;
}

/** Whether files go that planning does not look into. */
function isShownWhole(change: PlannedChange): boolean {
  return "destinationRevision" in change
    ? change.destinationRevision !== undefined
    : change.action === "deleteTree";
}

function looksAtBytes(change: PlannedChange): boolean {
  if (change.action === "patch") return isEdited(change) || operationOf(change) === "delete";
  if (change.action === "move" || change.action === "copy") return isEdited(change);
  return change.action === "write" || change.action === "edit" || change.action === "delete";
}

/** Finds the paths and folders of the batch that have one key and several spellings: whether they exist decides whether they collide. */
function* spelledTwice(checked: readonly CheckedChange[]): Steps<Set<string>> {
  const due = workCounter();
  const firstSpelling = new Map<string, string>();
  const found = new Set<string>();
  for (const { change } of checked) {
    if (due(16)) yield;
    for (const path of namedPaths(change)) {
      for (const node of [...ancestorsOf(path), path]) {
        const key = pathKey(node);
        const first = firstSpelling.get(key);
        if (first === undefined) firstSpelling.set(key, node);
        else if (first !== node) found.add(first).add(node);
      }
    }
  }
  return found;
}
