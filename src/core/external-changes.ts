import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { isHoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { RecordedStates } from "../history/recorded-states.ts";
import { encodeRevisionEntry } from "../history/revision-entry.ts";
import type { AppliedFile } from "../schema/apply-result.ts";
import type { StorageBatch } from "../storage/storage-adapter.ts";
import { type Delta, makeDelta, type PathChange } from "../tree/delta.ts";
import { equalStates, type FileState } from "../tree/file-state.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** A file as it was found. */
export interface FoundFile extends FileState {
  readonly revision: string;
  readonly version: string;
}

/** What somebody did past the library: from what the history last recorded to what was found. */
export interface ExternalChange {
  readonly delta: Delta;
  readonly found: (path: string) => FoundFile | undefined;
}

/**
 * Finds what others changed past the library at paths that a commit replaces. Looks at the log only where this handle does not know what was last
 * recorded, or where that is not what the commit found.
 */
export async function findExternal(
  context: Pick<WorkspaceContext, "storage">,
  recorded: RecordedStates,
  replaced: Delta,
  options: CancelOptions,
): Promise<Delta> {
  const unknown: string[] = [];
  for (const [path, { before }] of replaced.changes)
    if (before !== undefined && !recorded.has(path)) unknown.push(path);
  try {
    if (unknown.length > 0) await recorded.lookBack(unknown, options);
    if (differences(context, recorded, replaced).length === 0) return makeDelta([]);
    await recorded.readOn(options);
  } catch (error) {
    // A log that cannot be read tells of nobody; whether the commit can be written all the same is for the storage to say.
    if (!isHoldfastError(error, "STORAGE_FAILED")) throw error;
    return makeDelta([]);
  }
  return makeDelta(differences(context, recorded, replaced));
}

function differences(
  context: Pick<WorkspaceContext, "storage">,
  recorded: RecordedStates,
  { changes }: Delta,
): readonly (readonly [string, PathChange])[] {
  const found: [string, PathChange][] = [];
  for (const [path, { before: now }] of changes) {
    if (!recorded.has(path)) continue;
    const before = recorded.get(path);
    if (!isSame(context, before, now)) found.push([path, { before, after: now }]);
  }
  return found;
}

/** Says whether what was found is what was recorded; modes count where the storage keeps them. */
export function isSame(
  { storage }: Pick<WorkspaceContext, "storage">,
  recorded: FileState | undefined,
  found: FileState | undefined,
): boolean {
  if (recorded === undefined || found === undefined || storage.capabilities.modes)
    return equalStates(recorded, found);
  return equalStates(recorded, { ...found, executable: recorded.executable });
}

/** Makes the batch that records what others did: it writes no file, and holds only as long as what was found is there. */
export async function externalBatch(
  context: WorkspaceContext,
  { delta, found }: ExternalChange,
): Promise<StorageBatch> {
  const { clock, ids, revisionAlgorithm } = context;
  const files = [...delta.changes].map(([path, change]) => describeFound(path, change, found(path)));
  const result = {
    alreadyApplied: false,
    revisionAlgorithm,
    files,
    additions: 0,
    removals: 0,
    warnings: [],
  };
  const time = new Date(clock.now()).toISOString();
  const entry = await driveSteps(
    encodeRevisionEntry({ time, cause: "external", operation: "external", delta, result }),
    timeSlice(),
  );
  return {
    id: ids("rev"),
    expect: [...delta.changes.keys()].map((key) => {
      return { space: "files", key, version: found(key)?.version ?? null };
    }),
    putFiles: [],
    deleteFiles: [],
    appendContent: [],
    putRecords: [],
    deleteRecords: [],
    entry: () => entry,
  };
}

function describeFound(
  path: string,
  { before, after }: PathChange,
  found: FoundFile | undefined,
): AppliedFile {
  const operation = after === undefined ? "deleted" : before === undefined ? "created" : "modified";
  const revision = found === undefined ? {} : { revision: found.revision };
  return { path, operation, ...revision, changedRanges: [], lineShifts: [] };
}
