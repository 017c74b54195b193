import { HoldfastError } from "../../base/holdfast-error.ts";
import type { SnapshotOptions } from "../../schema/snapshot.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { TransactionCall } from "../transaction-states.ts";
import type { Changed, OpenTransaction } from "./open-transaction.ts";
import { withSteps } from "./stage-step.ts";
import { type StagedStep, StagedSteps } from "./staged-steps.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/**
 * Undoes or redoes steps: a negative number undoes.
 *
 * @throws {@link HoldfastError} `TRANSACTION_HISTORY_UNAVAILABLE` when there are not so many; nothing is moved then.
 */
export async function moveSteps(
  transaction: OpenTransaction,
  call: "undo" | "redo",
  steps: number,
  options: SnapshotOptions,
): Promise<TransactionInfo> {
  return await moved(transaction, call, options, ({ steps: staged }) => {
    const cursor = staged.cursor + (call === "undo" ? -steps : steps);
    if (cursor >= 0 && cursor <= staged.steps.length) return cursor;
    const left = call === "undo" ? staged.cursor : staged.steps.length - staged.cursor;
    throw unavailable(
      `The transaction has ${left} ${left === 1 ? "step" : "steps"} to ${call}, not ${steps}.`,
    );
  });
}

/**
 * Undoes or redoes steps up to a savepoint; of several with one label, to the one nearest to the end.
 *
 * @throws {@link HoldfastError} `TRANSACTION_HISTORY_UNAVAILABLE` when no step has the label.
 */
export async function moveToSavepoint(
  transaction: OpenTransaction,
  label: string,
  options: SnapshotOptions,
): Promise<TransactionInfo> {
  return await moved(transaction, "undoTo", options, ({ record, steps }) => {
    const index = steps.steps.findLastIndex(({ labels }) => labels.includes(label));
    if (index >= 0) return index + 1;
    const atBase = steps.base?.labels ?? record.baseLabels;
    if (atBase.includes(label)) return 0;
    throw unavailable(`The transaction has no savepoint ${quotePath(label)}.`);
  });
}

/** Names the state of now. An earlier state with the same name keeps it for when this one is undone; states that were undone lose it. */
export async function setSavepoint(
  transaction: OpenTransaction,
  label: string,
  options: SnapshotOptions,
): Promise<TransactionInfo> {
  return await transaction.change("savepoint", options, async (stored) => {
    const { record, steps } = stored;
    const unlabel = (step: StagedStep): StagedStep => ({
      ...step,
      labels: step.labels.filter((known) => known !== label),
    });
    const relabel = (step: StagedStep): StagedStep => ({ ...step, labels: [...unlabel(step).labels, label] });
    if (steps.cursor > 0) {
      const labelled = steps.steps.map((step, index) => {
        if (index === steps.cursor - 1) return relabel(step);
        return index < steps.cursor ? step : unlabel(step);
      });
      return written(transaction, stored, new StagedSteps(steps.base, labelled, steps.cursor));
    }
    const undone = steps.steps.map(unlabel);
    if (steps.base !== undefined)
      return written(transaction, stored, new StagedSteps(relabel(steps.base), undone, 0));
    const baseLabels = [...record.baseLabels.filter((known) => known !== label), label];
    return written(
      transaction,
      { ...stored, record: { ...record, baseLabels } },
      new StagedSteps(undefined, undone, 0),
    );
  });
}

async function moved(
  transaction: OpenTransaction,
  call: TransactionCall,
  options: SnapshotOptions,
  cursorOf: (stored: StoredTransaction) => number,
): Promise<TransactionInfo> {
  return await transaction.change(call, options, async (stored) => {
    const cursor = cursorOf(stored);
    if (cursor === stored.steps.cursor) return { result: (same) => transaction.info(same) };
    return written(transaction, stored, stored.steps.at(cursor));
  });
}

function written(
  transaction: OpenTransaction,
  { record }: StoredTransaction,
  steps: StagedSteps,
): Changed<TransactionInfo> {
  return {
    change: { record: withSteps(record, steps), steps },
    result: (saved) => transaction.info(saved),
  };
}

function unavailable(message: string): HoldfastError {
  return new HoldfastError("TRANSACTION_HISTORY_UNAVAILABLE", { message });
}
