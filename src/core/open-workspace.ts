import { type CancelOptions, randomIds, systemClock } from "../base/clock.ts";
import { loadPortableHashing } from "../base/hashing.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { type Limits, libraryLimits } from "../base/limits.ts";
import { Idempotency } from "../history/idempotency.ts";
import { RecordedStates } from "../history/recorded-states.ts";
import { RevisionLog } from "../history/revision-log.ts";
import type { LimitOverrides, OpenOptions, WorkspaceMode } from "../schema/open-options.ts";
import type { RecoveryInfo } from "../schema/workspace-info.ts";
import { checkedStorage } from "../storage/checked-storage.ts";
import type { RecoveryReport, StorageAdapter } from "../storage/storage-adapter.ts";
import { CallOrder } from "./call-order.ts";
import { ChangeFiles } from "./change-files.ts";
import { CommitQueue } from "./commit-queue.ts";
import { Committer } from "./committer.ts";
import type { HandleState } from "./describe-workspace.ts";
import { defaultRetention, HistoryPruner } from "./history-pruner.ts";
import { Lifecycle } from "./lifecycle.ts";
import { createWorkspaceRecord, readWorkspaceRecord, type WorkspaceRecord } from "./open-storage.ts";
import { ReadCache } from "./read-cache.ts";
import { recordExternal } from "./record-external.ts";
import { RevertFiles } from "./revert-files.ts";
import type { WorkspaceContext } from "./workspace-context.ts";
import { WorkspaceEvents } from "./workspace-events.ts";

/** The parts of an open workspace. */
export interface WorkspaceParts {
  readonly context: WorkspaceContext;
  readonly id: string;
  readonly alias: string | undefined;
  readonly mode: WorkspaceMode;
  readonly recovery: RecoveryInfo;
  readonly log: RevisionLog;
  readonly idempotency: Idempotency;
  readonly order: CallOrder;
  readonly committer: Committer;
  readonly changeFiles: ChangeFiles;
  readonly revertFiles: RevertFiles;
  readonly pruner: HistoryPruner;
  readonly lifecycle: Lifecycle;
  /** Records what others changed past the library. */
  readonly recordExternal: (options: CancelOptions) => Promise<void>;
  readonly events: WorkspaceEvents;
  readonly mergePolicy: "content" | "path";
  readonly onConflictedRollback: "ready" | "outOfDate";
  readonly handle: HandleState;
  /** Whether changes by other programs are to be noticed as they happen. */
  readonly watch: boolean;
}

const day = 24 * 60 * 60 * 1000;

/** Opens a storage as a workspace; the options have been checked. Lets go of the storage when it cannot be opened. */
export async function openWorkspace(adapter: StorageAdapter, options: OpenOptions): Promise<WorkspaceParts> {
  const { mode = "autonomousTrusted", clock = systemClock, ids = randomIds, signal } = options;
  const { lockTimeoutMs = 10_000 } = options;
  const storage = checkedStorage(adapter);
  const hashing = await (storage.loadHashing?.() ?? loadPortableHashing());
  const readOnly = mode === "inspectionOnly";
  const recovery = await storage.open({ hashing, clock, ids, readOnly, lockTimeoutMs, signal });
  try {
    refusePending(recovery, options);
    const record = await workspaceRecord(storage, options, { readOnly, newId: ids });
    refuseOtherAlgorithm(record, options);
    const { id, revisionAlgorithm } = record;
    const limits = limitsWith(options.limits);
    const names = options.names ?? "portable";
    const reads = new ReadCache();
    const context = { storage, files: storage, hashing, clock, ids, limits, revisionAlgorithm, names, reads };
    const log = new RevisionLog(storage);
    const { sequence } = await log.head({ signal });
    return {
      id,
      alias: options.alias,
      mode,
      recovery,
      ...assemble(context, log, { id, newest: sequence }, options),
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

function assemble(
  context: WorkspaceContext,
  log: RevisionLog,
  { id, newest }: { readonly id: string; readonly newest: number },
  options: OpenOptions,
) {
  const handle: HandleState = { id, epoch: 1, isOutOfDate: false };
  const { storage, hashing, clock } = context;
  const { maxKeys = 10_000, maxAgeMs = day } = options.idempotency ?? {};
  const idempotency = new Idempotency({ storage, log, hashing, clock, maxKeys, maxAgeMs });
  const events = new WorkspaceEvents(log, newest);
  const queue = new CommitQueue(storage);
  const { mergePolicy = "content", onConflictedRollback = "ready" } = options;
  const lifecycle = new Lifecycle();
  const { retention = defaultRetention } = options;
  const whenIdle = (work: () => Promise<void>) => lifecycle.whenIdle(work);
  const pruner = new HistoryPruner({ context, idempotency, retention, whenIdle });
  pruner.addPins(async ({ endedBefore, signal }) => {
    const { retainedTransactions } = await import("./transaction/retained-transactions.ts");
    return await retainedTransactions(context, endedBefore, { signal });
  });
  const committed = (sequence: number) => {
    events.committed(sequence);
    pruner.committed(sequence);
  };
  const recorded = new RecordedStates(storage, newest);
  const committing = { context, log, idempotency, queue, handle, mergePolicy };
  const committer = new Committer({ ...committing, recorded, committed });
  const order = new CallOrder();
  const changeFiles = new ChangeFiles({ context, order, committer, idempotency });
  const revertFiles = new RevertFiles({ context, log, order, committer, idempotency, mergePolicy });
  const external = { context, log, queue, recorded, committed };
  const parts = { context, log, idempotency, order, committer, changeFiles, revertFiles, events };
  return {
    ...parts,
    mergePolicy,
    onConflictedRollback,
    pruner,
    lifecycle,
    recordExternal: (some: CancelOptions) => recordExternal(external, some),
    handle,
    watch: options.watch === true,
  };
}

async function workspaceRecord(
  storage: StorageAdapter,
  options: OpenOptions,
  { readOnly, newId }: { readonly readOnly: boolean; readonly newId: NonNullable<OpenOptions["ids"]> },
): Promise<WorkspaceRecord> {
  const { signal, revisionAlgorithm = "xxh64" } = options;
  const written = await readWorkspaceRecord(storage, { signal });
  if (written !== undefined) return written;
  if (readOnly) return { id: "", revisionAlgorithm };
  const record = { id: newId("ws"), revisionAlgorithm };
  return await createWorkspaceRecord(storage, record, { signal, batchId: newId("rev") });
}

function refusePending(recovery: RecoveryReport, { allowPending }: OpenOptions): void {
  if (recovery.pending && allowPending !== true) throw new HoldfastError("RECOVERY_PENDING");
}

function refuseOtherAlgorithm(record: WorkspaceRecord, { revisionAlgorithm }: OpenOptions): void {
  if (revisionAlgorithm === undefined || revisionAlgorithm === record.revisionAlgorithm) return;
  throw new HoldfastError("INVALID_ARGUMENT", {
    message: `The storage makes revisions with ${record.revisionAlgorithm}, so "revisionAlgorithm" cannot be ${revisionAlgorithm}.`,
  });
}

function limitsWith(overrides: LimitOverrides | undefined): Limits {
  const given = Object.entries(overrides ?? {}).filter(([, bound]) => bound !== undefined);
  return { ...libraryLimits, ...(Object.fromEntries(given) as Partial<Limits>) };
}
