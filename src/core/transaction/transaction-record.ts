import { utf8 } from "../../base/bytes.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { Json } from "../../base/json.ts";
import type { ApplyResult } from "../../schema/apply-result.ts";
import type { TransactionState } from "../../schema/transaction-info.ts";
import { deltaFromJson, deltaToJson, stateFromJson, stateToJson } from "../../tree/delta-json.ts";
import { quotePath } from "../../tree/quote-path.ts";
import type { Pin, StagedStep } from "./staged-steps.ts";

/** What changes outside count as conflicts: those of paths relied on, of paths read as well, or all. */
export type ConflictScope = "touched" | "read" | "workspace";

/** A step as the transaction's own record names it; the rest of it has a record of its own. */
export interface StepName {
  readonly number: number;
  readonly snapshotId: string;
  readonly labels: readonly string[];
}

/** What is kept of a transaction, but for what its steps hold. */
export interface TransactionRecord {
  readonly id: string;
  readonly label?: string | undefined;
  readonly conflictScope: ConflictScope;
  readonly undoDepth: number;
  readonly onCapacity: "squash" | "refuse";
  /** Who began it. */
  readonly source?: string | undefined;
  /** When it was begun, RFC 3339. */
  readonly createdAt: string;
  readonly state: TransactionState;
  /** When it was committed or rolled back, RFC 3339. */
  readonly endedAt?: string | undefined;
  /** How often it was rebased; what was read before counts no longer. */
  readonly rebases: number;
  /** The newest log entry when it was begun, or last rebased. */
  readonly baseSequence: number;
  /** The workspace revision then. */
  readonly baseRevision: string;
  /** Names the state at revision 0. */
  readonly baseSnapshotId: string;
  /** Savepoints at revision 0. */
  readonly baseLabels: readonly string[];
  /** The staged content that holds the bytes, and how many; left out while there are none. */
  readonly staged?: { readonly id: string; readonly byteLength: number } | undefined;
  /** Steps that were merged into the base. */
  readonly squashed: number;
  /** The base's record; left out where there is none. */
  readonly base?: StepName | undefined;
  readonly steps: readonly StepName[];
  readonly cursor: number;
  /** The number of the next step. */
  readonly nextNumber: number;
  /** Paths whose content rebases merged with what others did, sorted. */
  readonly mergedPaths: readonly string[];
  /** Paths that changed outside; empty unless it is in conflict. */
  readonly conflictPaths: readonly string[];
}

/** Where bytes lie in the staged content. */
export interface StoredRange {
  readonly contentId: string;
  readonly offset: number;
  readonly byteLength: number;
}

/** The call that made a step, for its repeat. */
export interface StepCall {
  readonly keyHash: string;
  readonly argumentDigest: string;
  readonly result: ApplyResult;
}

/** What is kept of one step. */
export interface StepRecord extends Pick<StagedStep, "delta" | "pins"> {
  /** The bytes that it brought. */
  readonly contents: readonly StoredRange[];
  /** The calls that it stands for, as far as they had idempotency keys. */
  readonly calls: readonly StepCall[];
}

const currentFormat = 1;

/** The key of a transaction's record. */
export function transactionKey(id: string): string {
  return `${transactionPrefix}${id}`;
}

/** Begins the keys of all records of transactions. */
export const transactionPrefix = "transactions/";

/** The key of a step's record. */
export function stepKey(id: string, number: number): string {
  return `transaction-steps/${id}/${number}`;
}

/** The key of the record of what a transaction has read. */
export function readsKey(id: string): string {
  return `transaction-reads/${id}`;
}

/** Gives the bytes of a transaction's record. */
export function encodeTransaction(record: TransactionRecord): Uint8Array {
  return utf8(JSON.stringify({ format: currentFormat, ...record }));
}

/** Reads what {@link encodeTransaction} gave. */
export function decodeTransaction(id: string, bytes: Uint8Array): TransactionRecord {
  const { format, ...record } = parseRecord(id, bytes) as unknown as TransactionRecord & { format: unknown };
  const isWhole =
    record.id === id && Array.isArray(record.steps) && Array.isArray(record.conflictPaths) && format === 1;
  if (!isWhole) throw broken(id);
  return record;
}

/** Gives the bytes of a step's record. */
export function encodeStep({ delta, pins, contents, calls }: StepRecord): Uint8Array {
  return utf8(
    JSON.stringify({
      format: currentFormat,
      delta: deltaToJson(delta),
      pins: [...pins].map(([path, { state, revision, version }]) => [
        path,
        stateToJson(state),
        revision ?? null,
        version,
      ]),
      contents: contents.map(({ contentId, offset, byteLength }) => [contentId, offset, byteLength]),
      ...(calls.length > 0 && { calls }),
    }),
  );
}

/** Reads what {@link encodeStep} gave. */
export function decodeStep(id: string, bytes: Uint8Array): StepRecord {
  const fields = parseRecord(id, bytes);
  const delta = deltaFromJson(fields["delta"] ?? null);
  const { pins, contents, calls = [] } = fields;
  if (fields["format"] !== currentFormat || delta === undefined) throw broken(id);
  if (!Array.isArray(pins) || !Array.isArray(contents) || !Array.isArray(calls)) throw broken(id);
  return {
    delta,
    pins: new Map(pins.map((pin) => readPin(id, pin))),
    contents: contents.map((range) => readRange(id, range)),
    calls: calls as unknown as readonly StepCall[],
  };
}

function readPin(id: string, json: Json): readonly [string, Pin] {
  if (!Array.isArray(json)) throw broken(id);
  const [path, stored, revision, version] = json;
  const state = stateFromJson(stored);
  const isNamed = typeof path === "string" && (version === null || typeof version === "string");
  if (!isNamed || state === "malformed") throw broken(id);
  return [path, { state, revision: typeof revision === "string" ? revision : undefined, version }];
}

function readRange(id: string, json: Json): StoredRange {
  if (!Array.isArray(json)) throw broken(id);
  const [contentId, offset, byteLength] = json;
  if (typeof contentId !== "string" || typeof offset !== "number" || typeof byteLength !== "number")
    throw broken(id);
  return { contentId, offset, byteLength };
}

function parseRecord(id: string, bytes: Uint8Array): { readonly [name: string]: Json } {
  try {
    const parsed = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
      return refuseNewer(parsed as { readonly [name: string]: Json });
  } catch (cause) {
    if (cause instanceof HoldfastError) throw cause;
    throw broken(id, cause);
  }
  throw broken(id);
}

function refuseNewer<T extends { readonly [name: string]: Json }>(fields: T): T {
  const format = fields["format"];
  if (typeof format !== "number" || format <= currentFormat) return fields;
  throw new HoldfastError("STORAGE_FAILED", {
    message: `A transaction has format ${format}, and this version reads formats up to ${currentFormat}; use the version that wrote it, or a newer one.`,
  });
}

function broken(id: string, cause?: unknown): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", {
    message: `The records of transaction ${quotePath(id)} cannot be read: the state of the storage is damaged.`,
    cause,
  });
}
