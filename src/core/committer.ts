import { hashInSteps } from "../base/byte-steps.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { HoldfastError, throwProblems } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { Idempotency, KeyClaim, KeyedBatchPart } from "../history/idempotency.ts";
import { encodeRevisionEntry, type RecordedResult, type RevisionEntry } from "../history/revision-entry.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import { formatWorkspaceRevision } from "../history/workspace-revision.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import type { CommitOutcome, Expectation } from "../storage/storage-adapter.ts";
import type { PlannedChange } from "../tree/change.ts";
import type { Plan, PlanOptions } from "../tree/plan.ts";
import { planChanges } from "../tree/plan-changes.ts";
import { quotePath } from "../tree/quote-path.ts";
import { tellChangedBy } from "./changed-by.ts";
import type { CommitQueue, QueuePlace } from "./commit-queue.ts";
import { describePlan } from "./describe-plan.ts";
import { diffPlan, type WantedDiff, wantedDiff } from "./diff-plan.ts";
import { isRevision } from "./fingerprint.ts";
import { type LoadedView, loadView } from "./load-view.ts";
import { makeBatch } from "./make-batch.ts";
import { tellSimilarPaths } from "./similar-problems.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** A call that is to change files, its arguments checked. */
export interface CommitRequest {
  /** Which method was called, for the record. */
  readonly operation: string;
  /** The changes. */
  readonly changes: readonly PlannedChange[];
  /** The call's options. */
  readonly options: ApplyOptions;
  /** What was found where the call's idempotency key is recorded; left out when it has none or is a dry run. */
  readonly keyed?: { readonly claim: KeyClaim; readonly argumentDigest: string } | undefined;
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

  async #planAndCommit(request: CommitRequest, place: QueuePlace): Promise<TryResult> {
    const { context, log } = this.#parts;
    const { options } = request;
    const { signal } = options;
    const wanted = wantedDiff(options.includeDiff);
    const view = await loadView(context, request.changes, { signal, kept: wanted?.kept });
    const plan = await this.#plan(request, view);
    const recorded = await driveSteps(describePlan(context, plan), timeSlice({ signal }));
    signal?.throwIfAborted();
    if (options.dryRun === true) {
      const { workspaceRevision } = await log.head({ signal });
      const shown = await this.#show(plan, wanted, { signal });
      return { result: { dryRun: true, ...recorded, ...shown, idempotentReplay: false, workspaceRevision } };
    }
    const committed = await this.#commit(request, place, { plan, view, recorded });
    if (committed.result === undefined || wanted === undefined) return committed;
    return { result: { ...committed.result, ...(await this.#showCommitted(plan, wanted)) } };
  }

  async #plan({ changes, options }: CommitRequest, view: LoadedView): Promise<Plan> {
    const { context, log } = this.#parts;
    const planned = await driveSteps(
      planChanges(changes, view, planOptions(context)),
      timeSlice({ signal: options.signal }),
    );
    if (planned.plan !== undefined) return planned.plan;
    const { source, sessionId, signal } = options;
    const told = await tellChangedBy(log, planned.problems, (path) => view.file(path), {
      source,
      sessionId,
      signal,
    });
    throwProblems(await tellSimilarPaths(context.storage, told, { signal }));
  }

  async #commit(
    request: CommitRequest,
    place: QueuePlace,
    {
      plan,
      view,
      recorded,
    }: { readonly plan: Plan; readonly view: LoadedView; readonly recorded: RecordedResult },
  ): Promise<TryResult> {
    const { context, idempotency, committed } = this.#parts;
    const { options, keyed } = request;
    const entry = await driveSteps(encodeRevisionEntry(this.#entry(request, plan, recorded)), timeSlice());
    const part =
      keyed === undefined
        ? undefined
        : await idempotency.record(keyed.claim, keyed.argumentDigest, { signal: options.signal });
    const batch = makeBatch({
      id: context.ids("rev"),
      plan,
      versionOf: (path) => view.file(path)?.version ?? null,
      entry,
      keyed: part,
    });
    const outcome = await settled(place.commit(batch, { signal: options.signal }), part);
    if (!outcome.committed) return { lost: lostExpectations(outcome) };
    if (batch.entry !== undefined) committed(outcome.sequence);
    const workspaceRevision = formatWorkspaceRevision(outcome.sequence, outcome.hash);
    const warnings = [...recorded.warnings, ...(outcome.hardLinksBroken ?? []).map(hardLinkWarning)];
    return { result: { dryRun: false, ...recorded, idempotentReplay: false, workspaceRevision, warnings } };
  }

  async #show(
    plan: Plan,
    wanted: WantedDiff | undefined,
    options: CancelOptions,
  ): Promise<Pick<ApplyResult, "diff">> {
    if (wanted === undefined) return {};
    return { diff: await driveSteps(diffPlan(this.#parts.context, plan, wanted), timeSlice(options)) };
  }

  /** Made when the commit is done, so that it keeps nobody waiting and no signal can end the call any more. */
  async #showCommitted(plan: Plan, wanted: WantedDiff): Promise<Pick<ApplyResult, "diff">> {
    try {
      return await this.#show(plan, wanted, {});
    } catch (cause) {
      throw new HoldfastError("INTERNAL", { cause, written: "yes" });
    }
  }

  #entry({ operation, options }: CommitRequest, plan: Plan, result: RecordedResult): RevisionEntry {
    const { source, sessionId, exchange, reason, metadata, idempotencyKey } = options;
    const time = new Date(this.#parts.context.clock.now()).toISOString();
    const who = { source, sessionId, exchange, reason, metadata, idempotencyKey };
    const cause = operation === "applyPatch" ? "patch" : "apply";
    return { time, cause, operation, ...who, delta: plan.delta, result };
  }
}

function planOptions(context: WorkspaceContext): PlanOptions {
  return {
    contentId: (bytes) => hashInSteps(context.hashing, "sha256", bytes),
    isRevision: (text) => isRevision(context, text),
    names: context.names,
    folds: !context.storage.capabilities.caseSensitive,
    limits: context.limits,
  };
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
