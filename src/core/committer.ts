import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { Idempotency, KeyClaim, KeyedBatchPart } from "../history/idempotency.ts";
import type { RecordedStates } from "../history/recorded-states.ts";
import { encodeRevisionEntry, type RecordedResult, type RevisionEntry } from "../history/revision-entry.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import { formatWorkspaceRevision } from "../history/workspace-revision.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import type { RevisionCause } from "../schema/revision-info.ts";
import type { CommitOutcome, Expectation, StorageBatch } from "../storage/storage-adapter.ts";
import type { PlannedChange } from "../tree/change.ts";
import { type Delta, isEmptyDelta } from "../tree/delta.ts";
import type { Plan } from "../tree/plan.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { CommitQueue, QueuePlace } from "./commit-queue.ts";
import { describePlan } from "./describe-plan.ts";
import type { HandleState } from "./describe-workspace.ts";
import { externalBatch, findExternal } from "./external-changes.ts";
import { KeptContents } from "./kept-contents.ts";
import { loadView } from "./load-view.ts";
import { makeBatch, type RecordChanges } from "./make-batch.ts";
import { planBatch } from "./plan-batch.ts";
import { rememberPlan } from "./remember-plan.ts";
import { refuseOtherSnapshot, workspaceSnapshot } from "./snapshot.ts";
import { type WantedDiff, wantedDiff } from "./wanted-diff.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What was found where a call's idempotency key is recorded. */
export interface FoundKey {
  readonly claim: KeyClaim;
  readonly argumentDigest: string;
}

/** A call that commits, its arguments checked. */
export interface CommitCall {
  /** Which method was called, for the record. */
  readonly operation: string;
  /** What kind of call that is. */
  readonly cause: RevisionCause;
  /** The call's options. */
  readonly options: ApplyOptions;
  /** Left out when the call has no idempotency key or is a dry run. */
  readonly keyed?: FoundKey | undefined;
}

/** A call that is to make changes. */
export interface CommitRequest extends CommitCall {
  /** The changes. */
  readonly changes: readonly PlannedChange[];
}

/** A plan that can be committed, and what it was made against. */
export interface CommittablePlan {
  /** What is to happen. */
  readonly plan: Plan;
  /** The storage's token of a file that the plan relies on; `null`: absent. */
  readonly versionOf: (path: string) => string | null;
  /** Bytes that the plan does not hold and a diff shows. */
  readonly kept?: KeptContents | undefined;
  /** Records that are written with it, and what must still hold of them. */
  readonly records?: RecordChanges | undefined;
  /** What is recorded of the result besides what the plan tells. */
  readonly remarks?: Pick<RecordedResult, "mergedPaths" | "revisions"> | undefined;
}

/** What one try came to: done, or somebody was quicker at these paths. */
export type TryResult =
  | { readonly result: ApplyResult }
  | { readonly result?: undefined; readonly lost: readonly Expectation[] };

/** What a committer works with. */
export interface CommitterParts {
  readonly context: WorkspaceContext;
  readonly log: RevisionLog;
  readonly idempotency: Idempotency;
  readonly queue: CommitQueue;
  /** Names the state of the workspace. */
  readonly handle: HandleState;
  /** How stale changes are merged where that is asked for. */
  readonly mergePolicy: "content" | "path";
  /** What the history last recorded at paths. */
  readonly recorded: RecordedStates;
  /** Told of each commit that made a log entry. */
  readonly committed: (sequence: number) => void;
}

