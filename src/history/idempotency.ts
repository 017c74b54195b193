import { utf8 } from "../base/bytes.ts";
import type { CancelOptions, Clock } from "../base/clock.ts";
import { type Hashing, hashBytes } from "../base/hashing.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { Outcome, RecordedAnswer } from "../schema/outcome.ts";
import type { Expectation, RecordPut, StorageAdapter } from "../storage/storage-adapter.ts";
import { type KeyTime, KeyTimes, keyTimeRecord, listKeys } from "./key-times.ts";
import { revertResult } from "./revert-result.ts";
import type { LoggedRevision, RevisionLog } from "./revision-log.ts";

/** What is known of a key: nothing, or the commit that it made. */
export type KeyState =
  | { readonly recorded: false; readonly claim: KeyClaim }
  | { readonly recorded: true; readonly argumentDigest: string; readonly revision: LoggedRevision };

/** What was found at a free key: what a batch needs to take it. */
export interface KeyClaim {
  /** SHA-256 of the key. */
  readonly keyHash: string;
  /** The version of a record that has expired, or `null` where there is none. */
  readonly version: string | null;
  /** When the expired record was made. */
  readonly expiredTime?: number | undefined;
  /** The newest log entry when the key was looked up: the one that will hold the result comes after it. */
  readonly after: number;
}

/** The part of a batch that records a key. */
export interface KeyedBatchPart {
  readonly expect: readonly Expectation[];
  readonly putRecords: readonly RecordPut[];
  readonly deleteRecords: readonly string[];
  /** To be told whether the batch was committed. */
  settle(committed: boolean): void;
}

interface KeyRecord {
  readonly format: 1;
  readonly argumentDigest: string;
  readonly after: number;
  readonly time: number;
}

/** What the table of keys works with. */
export interface IdempotencyContext {
  readonly storage: StorageAdapter;
  readonly log: RevisionLog;
  readonly hashing: Hashing;
  readonly clock: Clock;
  readonly maxKeys: number;
  readonly maxAgeMs: number;
}

/** Keys that are looked at to tell which entries must stay. */
const keysLookedAt = 64;

/** The table of idempotency keys: a record for each kept key, whose result lies in the log. */
export class Idempotency {
  readonly #context: IdempotencyContext;
  readonly #times: KeyTimes;

  constructor(context: IdempotencyContext) {
    this.#context = context;
    this.#times = new KeyTimes(context.storage);
  }

