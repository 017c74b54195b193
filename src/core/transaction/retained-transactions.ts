import type { CancelOptions } from "../../base/clock.ts";
import type { RecordChanges } from "../make-batch.ts";
import type { WorkspaceContext } from "../workspace-context.ts";
import {
  readsKey,
  stepKey,
  type TransactionRecord,
  transactionKey,
  transactionPrefix,
} from "./transaction-record.ts";
import { type StoredTransaction, TransactionStore } from "./transaction-store.ts";

/** What transactions need of the past, and what of them is no longer kept. */
export interface RetainedTransactions {
  /** Contents that those which are not ended began from, by SHA-256. */
  readonly contents: ReadonlySet<string>;
  /** Removes the records of those that ended long ago; one batch each. */
  readonly stale: readonly RecordChanges[];
  /** The staged contents of those. */
  readonly staged: readonly string[];
}

/** Looks through all transactions: what is not ended is kept whole, what ended before a time (milliseconds since 1970) goes. */
export async function retainedTransactions(
  context: WorkspaceContext,
  endedBefore: number,
  options: CancelOptions,
): Promise<RetainedTransactions> {
  const store = new TransactionStore(context);
  const contents = new Set<string>();
  const stale: RecordChanges[] = [];
  const staged: string[] = [];
  for await (const key of context.storage.listRecords(transactionPrefix, options)) {
    const id = key.slice(transactionPrefix.length);
    const { record, version } = await store.readRecord(id, options);
    if (record.endedAt === undefined)
      for (const content of baseContents(await store.read(id, options))) contents.add(content);
    else if (Date.parse(record.endedAt) < endedBefore) {
      stale.push(removal(record, version));
      if (record.staged !== undefined) staged.push(record.staged.id);
    }
  }
  return { contents, stale, staged };
}

function baseContents({ steps }: Pick<StoredTransaction, "steps">): readonly string[] {
  return [steps.base, ...steps.steps].flatMap((step) =>
    [...(step?.pins.values() ?? [])].flatMap(({ state }) => state?.contentId ?? []),
  );
}

function removal(record: TransactionRecord, version: string): RecordChanges {
  const key = transactionKey(record.id);
  const steps = [record.base, ...record.steps].flatMap((step) =>
    step === undefined ? [] : [stepKey(record.id, step.number)],
  );
  return {
    expect: [{ space: "records", key, version }],
    putRecords: [],
    deleteRecords: [key, readsKey(record.id), ...steps],
  };
}