/** Turns changes into one commit: plans them against what is there now, and commits the plan under the condition that it still is. */
export class Committer {
  readonly #parts: CommitterParts;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
  }

  /** Plans and commits once. Throws every problem that the changes have; a lost race is no problem and comes back. */
  async try(request: CommitRequest): Promise<TryResult> {
    const place = this.#parts.queue.announce();
    try {
      return await this.#planAndCommit(request, place);
    } finally {
      place.leave();
    }
  }

  /** Commits a plan that was made elsewhere, once. A lost race comes back. */
  async commitPlan(call: CommitCall, planned: CommittablePlan): Promise<TryResult> {
    const place = this.#parts.queue.announce();
    try {
      await this.#refuseOtherState(call.options);
      return await this.#commit(call, place, planned);
    } finally {
      place.leave();
    }
  }

  async #planAndCommit(request: CommitRequest, place: QueuePlace): Promise<TryResult> {
    const { context, log, mergePolicy } = this.#parts;
    const { changes, options } = request;
    const { signal } = options;
    await this.#refuseOtherState(options);
    const kept = wantedDiff(options.includeDiff) === undefined ? undefined : new KeptContents();
    const view = await loadView(context, changes, { signal, kept });
    const history = { storage: context.storage, log };
    const plan = await planBatch(context, history, { changes, options, mergePolicy, kept }, view);
    const versionOf = (path: string) => view.file(path)?.version ?? null;
    return await this.#commit(request, place, { plan, versionOf, kept });
  }

  async #refuseOtherState({ expectedSnapshot, signal }: ApplyOptions): Promise<void> {
    if (expectedSnapshot === undefined) return;
    const { handle, log } = this.#parts;
    const { workspaceRevision } = await log.head({ signal });
    refuseOtherSnapshot(expectedSnapshot, workspaceSnapshot(handle, workspaceRevision));
  }

  async #commit(call: CommitCall, place: QueuePlace, planned: CommittablePlan): Promise<TryResult> {
    const { context, log } = this.#parts;
    const { options } = call;
    const { signal, dryRun } = options;
    const { plan, kept, remarks } = planned;
    const wanted = wantedDiff(options.includeDiff);
    const described = await driveSteps(describePlan(context, plan), timeSlice({ signal }));
    const recorded = { ...described, ...remarks };
    signal?.throwIfAborted();
    if (dryRun === true) {
      const { workspaceRevision } = await log.head({ signal });
      const shown = await this.#show(plan, wanted, kept, { signal });
      return { result: { dryRun: true, ...recorded, ...shown, idempotentReplay: false, workspaceRevision } };
    }
    const committed = await this.#commitBatch(call, place, { ...planned, recorded });
    if (committed.result === undefined || wanted === undefined) return committed;
    return { result: { ...committed.result, ...(await this.#showCommitted(plan, wanted, kept)) } };
  }

  async #commitBatch(
    call: CommitCall,
    place: QueuePlace,
    { plan, versionOf, records, recorded }: CommittablePlan & { readonly recorded: RecordedResult },
  ): Promise<TryResult> {
    const { context, idempotency, queue } = this.#parts;
    const { options, keyed } = call;
    const { signal } = options;
    const entry = await driveSteps(encodeRevisionEntry(this.#entry(call, plan, recorded)), timeSlice());
    const external = await this.#externalBatch(plan, versionOf, { signal });
    const part =
      keyed === undefined
        ? undefined
        : await idempotency.record(keyed.claim, keyed.argumentDigest, { signal });
    const batch = makeBatch({
      id: context.ids("rev"),
      plan,
      versionOf,
      entry,
      records: [records, part].filter((some) => some !== undefined),
    });
    // Both go to the storage together. What was found holds for both, or the commit is refused; its outcome is what is told.
    const noted =
      external &&
      queue
        .announce()
        .commit(external.batch, { signal })
        .then((outcome) => this.#note(outcome, external.delta))
        .catch(() => undefined);
    const outcome = await settled(place.commit(batch, { signal }), part).finally(() => noted);
    if (!outcome.committed) return { lost: lostExpectations(outcome) };
    rememberPlan(context.reads, plan, recorded.files);
    if (batch.entry !== undefined) this.#note(outcome, plan.delta);
    const workspaceRevision = formatWorkspaceRevision(outcome.sequence, outcome.hash);
    const warnings = [...recorded.warnings, ...(outcome.hardLinksBroken ?? []).map(hardLinkWarning)];
    return { result: { dryRun: false, ...recorded, idempotentReplay: false, workspaceRevision, warnings } };
  }

  /** Makes the batch that records what somebody changed past the library, of what the commit replaces; `undefined` where nobody did. */
  async #externalBatch(
    plan: Plan,
    versionOf: CommittablePlan["versionOf"],
    options: CancelOptions,
  ): Promise<{ readonly batch: StorageBatch; readonly delta: Delta } | undefined> {
    const { context, recorded } = this.#parts;
    const delta = await findExternal(context, recorded, plan.delta, options);
    if (isEmptyDelta(delta)) return undefined;
    const found = (path: string) => {
      const [file, version] = [plan.relies.get(path), versionOf(path)];
      return file === undefined || version === null ? undefined : { ...file, version };
    };
    return { batch: await externalBatch(context, { delta, found }), delta };
  }

  #note(outcome: CommitOutcome, delta: Delta): void {
    if (!outcome.committed) return;
    this.#parts.recorded.add(outcome.sequence, delta);
    this.#parts.committed(outcome.sequence);
  }

  async #show(
    plan: Plan,
    wanted: WantedDiff | undefined,
    kept: KeptContents | undefined,
    options: CancelOptions,
  ): Promise<Pick<ApplyResult, "diff">> {
    if (wanted === undefined) return {};
    const { diffPlan } = await import("./diff-plan.ts");
    return {
      diff: await driveSteps(diffPlan(this.#parts.context, plan, { ...wanted, kept }), timeSlice(options)),
    };
  }

  /** Made when the commit is done, so that it keeps nobody waiting and no signal can end the call any more. */
  async #showCommitted(
    plan: Plan,
    wanted: WantedDiff,
    kept: KeptContents | undefined,
  ): Promise<Pick<ApplyResult, "diff">> {
    try {
      return await this.#show(plan, wanted, kept, {});
    } catch (cause) {
      throw new HoldfastError("INTERNAL", { cause, written: "yes" });
    }
  }

  #entry({ operation, cause, options }: CommitCall, plan: Plan, result: RecordedResult): RevisionEntry {
    const { source, sessionId, exchange, reason, metadata, idempotencyKey } = options;
    const time = new Date(this.#parts.context.clock.now()).toISOString();
    const who = { source, sessionId, exchange, reason, metadata, idempotencyKey };
    return { time, cause, operation, ...who, delta: plan.delta, result };
  }
}

/** Waits for the outcome of a batch and tells the part that records its key what became of it. */
async function settled(
  outcome: Promise<CommitOutcome>,
  part: KeyedBatchPart | undefined,
): Promise<CommitOutcome> {
  let committed = false;
  try {
    const settledOutcome = await outcome;
    ({ committed } = settledOutcome);
    return settledOutcome;
  } finally {
    part?.settle(committed);
  }
}

function lostExpectations(outcome: CommitOutcome & { readonly committed: false }): readonly Expectation[] {
  if ("failed" in outcome) return outcome.failed;
  throw outcome.error;
}

function hardLinkWarning(path: string) {
  const message = `${quotePath(path)} had other names (hard links), which keep the old bytes.`;
  return { code: "HARD_LINK_BROKEN", message, path };
}
