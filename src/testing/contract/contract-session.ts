import { utf8 } from "../../base/bytes.ts";
import type { CancelOptions } from "../../base/clock.ts";
import { type Hashing, loadPortableHashing } from "../../base/hashing.ts";
import { checkedStorage } from "../../storage/checked-storage.ts";
import type {
  CommitOutcome,
  Expectation,
  FilePut,
  LogEntry,
  RecoveryReport,
  StorageAdapter,
  StorageBatch,
  StorageOpenOptions,
} from "../../storage/storage-adapter.ts";
import { fixedClock } from "../fixed-clock.ts";
import { sequentialIds } from "../sequential-ids.ts";
import { assertCommitted } from "./assertions.ts";
import { collect, joinChunks } from "./collect.ts";
import type { ContractTarget } from "./contract-target.ts";

type Committed = CommitOutcome & { readonly committed: true };

/** A batch without the parts that are empty. */
export interface BatchDraft extends Partial<Omit<StorageBatch, "entry">> {
  /** The entry; `null` for a batch that has none. Default: one that tells the batch, its number and the hash before it. */
  readonly entry?: ((sequence: number, previousHash: string) => Uint8Array) | null;
}

/** A storage under check, opened as the library opens it, with shorthands for what most cases do. */
export class ContractSession {
  /** The hashes that the storage was opened with. */
  readonly hashing: Hashing;
  readonly #target: ContractTarget;
  readonly #clock = fixedClock();
  readonly #ids = sequentialIds();
  #storage: StorageAdapter;
  #recovery: RecoveryReport | undefined;
  #batches = 0;

  private constructor(target: ContractTarget, storage: StorageAdapter, hashing: Hashing) {
    this.#target = target;
    this.#storage = storage;
    this.hashing = hashing;
  }

  /** Opens a fresh storage. */
  static async open(target: ContractTarget): Promise<ContractSession> {
    const hashing = await (target.storage.loadHashing?.() ?? loadPortableHashing());
    const session = new ContractSession(target, checkedStorage(target.storage), hashing);
    session.#recovery = await session.#storage.open(session.openOptions());
    return session;
  }

  /** What the first opening said. */
  get recovery(): RecoveryReport | undefined {
    return this.#recovery;
  }

  /** The storage behind the checking wrapper. */
  get storage(): StorageAdapter {
    return this.#storage;
  }

  /** Options that open it. */
  openOptions(options: { readonly readOnly?: boolean } & CancelOptions = {}): StorageOpenOptions {
    const { readOnly = false, signal } = options;
    const { hashing } = this;
    return { hashing, clock: this.#clock, ids: this.#ids, readOnly, lockTimeoutMs: 10_000, signal };
  }

  /** Closes it and opens the same state again. */
  async reopen(options: { readonly readOnly?: boolean } = {}): Promise<void> {
    await this.#storage.close();
    this.#storage = checkedStorage(await this.#target.reopen());
    await this.#storage.open(this.openOptions(options));
  }

  /** Closes it for good. */
  async dispose(): Promise<void> {
    try {
      await this.#storage.close();
    } finally {
      await this.#target.dispose?.();
    }
  }

  /** Writes past the storage. */
  async writeOutside(path: string, text: string | null): Promise<void> {
    const { writeOutside } = this.#target;
    if (writeOutside === undefined) throw new Error("This case needs a storage with writeOutside.");
    await writeOutside.call(this.#target, path, text === null ? null : utf8(text));
  }

  /** Watches the storage. */
  watch(listener: (paths: readonly string[] | "unknown") => void, signal: AbortSignal): void {
    if (this.#storage.watch === undefined) throw new Error("This case needs a storage with watch.");
    this.#storage.watch(listener, { signal });
  }

  /** Makes a batch from its parts, with an id. */
  batch(draft: BatchDraft): StorageBatch {
    this.#batches += 1;
    const { entry, ...parts } = draft;
    const id = draft.id ?? `batch-${this.#batches}`;
    const tell = (sequence: number, previousHash: string) => utf8(`${id} ${sequence} ${previousHash}`);
    return {
      expect: [],
      putFiles: [],
      deleteFiles: [],
      appendContent: [],
      putRecords: [],
      deleteRecords: [],
      ...parts,
      id,
      ...(entry === null ? {} : { entry: entry ?? tell }),
    };
  }

  /** Commits one batch. */
  async commit(draft: BatchDraft): Promise<CommitOutcome> {
    const [outcome] = await this.#storage.commit([this.batch(draft)], { flush: draft.entry !== null });
    if (outcome === undefined) throw new Error("The commit gave no outcome.");
    return outcome;
  }

  /** Commits one batch with what is there now as its expectations, and wants it to take effect. */
  async write(draft: BatchDraft): Promise<Committed> {
    const paths = [...(draft.putFiles ?? []).map(({ path }) => path), ...(draft.deleteFiles ?? [])];
    for (const { content } of draft.putFiles ?? [])
      if ("from" in content && !paths.includes(content.from)) paths.push(content.from);
    const outcome = await this.commit({ ...draft, expect: await this.expectNow(...paths) });
    assertCommitted(outcome);
    return outcome;
  }

  /** Expectations that hold now. */
  async expectNow(...paths: readonly string[]): Promise<readonly Expectation[]> {
    const expectations: Expectation[] = [];
    for (const key of paths)
      expectations.push({ space: "files", key, version: (await this.versionOf(key)) ?? null });
    return expectations;
  }

  /** The version of a file. */
  async versionOf(path: string): Promise<string | undefined> {
    return (await this.#storage.read(path, {}))?.version;
  }

  /** The text of a file. */
  async textOf(path: string): Promise<string | undefined> {
    const file = await this.#storage.read(path, {});
    return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
  }

  /** The text of a record. */
  async recordText(key: string): Promise<string | undefined> {
    const record = await this.#storage.readRecord(key, {});
    return record === undefined ? undefined : new TextDecoder().decode(record.bytes);
  }

  /** All bytes that `readChunks` gives. */
  async chunksOf(source: Parameters<StorageAdapter["readChunks"]>[0], offset?: number): Promise<Uint8Array> {
    return await joinChunks(this.#storage.readChunks(source, { offset }));
  }

  /** Paths in the order of a listing. */
  async paths(
    options: { readonly under?: string; readonly after?: string } = {},
  ): Promise<readonly string[]> {
    return (await collect(this.#storage.list(options))).map(({ path }) => path);
  }

  /** The whole log. */
  async log(): Promise<readonly LogEntry[]> {
    return await collect(this.#storage.readLog({}));
  }
}

/** A put of text or bytes. */
export function put(
  path: string,
  content: string | Uint8Array,
  options: { readonly executable?: boolean; readonly kind?: FilePut["kind"] } = {},
): FilePut {
  const { executable = false, kind = "file" } = options;
  const bytes = typeof content === "string" ? utf8(content) : content;
  return { path, kind, executable, content: { bytes } };
}

/** A put of what is at another path. */
export function putFrom(path: string, from: string): FilePut {
  return { path, kind: "file", executable: false, content: { from } };
}

/** The expectation that a path is absent. */
export function absent(key: string): Expectation {
  return { space: "files", key, version: null };
}
