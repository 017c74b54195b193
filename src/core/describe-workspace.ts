import type { CancelOptions } from "../base/clock.ts";
import type { WorkspaceInfo } from "../schema/workspace-info.ts";
import type { WorkspaceParts } from "./open-workspace.ts";

/** Tells what a workspace is and where it stands. */
export async function describeWorkspace(
  { id, alias, mode, log, recovery, context }: WorkspaceParts,
  options: CancelOptions,
): Promise<WorkspaceInfo> {
  const { workspaceRevision } = await log.head(options);
  const { revisionAlgorithm, limits } = context;
  const named = alias === undefined ? {} : { alias };
  return { workspaceId: id, ...named, mode, workspaceRevision, revisionAlgorithm, limits, recovery };
}
