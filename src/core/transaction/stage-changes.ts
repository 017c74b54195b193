import { timeSlice } from "../../base/clock.ts";
import { HoldfastError, throwProblems } from "../../base/holdfast-error.ts";
import { driveSteps } from "../../base/steps.ts";
import { argumentDigest } from "../../history/argument-digest.ts";
import type { ApplyOptions, UpdateOptions } from "../../schema/apply-options.ts";
import type { ApplyResult } from "../../schema/apply-result.ts";
import type { TextFile } from "../../schema/read-results.ts";
import type { Change, PlannedChange } from "../../tree/change.ts";
import { isEmptyDelta } from "../../tree/delta.ts";
import type { Plan } from "../../tree/plan.ts";
import type { LineFacts } from "../../tree/plan-lines.ts";
import type { WorkspacePath } from "../../tree/workspace-path.ts";
import { describePlan } from "../describe-plan.ts";
import { diffPlan } from "../diff-plan.ts";
import type { Updated } from "../editable-view.ts";
import type { ChangeTarget } from "../file-editor.ts";
import { KeptContents } from "../kept-contents.ts";
import { type LoadedView, loadView } from "../load-view.ts";
import { planBatch } from "../plan-batch.ts";
import { readPatch } from "../read-patch.ts";
import { rememberPlan } from "../remember-plan.ts";
import { significantChanges, significantOptions } from "../significant-arguments.ts";
import { refuseOtherSnapshot } from "../snapshot.ts";
import { readForUpdate, updateChange } from "../update-change.ts";
import { wantedDiff } from "../wanted-diff.ts";
import type { ViewContext } from "../workspace-context.ts";
import type { Changed, OpenTransaction } from "./open-transaction.ts";
import { newPins, stageStep } from "./stage-step.ts";
import { stepContents } from "./step-contents.ts";
import type { StepCall } from "./transaction-record.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/** A call that stages. */
interface StagingCall {
  readonly operation: string;
  /** What its idempotency key is bound to. */
  readonly arguments: object;
  readonly options: ApplyOptions;
}

/** Stages changes in a transaction: plans them against its files and keeps the plan as one step. */
export class StageChanges implements ChangeTarget {
  readonly #transaction: OpenTransaction;

  constructor(transaction: OpenTransaction) {
    this.#transaction = transaction;
  }

  /** Stages checked changes. */
  async apply(changes: readonly Change[], options: ApplyOptions): Promise<ApplyResult> {
    const args = { changes: significantChanges(changes), options: significantOptions(options) };
    return await this.#stage({ operation: "apply", arguments: args, options }, async () => changes);
  }

