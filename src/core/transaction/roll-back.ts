import type { CancelOptions } from "../../base/clock.ts";
import type { TransactionInfo } from "../../schema/transaction-info.ts";
import { nextState } from "../transaction-states.ts";
import type { OpenTransaction } from "./open-transaction.ts";

/** Ends a transaction without writing files; one that was rolled back before tells the same again. */
export async function rollBackTransaction(
  transaction: OpenTransaction,
  options: CancelOptions,
): Promise<TransactionInfo> {
  return await transaction.change("rollback", options, async (stored) => {
    const { record } = stored;
    if (record.state === "rolledBack") return { result: (same) => transaction.info(same) };
    const endedAt = new Date(transaction.parts.context.clock.now()).toISOString();
    const wasConflicted = record.state === "conflicted";
    return {
      change: { record: { ...record, state: nextState(record.state, "rolledBack"), endedAt } },
      result: (saved) => {
        transaction.parts.ended(transaction.id);
        if (wasConflicted) transaction.parts.conflictRolledBack();
        return transaction.info(saved);
      },
    };
  });
}
