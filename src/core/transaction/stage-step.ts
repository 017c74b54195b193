import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Delta } from "../../tree/delta.ts";
import type { FileState } from "../../tree/file-state.ts";
import type { LoadedFile } from "../../tree/plan.ts";
import { stateOf } from "../../tree/plan-context.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import type { Pin, StagedStep } from "./staged-steps.ts";
import type { StepCall, StepName, StoredRange, TransactionRecord } from "./transaction-record.ts";
import {
  layOutContents,
  type StepToPut,
  type StoredTransaction,
  type TransactionChange,
} from "./transaction-store.ts";

/** What a step is made of. */
export interface StepParts {
  /** From the state now to the one after it. */
  readonly delta: Delta;
  /** Paths that the transaction relies on from now on. */
  readonly pins: ReadonlyMap<string, Pin>;
  /** Bytes to keep with it, by content id: those that it brings, and those that it began from. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The calls that it stands for, as far as they had idempotency keys. Default: none. */
  readonly calls?: readonly StepCall[] | undefined;
  /** What the step does to lines, where that is known. */
  readonly facts?: StagedStep["facts"];
}

/**
 * Makes the change that stages one step more. Steps that were undone are dropped; at the undo depth the oldest goes into the base, or the step is
 * refused.
 *
 * @throws {@link HoldfastError} `REVISION_CAPACITY_REACHED`.
 */
export async function stageStep(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  parts: StepParts,
): Promise<TransactionChange> {
  const { record } = stored;
  const { ids } = transaction.parts.context;
  if (stored.steps.cursor >= record.undoDepth && record.onCapacity === "refuse")
    throw capacityReached(record);
  const kept = await keepContents(transaction, record, parts.contents);
  const step: StagedStep = {
    number: record.nextNumber,
    snapshotId: ids("rev"),
    labels: [],
    delta: parts.delta,
    pins: parts.pins,
    facts: parts.facts,
  };
  const dropped = stored.steps.steps.slice(stored.steps.cursor).map(({ number }) => number);
  const put: StepToPut[] = [
    { step, contents: rangesOf(transaction, step, kept.ranges), calls: parts.calls ?? [] },
  ];
  let steps = stored.steps.with(step);
  let { squashed } = record;
  let squashedCalls = callsOf(stored, steps.base);
  while (steps.cursor > record.undoDepth) {
    const { base } = steps;
    squashedCalls = [...squashedCalls, ...callsOf(stored, steps.steps[0])];
    steps = steps.squashed();
    squashed += 1;
    if (steps.base === undefined) break;
    if (base !== undefined) dropped.push(base.number);
    put.push({
      step: steps.base,
      contents: rangesOf(transaction, steps.base, kept.ranges),
      calls: squashedCalls,
    });
  }
  return {
    record: withSteps({ ...record, squashed, staged: kept.staged, nextNumber: record.nextNumber + 1 }, steps),
    steps,
    put,
    drop: dropped,
    append: kept.append,
    contents: parts.contents,
  };
}

function callsOf({ calls }: StoredTransaction, step: StagedStep | undefined): readonly StepCall[] {
  return step === undefined ? [] : (calls.get(step.number) ?? []);
}

/** The places of all bytes that a step names, so that its record alone tells them. */
function rangesOf(
  transaction: OpenTransaction,
  { delta, pins }: StagedStep,
  fresh: readonly StoredRange[],
): readonly StoredRange[] {
  const freshById = new Map(fresh.map((range) => [range.contentId, range]));
  const named = new Map<string, StoredRange>();
  const note = (state: FileState | undefined) => {
    const id = state?.contentId;
    const range = id === undefined ? undefined : (freshById.get(id) ?? transaction.contents.rangeOf(id));
    if (range !== undefined) named.set(range.contentId, range);
  };
  for (const { before, after } of delta.changes.values()) for (const state of [before, after]) note(state);
  for (const { state } of pins.values()) note(state);
  return [...named.values()];
}

/** The record with the names of these steps in it. */
export function withSteps(record: TransactionRecord, steps: StoredTransaction["steps"]): TransactionRecord {
  return {
    ...record,
    base: steps.base === undefined ? undefined : nameOf(steps.base),
    steps: steps.steps.map(nameOf),
    cursor: steps.cursor,
  };
}

function nameOf({ number, snapshotId, labels }: StagedStep): StepName {
  return { number, snapshotId, labels };
}

/** The pins of files that a plan relies on, but for those that are relied on already. */
export function newPins(
  relies: ReadonlyMap<string, LoadedFile | undefined>,
  known: ReadonlyMap<string, Pin>,
  loaded: (path: string) => { readonly version: string; readonly stamp?: string | undefined } | undefined,
): ReadonlyMap<string, Pin> {
  const pins = new Map<string, Pin>();
  for (const [path, file] of relies) {
    if (known.has(path)) continue;
    const { version = null, stamp } = loaded(path) ?? {};
    pins.set(path, { state: stateOf(file), revision: file?.revision, version, stamp });
  }
  return pins;
}

async function keepContents(
  transaction: OpenTransaction,
  record: TransactionRecord,
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<
  ReturnType<typeof layOutContents> & Pick<TransactionRecord, "staged"> & Pick<TransactionChange, "append">
> {
  const fresh = new Map(
    [...contents].filter(([contentId]) => transaction.contents.rangeOf(contentId) === undefined),
  );
  const from = record.staged?.byteLength ?? 0;
  const laidOut = layOutContents(fresh, from);
  if (laidOut.bytes.byteLength === 0) return { ...laidOut, staged: record.staged };
  const id = record.staged?.id ?? (await transaction.parts.context.storage.stageContent({}));
  return {
    ...laidOut,
    staged: { id, byteLength: from + laidOut.bytes.byteLength },
    append: { staged: id, at: from, bytes: laidOut.bytes },
  };
}

function capacityReached({ undoDepth }: TransactionRecord): HoldfastError {
  return new HoldfastError("REVISION_CAPACITY_REACHED", {
    message: `The transaction holds ${undoDepth} steps, as many as it may.`,
  });
}
