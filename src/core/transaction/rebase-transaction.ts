import type { CancelOptions } from "../../base/clock.ts";
import { throwProblems } from "../../base/holdfast-error.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import type { Conflict } from "../../tree/conflict.ts";
import { isEmptyDelta } from "../../tree/delta.ts";
import { stateOf } from "../../tree/plan-context.ts";
import type { Resolutions } from "../../tree/resolution.ts";
import { eachBounded } from "../each-bounded.ts";
import { loadFile, type VersionedFile } from "../load-folder.ts";
import { mergeOnto } from "../merge-onto.ts";
import { nextState } from "../transaction-states.ts";
import type { Changed, OpenTransaction } from "./open-transaction.ts";
import { stageStep, withSteps } from "./stage-step.ts";
import { type Pin, StagedSteps } from "./staged-steps.ts";
import type { StoredTransaction } from "./transaction-store.ts";

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
  const { sequence, workspaceRevision } = await log.head({ signal });
  const now = await loadNow(transaction, stored, { signal });
  const input = {
    incoming: stored.steps.delta,
    current: (path: string) => stateOf(now.get(path)),
    contentOf: async (contentId: string) =>
      findBytes(now, contentId) ?? (await transaction.bytesOf(stored, contentId, { signal })),
    mergePolicy,
  };
  const open = await mergeOnto(context, input, { signal });
  const conflicts = open.merge?.conflicts ?? [];
  if (conflicts.some(({ path }) => !Object.hasOwn(resolutions, path)))
    return { result: (same) => inConflict(transaction, same, conflicts) };
  const onto =
    conflicts.length === 0 ? open : await mergeOnto(context, { ...input, resolutions }, { signal });
  if (onto.problems !== undefined) throwProblems(onto.problems);
  const { merge, contents } = onto;
  const pins = new Map<string, Pin>();
  for (const [path, file] of now)
    pins.set(path, { state: stateOf(file), revision: file?.revision, version: file?.version ?? null });
  const fresh: StoredTransaction = {
    ...stored,
    record: {
      ...withSteps(stored.record, new StagedSteps(undefined, [], 0)),
      state: nextState(stored.record.state, "rebased"),
      mergedPaths: [...new Set([...stored.record.mergedPaths, ...merge.mergedPaths])].sort(),
      conflictPaths: [],
      squashed: 0,
      baseSequence: sequence,
      baseRevision: workspaceRevision,
      baseLabels: [],
    },
    steps: new StagedSteps(undefined, [], 0),
  };
  const old = [stored.steps.base, ...stored.steps.steps].flatMap((step) => step?.number ?? []);
  const result = (saved: StoredTransaction) => transaction.info(saved);
  if (isEmptyDelta(merge.delta))
    return { change: { record: fresh.record, steps: fresh.steps, drop: old, forgetsReads: true }, result };
  const known = new Map([...(await wantedBytes(transaction, stored, merge.delta, { signal })), ...contents]);
  const change = await stageStep(transaction, fresh, {
    delta: merge.delta,
    pins,
    contents: known,
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

/** What is at every path that the transaction relies on, with the bytes of those that it changes. */
async function loadNow(
  transaction: OpenTransaction,
  { steps }: StoredTransaction,
  { signal }: CancelOptions,
): Promise<ReadonlyMap<string, VersionedFile | undefined>> {
  const now = new Map<string, VersionedFile | undefined>();
  for (const path of steps.pins.keys()) now.set(path, undefined);
  await eachBounded([...steps.pins.keys()], async (path) => {
    const keepBytes = steps.states.has(path);
    const file = await loadFile(transaction.parts.context, path, { signal, limit: "binaryBytes", keepBytes });
    now.set(path, file);
  });
  return now;
}

function findBytes(
  files: ReadonlyMap<string, VersionedFile | undefined>,
  contentId: string,
): Uint8Array | undefined {
  for (const file of files.values()) if (file?.contentId === contentId && file.bytes) return file.bytes;
  return undefined;
}

/** The bytes of all states that the merged step names, as far as they are known. */
async function wantedBytes(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  delta: StoredTransaction["steps"]["delta"],
  options: CancelOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const bytes = new Map<string, Uint8Array>();
  for (const { before, after } of delta.changes.values())
    for (const state of [before, after]) {
      if (state === undefined || bytes.has(state.contentId)) continue;
      const known = await transaction.bytesOf(stored, state.contentId, options);
      if (known !== undefined) bytes.set(state.contentId, known);
    }
  return bytes;
}
