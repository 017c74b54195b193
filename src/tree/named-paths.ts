import type { PlannedChange } from "./change.ts";

/** The paths that a change names: its own, and its destination when it has one. */
export function namedPaths(change: PlannedChange): readonly string[] {
  const destination = destinationOf(change);
  return destination === undefined ? [change.path] : [change.path, destination];
}

/** Where a change brings a file, or a folder; `undefined` when it leaves it where it is. */
export function destinationOf(change: PlannedChange): string | undefined {
  return "destination" in change ? change.destination : undefined;
}

/** Whether a change makes its path a file, whatever was there before. */
export function isPut(change: PlannedChange): boolean {
  if (change.action === "patch") return operationOf(change) === "create";
  return change.action === "create" || change.action === "write";
}

/** Whether a change takes the file at its path away. */
export function isRemoval(change: PlannedChange): boolean {
  if (change.action !== "patch") return change.action === "delete" || change.action === "move";
  if (operationOf(change) === "delete") return true;
  return change.destination !== undefined && !("section" in change && change.section.copies === true);
}

/** What a patch does to its path, as far as can be told before a patch of one file is read. */
export function operationOf(
  change: Extract<PlannedChange, { readonly action: "patch" }>,
): "create" | "update" | "delete" {
  if ("section" in change) return change.section.operation;
  return change.create === true ? "create" : "update";
}
