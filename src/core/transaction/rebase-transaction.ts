import type { CancelOptions } from "../../base/clock.ts";
import { throwProblems } from "../../base/holdfast-error.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import type { Conflict } from "../../tree/conflict.ts";
import { type Delta, isEmptyDelta } from "../../tree/delta.ts";
import type { Resolutions } from "../../tree/resolution.ts";
import { mergeOnto, type OntoResult } from "../merge-onto.ts";
import { nextState } from "../transaction-states.ts";
import type { Changed, OpenTransaction } from "./open-transaction.ts";
import { groundOf, type RebaseGround } from "./rebase-ground.ts";
import { stageStep, withSteps } from "./stage-step.ts";
import { StagedSteps } from "./staged-steps.ts";
import type { StoredTransaction } from "./transaction-store.ts";

type Merged = Exclude<OntoResult, { readonly merge?: undefined }>;

/**
 * Puts what a transaction in conflict has staged onto what is there now: as one step, with the state of now as the baseline. What does not go
 * together comes back as conflicts, and the transaction stays as it was.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for resolutions that fit no conflict.
 */
export async function rebaseTransaction(
  transaction: OpenTransaction,
  { resolutions, signal }: CancelOptions & { readonly resolutions?: Resolutions | undefined },
): Promise<TransactionInfo> {
  return await transaction.change("rebase", { signal }, async (stored) => {
    if (stored.record.state === "active") return { result: (same) => transaction.info(same) };
    return await rebased(transaction, stored, { resolutions, signal });
  });
}

async function rebased(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  { resolutions = {}, signal }: CancelOptions & { readonly resolutions?: Resolutions | undefined },
): Promise<Changed<TransactionInfo>> {
  const { context, log, mergePolicy } = transaction.parts;
  const head = await log.head({ signal });
  const ground = await groundOf(transaction, stored, { signal });
  const { incoming } = ground;
  const input = {
    incoming,
    current: (path: string) => ground.states.get(path),
    besides: ground.besides(incoming, ground.states),
    contentOf: (contentId: string) => ground.bytesOf(contentId),
    mergePolicy,
  };
  const open = await mergeOnto(context, input, { signal });
  const conflicts = open.merge?.conflicts ?? [];
  if (conflicts.some(({ path }) => !Object.hasOwn(resolutions, path)))
    return { result: (same) => inConflict(transaction, same, conflicts) };
  const isAnswered = Object.keys(resolutions).length > 0;
  const onto = isAnswered ? await mergeOnto(context, { ...input, resolutions }, { signal }) : open;
  if (onto.problems !== undefined) throwProblems(onto.problems);
  return await onNow(transaction, stored, { ground, head, onto });
}

/** The change that makes the merged delta the one step of the transaction, and what is there now what it relies on. */
async function onNow(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  {
    ground,
    head: { sequence, workspaceRevision },
    onto: { merge, contents },
  }: {
    readonly ground: RebaseGround;
    readonly head: { readonly sequence: number; readonly workspaceRevision: string };
    readonly onto: Merged;
  },
): Promise<Changed<TransactionInfo>> {
  const { record } = stored;
  const steps = new StagedSteps(undefined, [], 0);
  const fresh: StoredTransaction = {
    ...stored,
    record: {
      ...withSteps(record, steps),
      state: nextState(record.state, "rebased"),
      mergedPaths: [...new Set([...record.mergedPaths, ...merge.mergedPaths])].sort(),
      conflictPaths: [],
      squashed: 0,
      rebases: record.rebases + 1,
      baseSequence: sequence,
      baseRevision: workspaceRevision,
      // What others did may be in no revision.
      baseSnapshotId: transaction.parts.context.ids("rev"),
      baseLabels: [],
    },
    steps,
  };
  const old = [stored.steps.base, ...stored.steps.steps].flatMap((step) => step?.number ?? []);
  const result = (saved: StoredTransaction) => transaction.info(saved);
  if (isEmptyDelta(merge.delta))
    return { change: { record: fresh.record, steps, drop: old, forgetsReads: true }, result };
  const change = await stageStep(transaction, fresh, {
    delta: merge.delta,
    pins: await ground.pinsOf([...merge.delta.changes.keys()]),
    contents: new Map([...(await namedBytes(ground, merge.delta)), ...contents]),
    calls: stored.steps.counted.flatMap(({ number }) => stored.calls.get(number) ?? []),
  });
  return { change: { ...change, drop: [...old, ...(change.drop ?? [])], forgetsReads: true }, result };
}

function inConflict(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  conflicts: readonly Conflict[],
): TransactionInfo {
  transaction.keepConflicts(stored, conflicts);
  return transaction.info(stored);
}

/** The bytes of all states that the merged step names, as far as they are known. */
async function namedBytes(ground: RebaseGround, delta: Delta): Promise<ReadonlyMap<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>();
  for (const { before, after } of delta.changes.values())
    for (const state of [before, after]) {
      if (state === undefined || bytes.has(state.contentId)) continue;
      const known = await ground.bytesOf(state.contentId);
      if (known !== undefined) bytes.set(state.contentId, known);
    }
  return bytes;
}
