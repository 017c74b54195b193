import { utf8 } from "../../base/bytes.ts";
import type { CancelOptions } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Json } from "../../base/json.ts";
import type { ContentAppend, Expectation, StorageBatch } from "../../storage/storage-adapter.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { RecordChanges } from "../make-batch.ts";
import type { WorkspaceContext } from "../workspace-context.ts";
import { type StagedStep, StagedSteps } from "./staged-steps.ts";
import {
  decodeStep,
  decodeTransaction,
  encodeStep,
  encodeTransaction,
  readsKey,
  type StepCall,
  type StepName,
  type StoredRange,
  stepKey,
  type TransactionRecord,
  transactionKey,
} from "./transaction-record.ts";

/** A transaction as it was last read or written. */
export interface StoredTransaction {
  readonly record: TransactionRecord;
  /** The version of its record. */
  readonly version: string;
  readonly steps: StagedSteps;
  /** The calls that had idempotency keys, by the number of the step that they made or became a part of. */
  readonly calls: ReadonlyMap<number, readonly StepCall[]>;
}

/** What a change of a transaction writes. */
export interface TransactionChange {
  readonly record: TransactionRecord;
  /** The steps from now on, when they are others. */
  readonly steps?: StagedSteps | undefined;
  /** Steps whose records are written. */
  readonly put?: readonly StepToPut[] | undefined;
  /** Numbers of steps whose records go. */
  readonly drop?: readonly number[] | undefined;
  /** Bytes that are staged with it. */
  readonly append?: ContentAppend | undefined;
  /** The bytes of contents that it stages, by content id: kept in memory as well. */
  readonly contents?: ReadonlyMap<string, Uint8Array> | undefined;
  /** What has been read through the transaction, when that is to be written again. */
  readonly reads?: Json | undefined;
  /** Whether what was read counts no longer. */
  readonly forgetsReads?: boolean | undefined;
}

/** A step that is written. */
export interface StepToPut {
  readonly step: StagedStep;
  /** Where the bytes lie that it brought. */
  readonly contents: readonly StoredRange[];
  /** The calls that it stands for, as far as they had idempotency keys. */
  readonly calls: readonly StepCall[];
}

/** Keeps transactions in the records of a storage. */
export class TransactionStore {
  readonly #context: WorkspaceContext;

  constructor(context: WorkspaceContext) {
    this.#context = context;
  }

  /** The version of a transaction's record; `undefined` where there is none. */
  async versionOf(id: string, options: CancelOptions): Promise<string | undefined> {
    return (await this.#context.storage.readRecord(transactionKey(id), options))?.version;
  }

  /** Reads a transaction's own record. */
  async readRecord(
    id: string,
    options: CancelOptions,
  ): Promise<{ readonly record: TransactionRecord; readonly version: string }> {
    const stored = await this.#context.storage.readRecord(transactionKey(id), options);
    if (stored === undefined)
      throw new HoldfastError("TRANSACTION_NOT_FOUND", {
        message: `There is no transaction ${quotePath(id)}.`,
      });
    return { record: decodeTransaction(id, stored.bytes), version: stored.version };
  }

  /** Reads a transaction with all its steps. */
  async read(
    id: string,
    options: CancelOptions,
  ): Promise<StoredTransaction & { readonly ranges: readonly StoredRange[] }> {
    const { record, version } = await this.readRecord(id, options);
    const ranges: StoredRange[] = [];
    const calls = new Map<number, readonly StepCall[]>();
    const readStep = async (name: StepName): Promise<StagedStep> => {
      const stored = await this.#context.storage.readRecord(stepKey(id, name.number), options);
      if (stored === undefined)
        throw new HoldfastError("STORAGE_FAILED", {
          message: `The storage lost a step of transaction ${quotePath(id)}.`,
        });
      const { delta, pins, contents, calls: made } = decodeStep(id, stored.bytes);
      ranges.push(...contents);
      calls.set(name.number, made);
      return { ...name, delta, pins };
    };
    const base = record.base === undefined ? undefined : await readStep(record.base);
    const steps: StagedStep[] = [];
    for (const name of record.steps) steps.push(await readStep(name));
    return { record, version, steps: new StagedSteps(base, steps, record.cursor), ranges, calls };
  }

  /** Writes a new transaction; gives the version of its record. */
  async create(record: TransactionRecord, options: CancelOptions): Promise<string> {
    const version = await this.#commit(null, { record }, options);
    if (version !== undefined) return version;
    throw new HoldfastError("STORAGE_FAILED", {
      message: `The storage holds a transaction ${quotePath(record.id)} already.`,
    });
  }

  /** Writes a change under the condition that the record still has a version; `undefined`: it has another by now, and nothing was written. */
  async save(
    version: string,
    change: TransactionChange,
    options: CancelOptions,
  ): Promise<string | undefined> {
    return await this.#commit(version, change, options);
  }

  /** What a commit of files writes and expects of a transaction that ends with it. */
  finishing(version: string, record: TransactionRecord, reads: readonly Expectation[]): RecordChanges {
    const key = transactionKey(record.id);
    return {
      expect: [{ space: "records", key, version }, ...reads],
      putRecords: [{ key, bytes: encodeTransaction(record) }],
      deleteRecords: [],
    };
  }

  async #commit(
    version: string | null,
    { record, put = [], drop = [], append, reads, forgetsReads }: TransactionChange,
    { signal }: CancelOptions,
  ): Promise<string | undefined> {
    const { storage, ids } = this.#context;
    const key = transactionKey(record.id);
    const batch: StorageBatch = {
      id: ids("rev"),
      expect: [{ space: "records", key, version }],
      putFiles: [],
      deleteFiles: [],
      appendContent: append === undefined ? [] : [append],
      putRecords: [
        { key, bytes: encodeTransaction(record) },
        ...put.map(({ step, contents, calls }) => ({
          key: stepKey(record.id, step.number),
          bytes: encodeStep({ delta: step.delta, pins: step.pins, contents, calls }),
        })),
        ...(reads === undefined || forgetsReads === true
          ? []
          : [{ key: readsKey(record.id), bytes: utf8(JSON.stringify(reads)) }]),
      ],
      deleteRecords: [
        ...drop.map((number) => stepKey(record.id, number)),
        ...(forgetsReads === true ? [readsKey(record.id)] : []),
      ],
    };
    const [outcome] = await storage.commit([batch], { signal, flush: false });
    if (outcome === undefined) throw new HoldfastError("STORAGE_FAILED", { written: "unknown" });
    if (outcome.committed) return outcome.recordVersions.get(key);
    if ("failed" in outcome) return undefined;
    throw outcome.error;
  }
}

/** The bytes to stage as one run, and where each content lies in it. */
export function layOutContents(
  contents: ReadonlyMap<string, Uint8Array>,
  from: number,
): { readonly ranges: readonly StoredRange[]; readonly bytes: Uint8Array } {
  const ranges: StoredRange[] = [];
  let offset = from;
  for (const [contentId, { byteLength }] of contents) {
    ranges.push({ contentId, offset, byteLength });
    offset += byteLength;
  }
  const bytes = new Uint8Array(offset - from);
  for (const { contentId, offset: at } of ranges) bytes.set(contents.get(contentId) as Uint8Array, at - from);
  return { ranges, bytes };
}