  /** Stages what a patch comes to. */
  async applyPatch(patch: string, options: ApplyOptions): Promise<ApplyResult> {
    const args = { patch, options: significantOptions(options) };
    return await this.#stage({ operation: "applyPatch", arguments: args, options }, async () => {
      const parsed = await readPatch(this.#transaction.parts.context, patch, options);
      return parsed.problems === undefined ? parsed.changes : throwProblems(parsed.problems);
    });
  }

  /** Stages what a function makes of one file. */
  async update(
    path: WorkspacePath,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    { attempts, onStale: _always, ...options }: UpdateOptions,
  ): Promise<ApplyResult> {
    const args = { path, attempts, options: significantOptions(options) };
    return await this.#stage({ operation: "update", arguments: args, options }, async (stored) => {
      const view = this.#transaction.view(stored, { noted: true });
      const current = await readForUpdate(view, path, options);
      const next = await change(current);
      options.signal?.throwIfAborted();
      return [updateChange(path, current, next)];
    });
  }

  async #stage(
    call: StagingCall,
    changesFor: (stored: StoredTransaction) => Promise<readonly PlannedChange[]>,
  ): Promise<ApplyResult> {
    const transaction = this.#transaction;
    const { options } = call;
    return await transaction.change("apply", { signal: options.signal }, async (stored) => {
      const keyed = await this.#lookUp(call, stored);
      if (keyed?.replay !== undefined) return { result: () => keyed.replay as ApplyResult };
      refuseOtherSnapshot(options.expectedSnapshot, transaction.snapshot(stored));
      const changes = await changesFor(stored);
      const { signal } = options;
      const view = transaction.view(stored, { noted: false });
      const kept = options.includeDiff ? new KeptContents() : undefined;
      const loaded = await loadView(view, changes, { signal, kept });
      const { context, log, mergePolicy } = transaction.parts;
      const history = { storage: context.storage, log };
      const plan = await planBatch(view, history, { changes, options, mergePolicy, kept }, loaded);
      const result = await this.#describe(stored, { plan, options, kept });
      if (options.dryRun === true || isEmptyDelta(plan.delta)) return { result: () => result };
      return await this.#step(stored, { view, plan, loaded, result, keyed, signal });
    });
  }

  async #step(
    stored: StoredTransaction,
    {
      view,
      plan,
      loaded,
      result,
      keyed,
      signal,
    }: {
      readonly view: ViewContext;
      readonly plan: Plan;
      readonly loaded: LoadedView;
      readonly result: ApplyResult;
      readonly keyed: Omit<StepCall, "result"> | undefined;
      readonly signal: AbortSignal | undefined;
    },
  ): Promise<Changed<ApplyResult>> {
    rememberPlan(this.#transaction.parts.context.reads, plan, result.files);
    const isKept = (contentId: string) => this.#transaction.contents.rangeOf(contentId) !== undefined;
    const { diff: _shown, ...recorded } = result;
    const change = await stageStep(this.#transaction, stored, {
      delta: plan.delta,
      pins: newPins(plan.relies, stored.steps.pins, (path) => loaded.file(path)),
      contents: await stepContents(view, plan, isKept, { signal }),
      calls: keyed === undefined ? [] : [{ ...keyed, result: recorded }],
      facts: factsOfPlan(plan),
    });
    return { change, result: () => result };
  }

  async #describe(
    stored: StoredTransaction,
    {
      plan,
      options,
      kept,
    }: { readonly plan: Plan; readonly options: ApplyOptions; readonly kept: KeptContents | undefined },
  ): Promise<ApplyResult> {
    const { context } = this.#transaction.parts;
    const pause = timeSlice({ signal: options.signal });
    const described = await driveSteps(describePlan(context, plan), pause);
    const wanted = wantedDiff(options.includeDiff);
    const diff =
      wanted === undefined
        ? undefined
        : await driveSteps(diffPlan(context, plan, { ...wanted, kept }), pause);
    const dryRun = options.dryRun === true;
    return {
      dryRun,
      ...described,
      ...(diff !== undefined && { diff }),
      idempotentReplay: false,
      workspaceRevision: stored.record.baseRevision,
      ...(!dryRun && { stagedIn: this.#transaction.id }),
    };
  }

  /** Finds the step that a call with this key made, if it counts still; a repeat with other arguments is refused. */
  async #lookUp(
    { operation, arguments: args, options }: StagingCall,
    { steps, calls }: StoredTransaction,
  ): Promise<(Omit<StepCall, "result"> & { readonly replay?: ApplyResult }) | undefined> {
    const { idempotencyKey: key, signal } = options;
    if (key === undefined) return undefined;
    const { hashing } = this.#transaction.parts.context;
    const pause = timeSlice({ signal });
    const keyHash = await driveSteps(argumentDigest(hashing, "key", key), pause);
    const digest = await driveSteps(argumentDigest(hashing, operation, args), pause);
    const known = steps.counted
      .flatMap(({ number }) => calls.get(number) ?? [])
      .find((call) => call.keyHash === keyHash);
    if (known === undefined) return { keyHash, argumentDigest: digest };
    if (known.argumentDigest === digest)
      return { keyHash, argumentDigest: digest, replay: { ...known.result, idempotentReplay: true } };
    throw new HoldfastError("IDEMPOTENCY_KEY_REUSED", {
      message:
        "The idempotency key was used by another staging call of this transaction with other arguments.",
    });
  }
}

/** What a plan does to the lines of files that it changes in their place. */
function factsOfPlan({ files }: Plan): ReadonlyMap<string, LineFacts> {
  const facts = new Map<string, LineFacts>();
  for (const { path, operation, changedRanges, lineShifts, additions, removals, totalLines } of files)
    if (operation === "created" || operation === "modified" || operation === "deleted")
      facts.set(path, {
        changedRanges,
        lineShifts,
        additions,
        removals,
        ...(totalLines !== undefined && { totalLines }),
      });
  return facts;
}
