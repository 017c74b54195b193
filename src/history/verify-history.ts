import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";
import { isHoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import { chainHashInSteps, firstPreviousHash } from "../storage/log/chain-hash.ts";
import type { LogEntry, StorageAdapter } from "../storage/storage-adapter.ts";
import { quotePath } from "../tree/quote-path.ts";
import { readAnchors } from "./history-anchor.ts";
import { decodeRevisionEntry, type RevisionEntry } from "./revision-entry.ts";

/** What was found of a history. */
export interface HistoryReport {
  /** Whether nothing is wrong. */
  readonly ok: boolean;
  /** What is wrong, each as a sentence; at most 1,000. */
  readonly problems: readonly string[];
}

const mostProblems = 1000;

/** Checks the whole log: that it is one chain without gaps, that each entry can be read, and that the contents which it names are what they are said to be. */
export async function verifyHistory(
  storage: StorageAdapter,
  hashing: Hashing,
  { signal }: CancelOptions,
): Promise<HistoryReport> {
  const problems: string[] = [];
  const seen = new Set<string>();
  let previous: { readonly sequence: number; readonly hash: string | undefined } | undefined;
  for await (const logged of storage.readLog({ signal })) {
    if (problems.length >= mostProblems) break;
    previous ??= await beforeOldest(storage, logged, problems, { signal });
    const { sequence, hash, bytes } = logged;
    if (sequence !== previous.sequence + 1)
      problems.push(
        `Entry ${previous.sequence + 1} is missing: entry ${sequence} comes after entry ${previous.sequence}.`,
      );
    else if (previous.hash !== undefined) {
      const steps = chainHashInSteps(hashing, sequence, previous.hash, bytes);
      if ((await driveSteps(steps, timeSlice({ signal }))) !== hash)
        problems.push(
          `The hash of entry ${sequence} does not follow from its bytes and the entry before it.`,
        );
    }
    previous = { sequence, hash };
    if (logged.undone === true) continue;
    const entry = decoded(logged, problems);
    if (entry !== undefined)
      await verifyContents({ storage, hashing, seen, problems }, sequence, entry, { signal });
  }
  return { ok: problems.length === 0, problems: problems.slice(0, mostProblems) };
}

/** What the oldest entry is chained to: nothing, or the last one that was removed, whose hash is kept. */
async function beforeOldest(
  storage: StorageAdapter,
  { sequence }: LogEntry,
  problems: string[],
  options: CancelOptions,
): Promise<{ readonly sequence: number; readonly hash: string | undefined }> {
  if (sequence === 1) return { sequence: 0, hash: firstPreviousHash };
  const { anchors } = await readAnchors(storage, options);
  const anchor = anchors.find((one) => one.sequence === sequence - 1);
  if (anchor === undefined)
    problems.push(
      `The history begins at entry ${sequence}, and the hash of the entry before it is not kept.`,
    );
  return { sequence: sequence - 1, hash: anchor?.hash };
}

function decoded({ sequence, bytes }: LogEntry, problems: string[]): RevisionEntry | undefined {
  try {
    return decodeRevisionEntry(bytes);
  } catch {
    problems.push(`Entry ${sequence} cannot be read.`);
    return undefined;
  }
}

interface Verifying {
  readonly storage: StorageAdapter;
  readonly hashing: Hashing;
  /** Contents that have been looked at, or that others left: those were never the library's to keep, until a commit replaced them. */
  readonly seen: Set<string>;
  readonly problems: string[];
}

async function verifyContents(
  { storage, hashing, seen, problems }: Verifying,
  sequence: number,
  { delta, cause }: RevisionEntry,
  options: CancelOptions,
): Promise<void> {
  for (const [path, { before, after }] of delta.changes) {
    for (const state of cause === "external" ? [before] : [before, after]) {
      if (state === undefined || seen.has(state.contentId)) continue;
      seen.add(state.contentId);
      const found = await hashContent(storage, hashing, state.contentId, options);
      const named = `The content of ${quotePath(path)} that entry ${sequence} names`;
      if (found === undefined) problems.push(`${named} is gone.`);
      else if (found !== state.contentId) problems.push(`${named} is not what it was.`);
    }
    if (cause === "external" && after !== undefined) seen.add(after.contentId);
  }
}

async function hashContent(
  storage: StorageAdapter,
  hashing: Hashing,
  sha256: string,
  options: CancelOptions,
): Promise<string | undefined> {
  const state = hashing.sha256();
  try {
    for await (const chunk of storage.readChunks({ sha256 }, options)) state.update(chunk);
  } catch (error) {
    if (isHoldfastError(error, "NOT_FOUND")) return undefined;
    if (isHoldfastError(error, "STORAGE_FAILED")) return "";
    throw error;
  }
  return state.digest();
}