  /** The name under which calls with this key wait for each other. */
  hashOf(key: string): string {
    return hashBytes(this.#context.hashing, "sha256", utf8(key));
  }

  /** Looks a key up. One that is older than keys are kept counts as free. */
  async lookUp(key: string, options: CancelOptions): Promise<KeyState> {
    const { storage, log, clock, maxAgeMs } = this.#context;
    const keyHash = this.hashOf(key);
    const stored = await storage.readRecord(recordName(keyHash), options);
    if (stored === undefined) {
      const { sequence } = await log.head(options);
      return { recorded: false, claim: { keyHash, version: null, after: sequence } };
    }
    const record = readKeyRecord(stored.bytes);
    if (record.time < clock.now() - maxAgeMs) {
      const { sequence } = await log.head(options);
      const claim = { keyHash, version: stored.version, expiredTime: record.time, after: sequence };
      return { recorded: false, claim };
    }
    const revision = await this.#findRevision(key, record.after, options);
    return { recorded: true, argumentDigest: record.argumentDigest, revision };
  }

  /** Makes the part of a batch that records a key and removes keys that are kept no longer. */
  async record(claim: KeyClaim, argumentDigest: string, options: CancelOptions): Promise<KeyedBatchPart> {
    await this.#times.refresh(options);
    const { clock, maxKeys, maxAgeMs } = this.#context;
    const { keyHash, version, expiredTime, after } = claim;
    const own: KeyTime = { time: clock.now(), keyHash };
    const stale = this.#times
      .takeStale(own.time - maxAgeMs, maxKeys - 1)
      .filter((key) => key.keyHash !== keyHash);
    const dropped = stale.flatMap((key) => [recordName(key.keyHash), keyTimeRecord(key)]);
    if (expiredTime !== undefined) dropped.push(keyTimeRecord({ time: expiredTime, keyHash }));
    const record: KeyRecord = { format: 1, argumentDigest, after, time: own.time };
    return {
      expect: [{ space: "records", key: recordName(keyHash), version }],
      putRecords: [
        { key: recordName(keyHash), bytes: utf8(JSON.stringify(record)) },
        { key: keyTimeRecord(own), bytes: new Uint8Array(0) },
      ],
      deleteRecords: dropped.filter((name) => name !== keyTimeRecord(own)),
      settle: (committed) => (committed ? this.#times.add(own) : this.#times.putBack(stale)),
    };
  }

  /** The oldest log entry that may hold the result of a key that is still kept; infinity when there is none. */
  async oldestNeeded(options: CancelOptions): Promise<number> {
    const { storage, clock, maxAgeMs } = this.#context;
    let oldest = Number.POSITIVE_INFINITY;
    let looked = 0;
    // Keys are listed by time, which is nearly the order of the log: a few of the oldest tell where it must begin.
    for await (const keyHash of listKeys(storage, clock.now() - maxAgeMs, options)) {
      const stored = await storage.readRecord(recordName(keyHash), options);
      if (stored !== undefined) oldest = Math.min(oldest, readKeyRecord(stored.bytes).after + 1);
      looked += 1;
      if (looked >= keysLookedAt) break;
    }
    return oldest;
  }

  /** Tells what became of a key. */
  async outcome(key: string, options: CancelOptions): Promise<Outcome> {
    const state = await this.lookUp(key, options);
    if (state.recorded) return describeOutcome(state.revision);
    await this.#times.refresh(options);
    const { clock, maxKeys, maxAgeMs } = this.#context;
    const since = Math.max(clock.now() - maxAgeMs, this.#times.oldestWhenFull(maxKeys) ?? 0);
    return { known: false, recordedSince: new Date(Math.max(0, since)).toISOString() };
  }

  async #findRevision(key: string, after: number, options: CancelOptions): Promise<LoggedRevision> {
    for await (const revision of this.#context.log.read({ ...options, from: after + 1 }))
      if (revision.entry.idempotencyKey === key) return revision;
    throw new HoldfastError("STORAGE_FAILED", {
      message: "An idempotency key is recorded, but the log holds no entry of it.",
    });
  }
}

/** What a recorded call returned, as its repeat returns it. */
export function replayResult(revision: LoggedRevision): RecordedAnswer {
  const { id, entry } = revision;
  const told = { idempotentReplay: true, workspaceRevision: id };
  if (entry.cause === "revert") return revertResult({ ...entry.result, ...told });
  const { alreadyApplied, mergedPaths = [], revisions: _none, ...result } = entry.result;
  if (entry.cause === "transaction") return { committed: true, ...result, ...told, mergedPaths };
  return { dryRun: false, alreadyApplied, ...result, ...told };
}

/** The recorded commit as an outcome. */
export function describeOutcome(revision: LoggedRevision): Outcome & { readonly known: true } {
  const { time, operation } = revision.entry;
  return { known: true, workspaceRevision: revision.id, time, operation, result: replayResult(revision) };
}

function recordName(keyHash: string): string {
  return `keys/${keyHash}`;
}

function readKeyRecord(bytes: Uint8Array): KeyRecord {
  const record = parseJson(bytes) as Partial<KeyRecord> | undefined;
  const { format, argumentDigest, after, time } = record ?? {};
  const isWhole = typeof argumentDigest === "string" && typeof after === "number" && typeof time === "number";
  if (format === 1 && isWhole) return { format, argumentDigest, after, time };
  throw new HoldfastError("STORAGE_FAILED", {
    message: "The record of an idempotency key cannot be read; a newer version may have written it.",
  });
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? undefined;
  } catch {
    return undefined;
  }
}
