import { type CancelOptions, timeSlice } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { driveSteps } from "../../base/steps.ts";
import type { CommitResult } from "../../schema/commit-result.ts";
import type { CommitOptions } from "../../schema/transaction-options.ts";
import { isEmptyDelta } from "../../tree/delta.ts";
import type { FileState } from "../../tree/file-state.ts";
import type { LoadedFile, Plan } from "../../tree/plan.ts";
import { planDelta } from "../../tree/plan-delta.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { Committer, FoundKey } from "../committer.ts";
import { refuseOtherSnapshot } from "../snapshot.ts";
import { nextState } from "../transaction-states.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import type { StoredTransaction } from "./transaction-store.ts";

const mostAttempts = 8;

/**
 * Commits what a transaction has staged, under the condition that all it relies on is as it was. With nothing staged it stays active.
 *
 * @throws {@link HoldfastError} `TRANSACTION_CONFLICTED` when something changed meanwhile: nothing is written then, and it can be rebased.
 */
export async function commitTransaction(
  transaction: OpenTransaction,
  committer: Committer,
  options: CommitOptions,
  keyed: FoundKey | undefined,
): Promise<CommitResult> {
  const { expectedSnapshot, ...callOptions } = options;
  const { signal } = callOptions;
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const stored = await transaction.enter("commit", { signal });
    refuseOtherSnapshot(expectedSnapshot, transaction.snapshot(stored));
    if (isEmptyDelta(stored.steps.delta)) return await nothingStaged(transaction, { signal });
    const plan = await planOf(transaction, stored, { signal });
    const { steps, record, version } = stored;
    const endedAt = new Date(transaction.parts.context.clock.now()).toISOString();
    const mergedPaths = record.mergedPaths.filter((path) => steps.delta.changes.has(path));
    const committed = { ...record, state: nextState(record.state, "committed"), endedAt };
    const finishing = transaction.parts.store.finishing(
      version,
      committed,
      transaction.expectedReads(stored),
    );
    const tried = await committer.commitPlan(
      { operation: "commit", cause: "transaction", options: callOptions, keyed },
      {
        plan,
        versionOf: (path) => {
          const pin = steps.pins.get(path);
          return pin === undefined ? null : transaction.outside.versionOf(path, pin);
        },
        remarks: { mergedPaths },
        records: finishing,
      },
    );
    if (tried.result === undefined) {
      transaction.outside.distrust();
      continue;
    }
    const { dryRun: _never, alreadyApplied: _done, stagedIn: _in, ...result } = tried.result;
    transaction.parts.tell("transactionUpdated", transaction.id, steps.changedPaths);
    return { committed: true, ...result, mergedPaths };
  }
  throw new HoldfastError("TARGET_BUSY", {
    message: `Others changed transaction ${quotePath(transaction.id)} ${mostAttempts} times while it was to be committed.`,
  });
}

async function nothingStaged(transaction: OpenTransaction, options: CancelOptions): Promise<CommitResult> {
  const { context, log } = transaction.parts;
  const { workspaceRevision } = await log.head(options);
  return {
    committed: false,
    workspaceRevision,
    revisionAlgorithm: context.revisionAlgorithm,
    files: [],
    additions: 0,
    removals: 0,
    mergedPaths: [],
    warnings: [],
    idempotentReplay: false,
  };
}

async function planOf(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  options: CancelOptions,
): Promise<Plan> {
  const { steps } = stored;
  const { limits } = transaction.parts.context;
  const bytes = new Map<string, Uint8Array>();
  const note = async (state: FileState | undefined) => {
    if (state === undefined || bytes.has(state.contentId)) return;
    const known = await transaction.contents.bytesOf(stored.record.staged?.id, state.contentId, options);
    if (known !== undefined) bytes.set(state.contentId, known);
  };
  for (const { before, after } of steps.delta.changes.values()) {
    await note(before);
    await note(after);
  }
  const relies = new Map<string, LoadedFile | undefined>();
  for (const [path, { state, revision }] of steps.pins)
    relies.set(
      path,
      state === undefined
        ? undefined
        : { ...state, revision: revision ?? "", bytes: bytes.get(state.contentId) },
    );
  const source = {
    relies,
    contentOf: (contentId: string) => bytes.get(contentId),
    textBytes: limits.textBytes,
    factsOf: (path: string) => steps.factsOf(path),
  };
  return await driveSteps(planDelta(steps.delta, source), timeSlice(options));
}
