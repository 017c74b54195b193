import { createHash } from "node:crypto";
import type { CommitOutcome, Hashing, StorageAdapter, StorageBatch } from "holdfast";
import { fixedClock, sequentialIds } from "holdfast/testing";

/** Hashes of the platform. xxh64 is not needed by storages in memory; SHA-256 stands in for it. */
const hashing: Hashing = { sha256: sha256State, xxh64: sha256State };

function sha256State() {
  const state = createHash("sha256");
  return { update: (bytes: Uint8Array) => void state.update(bytes), digest: () => state.digest("hex") };
}

/** Opens a storage for tests that call an adapter without a workspace. */
export async function openStorage(
  storage: StorageAdapter,
  options: { readonly readOnly?: boolean } = {},
): Promise<StorageAdapter> {
  const { readOnly = false } = options;
  await storage.open({ hashing, clock: fixedClock(), ids: sequentialIds(), readOnly, lockTimeoutMs: 0 });
  return storage;
}

let batches = 0;

/** Makes a batch from its parts. */
export function batchOf(parts: Partial<StorageBatch>): StorageBatch {
  batches += 1;
  return {
    id: `batch-${batches}`,
    expect: [],
    putFiles: [],
    deleteFiles: [],
    appendContent: [],
    putRecords: [],
    deleteRecords: [],
    ...parts,
  };
}

/** Makes a batch that writes a text at a path that is at a version, or absent. */
export function writeBatch(path: string, text: string, version: string | null = null): StorageBatch {
  return batchOf({
    expect: [{ space: "files", key: path, version }],
    putFiles: [{ path, kind: "file", executable: false, content: { bytes: new TextEncoder().encode(text) } }],
    entry: (sequence) => new TextEncoder().encode(`${sequence} ${path}`),
  });
}

/** Writes a text at a path over whatever is there. */
export async function writeText(storage: StorageAdapter, path: string, text: string): Promise<CommitOutcome> {
  const version = (await storage.read(path, {}))?.version ?? null;
  const [outcome] = await storage.commit([writeBatch(path, text, version)], { flush: true });
  if (outcome === undefined) throw new Error("The commit gave no outcome.");
  return outcome;
}

/** Reads a file as text. */
export async function readText(storage: StorageAdapter, path: string): Promise<string | undefined> {
  const file = await storage.read(path, {});
  return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
}
