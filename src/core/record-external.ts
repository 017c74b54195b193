import { type CancelOptions, systemClock } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import type { RecordedStates } from "../history/recorded-states.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import { makeDelta, type PathChange } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import { stateOf } from "../tree/plan-context.ts";
import type { CommitQueue } from "./commit-queue.ts";
import { eachBounded } from "./each-bounded.ts";
import { externalBatch, isSame } from "./external-changes.ts";
import { loadFile, type VersionedFile } from "./load-folder.ts";
import { Spellings } from "./spellings.ts";
import { waitForNextTry } from "./wait-for-next-try.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What looking for changes from outside works with. */
export interface RecordExternalParts {
  readonly context: WorkspaceContext;
  readonly log: RevisionLog;
  readonly queue: CommitQueue;
  readonly recorded: RecordedStates;
  /** Told of each commit that made a log entry. */
  readonly committed: (sequence: number) => void;
}

/** How often it looks again when files change meanwhile. */
const mostAttempts = 8;

/**
 * Looks at every path that the history names, and records in one revision what others changed past the library. Files that no commit ever touched are
 * not looked at.
 *
 * @throws {@link HoldfastError} `TARGET_BUSY` when files changed each time while they were looked at.
 */
export async function recordExternal(parts: RecordExternalParts, options: CancelOptions): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (attempt > 0) await waitForNextTry(attempt - 1, systemClock, options);
    if (await tryRecord(parts, options)) return;
  }
  throw new HoldfastError("TARGET_BUSY", {
    message: `Files changed ${mostAttempts} times while they were looked at.`,
  });
}

/** Tries once; `false` when something changed meanwhile. */
async function tryRecord(
  { context, log, queue, recorded, committed }: RecordExternalParts,
  { signal }: CancelOptions,
): Promise<boolean> {
  const { sequence, states } = await readRecorded(log, { signal });
  const found = await findFiles(context, states.keys(), { signal });
  // What was committed while files were looked at is recorded as it is.
  for await (const { entry } of log.read({ signal, from: sequence + 1 }))
    for (const path of entry.delta.changes.keys()) states.delete(path);
  const changes: [string, PathChange][] = [];
  for (const [path, before] of states) {
    const file = found.get(path);
    if (file === "tooLong") continue;
    const after = stateOf(file);
    if (!isSame(context, before, after)) changes.push([path, { before, after }]);
  }
  if (changes.length === 0) return true;
  const delta = makeDelta(changes);
  const fileAt = (path: string) => {
    const file = found.get(path);
    return file === "tooLong" ? undefined : file;
  };
  const batch = await externalBatch(context, { delta, found: fileAt });
  const outcome = await queue.announce().commit(batch, { signal });
  if (!outcome.committed) {
    if ("failed" in outcome) return false;
    throw outcome.error;
  }
  recorded.add(outcome.sequence, delta);
  committed(outcome.sequence);
  return true;
}

async function readRecorded(
  log: RevisionLog,
  options: CancelOptions,
): Promise<{ readonly sequence: number; readonly states: Map<string, FileState | undefined> }> {
  const states = new Map<string, FileState | undefined>();
  let newest = 0;
  for await (const { sequence, entry } of log.read({ ...options, reverse: true })) {
    newest = Math.max(newest, sequence);
    for (const [path, { after }] of entry.delta.changes) if (!states.has(path)) states.set(path, after);
  }
  return { sequence: newest, states };
}

/** Reads files by their exact spelling; those that are longer than files may be are left as they are. */
async function findFiles(
  context: WorkspaceContext,
  paths: Iterable<string>,
  { signal }: CancelOptions,
): Promise<ReadonlyMap<string, VersionedFile | "tooLong">> {
  const spellings = context.files.capabilities.caseSensitive ? undefined : new Spellings(context.files);
  const found = new Map<string, VersionedFile | "tooLong">();
  await eachBounded([...paths], async (path) => {
    if ((await spellings?.isExact(path, { signal })) === false) return;
    const loading = loadFile(context, path, { signal, limit: "binaryBytes", keepBytes: false });
    const file = await loading.catch((error: unknown) => {
      if (isHoldfastError(error, "LIMIT_EXCEEDED")) return "tooLong" as const;
      throw error;
    });
    if (file !== undefined) found.set(path, file);
  });
  return found;
}
