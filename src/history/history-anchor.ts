import { utf8 } from "../base/bytes.ts";
import type { CancelOptions } from "../base/clock.ts";
import type { StorageAdapter, StorageBatch } from "../storage/storage-adapter.ts";

/** Number and hash of an entry that has been removed: what the oldest kept one is chained to. */
export interface HistoryAnchor {
  readonly sequence: number;
  readonly hash: string;
}

const record = "history-anchors";

/** The anchors that are kept: that of the log as it is, and while entries are being removed the one that it will have. */
export async function readAnchors(
  storage: StorageAdapter,
  options: CancelOptions,
): Promise<{ readonly anchors: readonly HistoryAnchor[]; readonly version: string | null }> {
  const stored = await storage.readRecord(record, options);
  return {
    anchors: stored === undefined ? [] : parseAnchors(stored.bytes),
    version: stored?.version ?? null,
  };
}

/** Makes the batch that writes them. */
export function anchorBatch(
  id: string,
  anchors: readonly HistoryAnchor[],
  version: string | null,
): StorageBatch {
  return {
    id,
    expect: [{ space: "records", key: record, version }],
    putFiles: [],
    deleteFiles: [],
    appendContent: [],
    putRecords: [{ key: record, bytes: utf8(JSON.stringify({ format: 1, anchors })) }],
    deleteRecords: [],
  };
}

function parseAnchors(bytes: Uint8Array): readonly HistoryAnchor[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return [];
  }
  const { anchors } = (parsed ?? {}) as { readonly anchors?: unknown };
  return Array.isArray(anchors) ? anchors.filter(isAnchor) : [];
}

function isAnchor(value: unknown): value is HistoryAnchor {
  const { sequence, hash } = (value ?? {}) as { readonly sequence?: unknown; readonly hash?: unknown };
  return typeof sequence === "number" && typeof hash === "string";
}
