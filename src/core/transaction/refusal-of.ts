import { HoldfastError } from "../../base/holdfast-error.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { TransactionRecord } from "./transaction-record.ts";

/** The refusal of a call that the state of a transaction does not allow. */
export function refusalOf(
  code: "NO_ACTIVE_TRANSACTION" | "TRANSACTION_CONFLICTED",
  { id, state, conflictPaths }: TransactionRecord,
): HoldfastError {
  if (code === "NO_ACTIVE_TRANSACTION") {
    const how = state === "committed" ? "committed" : "rolled back";
    return new HoldfastError(code, { message: `Transaction ${quotePath(id)} has been ${how}.` });
  }
  const some = conflictPaths.slice(0, 3).map(quotePath).join(", ");
  return new HoldfastError(code, {
    message: `Others changed ${some === "" ? "the workspace" : some} since transaction ${quotePath(id)} relied on it.`,
    details: { transactionId: id, paths: conflictPaths },
  });
}
