import type { ApplyOptions } from "../schema/apply-options.ts";
import type { Change } from "../tree/change.ts";
import { destinationOf } from "../tree/named-paths.ts";
import { parseWorkspacePath } from "../tree/workspace-path.ts";

/** The options that an idempotency key is bound to: not the key, the signal, what is only told, or what equals its default. */
export function significantOptions(options: ApplyOptions): object {
  const {
    idempotencyKey: _key,
    signal: _signal,
    includeDiff: _told,
    dryRun,
    onStale,
    metadata,
    ...rest
  } = options;
  return {
    ...rest,
    dryRun: dryRun === true ? true : undefined,
    onStale: onStale === "rebase" ? onStale : undefined,
    metadata: metadata === undefined || Object.keys(metadata).length === 0 ? undefined : metadata,
  };
}

/** The changes that an idempotency key is bound to, with paths in their one spelling and without fields that equal their default. */
export function significantChanges(changes: readonly Change[]): readonly object[] {
  return changes.map((change) => {
    const edits = "edits" in change ? change.edits?.map(significantEdit) : undefined;
    const isDefault = change.action === "create" && change.executable === false;
    const isUpdate = change.action === "patch" && change.create === false;
    return {
      ...change,
      ...plainPaths(change),
      edits,
      ...(isDefault && { executable: undefined }),
      ...(isUpdate && { create: undefined }),
    };
  });
}

function plainPaths(change: Change): object {
  const folder = change.action === "moveTree" || change.action === "deleteTree";
  const plain = (path: string) => parseWorkspacePath(path, { folder }).path ?? path;
  const path = plain(change.path);
  const destination = destinationOf(change);
  return destination === undefined ? { path } : { path, destination: plain(destination) };
}

type AnyEdit = Extract<Change, { readonly action: "edit" }>["edits"][number];

function significantEdit(edit: AnyEdit): object {
  if (edit.op === "replace_text") {
    const { occurrences, replaceAll, ...rest } = edit;
    return {
      ...rest,
      occurrences: occurrences === 1 ? undefined : occurrences,
      replaceAll: replaceAll === true ? true : undefined,
    };
  }
  if (!("startLine" in edit)) return edit;
  return { ...edit, endLine: edit.endLine === edit.startLine ? undefined : edit.endLine };
}
