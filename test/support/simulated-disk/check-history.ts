import { hashBytes } from "../../../src/base/hashing.ts";
import { chainHash, firstPreviousHash } from "../../../src/storage/log/chain-hash.ts";
import type { ChunkSource } from "../../../src/storage/storage-adapter.ts";
import { type OpenedDisk, sha256Text } from "./open-disk.ts";
import type { Knowledge, WholeState } from "./plan-run.ts";
import type { SimulatedDisk } from "./simulated-disk.ts";

/** Reads a content; `undefined` when it cannot be read. */
async function readText({ storage }: OpenedDisk, source: ChunkSource): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of storage.readChunks(source, {})) pieces.push(piece.slice());
  } catch {
    return undefined;
  }
  return Buffer.concat(pieces).toString();
}

/** Which of some contents can be read by their hashes. */
export async function readableTexts(
  opened: OpenedDisk,
  texts: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const readable = new Set<string>();
  for (const text of texts)
    if ((await readText(opened, { sha256: sha256Text(opened.hashing, text) })) === text) readable.add(text);
  return readable;
}

/** Looks whether the log, the contents of history and the staged contents are those of a state. */
export async function historyProblem(
  disk: SimulatedDisk,
  opened: OpenedDisk,
  state: WholeState,
  known: Pick<Knowledge, "prunedLeast" | "prunedMost" | "history"> & { readonly foreign?: unknown },
): Promise<string | undefined> {
  const log = await readWholeLog(opened);
  if (typeof log === "string") return log;
  const { oldest, count } = log;
  if (oldest !== undefined && (oldest < known.prunedLeast || oldest > known.prunedMost))
    return `the log begins with ${oldest}, and not with ${known.prunedLeast} to ${known.prunedMost}`;
  // Where nothing is left, all may have been dropped.
  const from = oldest ?? known.prunedMost;
  const kept = state.commits.filter(({ sequence }) => sequence >= from);
  if (count !== kept.length) return `${count} entries in the log instead of ${kept.length}`;
  const wanted = new Set([...known.history, ...kept.flatMap(({ left }) => left)]);
  // A large content is kept by its target until it is sealed: who writes into that has changed the only copy.
  if (known.foreign !== undefined)
    for (const text of wanted) if (text.length > 256 * 1024) wanted.delete(text);
  const readable = await readableTexts(opened, wanted);
  for (const text of wanted)
    if (!readable.has(text)) return `the content ${JSON.stringify(text.slice(0, 60))} of history is gone`;
  for (const [id, text] of state.staged) {
    const found = await readText(opened, { staged: id });
    if (found?.startsWith(text) !== true)
      return `of a staged content, ${text.length} characters were committed, and ${found?.length} are there or others`;
  }
  return leftoverProblem(disk, new Set(state.staged.keys())) ?? imageProblem(disk, opened.hashing);
}

/** Reads the log and follows its chain. @returns the first number, and how many entries count. */
async function readWholeLog({
  storage,
  hashing,
}: OpenedDisk): Promise<{ readonly oldest: number | undefined; readonly count: number } | string> {
  let oldest: number | undefined;
  let previous: string | undefined = firstPreviousHash;
  let count = 0;
  let sequence = 0;
  for await (const entry of storage.readLog({})) {
    oldest ??= entry.sequence;
    if (sequence === 0 && oldest > 1) {
      sequence = oldest - 1;
      previous = undefined;
    }
    sequence += 1;
    if (entry.sequence !== sequence) return `entry ${entry.sequence} stands where ${sequence} should`;
    if (new TextDecoder().decode(entry.bytes) !== `entry ${sequence}`)
      return `entry ${sequence} holds other bytes`;
    if (previous !== undefined && entry.hash !== chainHash(hashing, sequence, previous, entry.bytes))
      return `the hash of entry ${sequence} does not fit`;
    previous = entry.hash;
    if (entry.undone !== true) count += 1;
  }
  return { oldest, count };
}

/** A before-image has the SHA-256 of its bytes as its name. */
function imageProblem(disk: SimulatedDisk, hashing: OpenedDisk["hashing"]): string | undefined {
  for (const [name, ino] of disk.find("/w/.holdfast/images")?.entries ?? []) {
    if (hashBytes(hashing, "sha256", disk.inode(ino).bytes) !== name)
      return `the image ${name} does not hold its bytes`;
  }
  return undefined;
}

/** Nothing that has no owner may stay but staged contents, which their owner drops. */
function leftoverProblem(disk: SimulatedDisk, staged: ReadonlySet<string>): string | undefined {
  const left: string[] = [];
  const visit = (path: string): void => {
    for (const [name, ino] of disk.find(path)?.entries ?? []) {
      if (disk.inode(ino).kind === "directory") visit(`${path}/${name}`);
      else if (!staged.has(name) && !name.startsWith("st_")) left.push(`${path}/${name}`);
    }
  };
  visit("/w/.holdfast/tmp");
  visit("/w/.holdfast/staged");
  return left.length === 0 ? undefined : `left over: ${left.join(", ")}`;
}
