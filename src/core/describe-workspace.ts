import type { CancelOptions } from "../base/clock.ts";
import type { WorkspaceInfo } from "../schema/workspace-info.ts";
import type { WorkspaceParts } from "./open-workspace.ts";
import { workspaceSnapshot } from "./snapshot.ts";

/** Where a handle of a workspace stands. */
export interface HandleState {
  /** The workspace's id. */
  readonly id: string;
  /** Grows at each reload. */
  epoch: number;
  /** Whether no transaction may begin until it is reloaded. */
  isOutOfDate: boolean;
}

/** Tells what a workspace is and where it stands. */
export async function describeWorkspace(
  { id, alias, mode, log, recovery, context, handle }: WorkspaceParts,
  options: CancelOptions,
): Promise<WorkspaceInfo> {
  const { workspaceRevision } = await log.head(options);
  const { revisionAlgorithm, limits } = context;
  const named = alias === undefined ? {} : { alias };
  const state = handle.isOutOfDate ? "outOfDate" : "ready";
  const snapshot = workspaceSnapshot(handle, workspaceRevision);
  const stands = { state, snapshot, workspaceRevision } as const;
  return { workspaceId: id, ...named, mode, ...stands, revisionAlgorithm, limits, recovery };
}
