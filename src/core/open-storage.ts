import { utf8 } from "../base/bytes.ts";
import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { RevisionAlgorithm } from "../schema/revision-algorithm.ts";
import type { StorageAdapter } from "../storage/storage-adapter.ts";

/** What a storage says about the workspace that it holds. */
export interface WorkspaceRecord {
  /** The workspace's id. */
  readonly id: string;
  /** How its revisions are made. */
  readonly revisionAlgorithm: RevisionAlgorithm;
}

const recordKey = "workspace";
const currentFormat = 1;

/** Reads what the storage says about its workspace; `undefined` when it was never opened for writing. */
export async function readWorkspaceRecord(
  storage: StorageAdapter,
  options: CancelOptions,
): Promise<WorkspaceRecord | undefined> {
  const stored = await storage.readRecord(recordKey, options);
  return stored === undefined ? undefined : parseRecord(stored.bytes);
}

/** Writes down what the workspace is, unless somebody else did so first; gives what is written then. */
export async function createWorkspaceRecord(
  storage: StorageAdapter,
  record: WorkspaceRecord,
  options: CancelOptions & { readonly batchId: string },
): Promise<WorkspaceRecord> {
  const { signal, batchId } = options;
  const bytes = utf8(JSON.stringify({ format: currentFormat, ...record }));
  const batch = {
    id: batchId,
    expect: [{ space: "records", key: recordKey, version: null } as const],
    putFiles: [],
    deleteFiles: [],
    appendContent: [],
    putRecords: [{ key: recordKey, bytes }],
    deleteRecords: [],
  };
  const [outcome] = await storage.commit([batch], { signal, flush: true });
  if (outcome?.committed === true) return record;
  if (outcome !== undefined && "error" in outcome) throw outcome.error;
  const written = await readWorkspaceRecord(storage, { signal });
  if (written !== undefined) return written;
  throw new HoldfastError("STORAGE_FAILED", { message: "The storage lost the record of its workspace." });
}

function parseRecord(bytes: Uint8Array): WorkspaceRecord {
  const { format, id, revisionAlgorithm } = parseFields(bytes);
  if (typeof format === "number" && format > currentFormat)
    throw new HoldfastError("STORAGE_FAILED", {
      message: `The storage has format ${format}, and this version reads formats up to ${currentFormat}; use the version that wrote it, or a newer one.`,
    });
  const isKnown = revisionAlgorithm === "xxh64" || revisionAlgorithm === "sha256";
  if (format === currentFormat && typeof id === "string" && isKnown) return { id, revisionAlgorithm };
  throw new HoldfastError("STORAGE_FAILED", { message: "The record of the workspace cannot be read." });
}

function parseFields(bytes: Uint8Array): Readonly<Record<"format" | "id" | "revisionAlgorithm", unknown>> {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) ?? {};
  } catch (cause) {
    throw new HoldfastError("STORAGE_FAILED", {
      message: "The record of the workspace cannot be read.",
      cause,
    });
  }
}
