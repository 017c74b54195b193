import { HoldfastError, invariant } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { pathKey } from "../tree/path-key.ts";
import { ancestorsOf } from "../tree/path-parts.ts";
import { quotePath } from "../tree/quote-path.ts";
import { parseWorkspacePath } from "../tree/workspace-path.ts";
import type { StorageBatch } from "./storage-adapter.ts";

const maximumKeyBytes = 512;
const encoder = new TextEncoder();

/** Refuses a path as the border does, and with `INTERNAL` one that the border would have spelled otherwise. */
export function checkPath(path: string): void {
  const { path: plain, problem } = parseWorkspacePath(path);
  if (problem !== undefined) throw new HoldfastError(problem.code, { message: problem.message });
  invariant(plain === path, () => `The path ${quotePath(path)} is not in its plain form.`);
}

/** Refuses a record key that is empty, longer than 512 bytes, ill-formed, or has control characters. */
export function checkRecordKey(key: string): void {
  invariant(key !== "", "A record has an empty key.");
  checkRecordPrefix(key);
}

/** Refuses a prefix that no record key can begin with; the empty one is fine. */
export function checkRecordPrefix(prefix: string): void {
  const plain = !/[\p{Cc}\p{Cs}]/u.test(prefix);
  invariant(plain, () => `The record key ${quotePath(prefix)} has control characters or lone surrogates.`);
  const fits = prefix.length * 3 <= maximumKeyBytes || encoder.encode(prefix).byteLength <= maximumKeyBytes;
  invariant(fits, () => `A record key is longer than ${maximumKeyBytes} bytes: ${quotePath(prefix)}.`);
}

/** Holds a batch to the rules that adapters rely on; a batch that breaks one is a fault of the library, not of its user. */
export function* checkBatch(
  batch: StorageBatch,
  options: { readonly flush: boolean; readonly caseSensitive: boolean },
): Steps<void> {
  invariant(batch.id !== "", "A batch has no id.");
  checkFlush(batch, options.flush);
  const expected = yield* checkExpectations(batch);
  yield* checkPuts(batch, expected, options.caseSensitive);
  checkRecords(batch);
  for (const { staged, at } of batch.appendContent) {
    invariant(staged !== "", "Bytes are appended to a content without a name.");
    invariant(Number.isSafeInteger(at) && at >= 0, `Bytes are appended at ${at}, which is no offset.`);
  }
}

function checkFlush(batch: StorageBatch, flush: boolean): void {
  if (batch.entry !== undefined) {
    invariant(flush, `Batch ${batch.id} has a log entry and must be flushed.`);
    return;
  }
  const writesFiles = batch.putFiles.length + batch.deleteFiles.length > 0;
  invariant(!writesFiles, `Batch ${batch.id} writes files without a log entry.`);
}

function* checkExpectations(batch: StorageBatch): Steps<ReadonlyMap<string, string | null>> {
  const due = workCounter();
  const files = new Map<string, string | null>();
  const records = new Set<string>();
  for (const { space, key, version } of batch.expect) {
    if (due(16)) yield;
    const twice = space === "files" ? files.has(key) : records.has(key);
    invariant(!twice, () => `Batch ${batch.id} expects ${quotePath(key)} twice.`);
    if (space === "files") {
      checkPath(key);
      files.set(key, version);
    } else {
      checkRecordKey(key);
      records.add(key);
    }
  }
  return files;
}

function* checkPuts(
  batch: StorageBatch,
  expected: ReadonlyMap<string, string | null>,
  caseSensitive: boolean,
): Steps<void> {
  const due = workCounter();
  const { id } = batch;
  const written = new Set<string>();
  const claim = (path: string) => {
    invariant(!written.has(path), () => `Batch ${id} writes ${quotePath(path)} twice.`);
    invariant(expected.has(path), () => `Batch ${id} writes ${quotePath(path)} without expecting a version.`);
    written.add(path);
  };
  const keyOf = caseSensitive ? (path: string) => path : pathKey;
  const put = new Set<string>();
  for (const { path, content } of batch.putFiles) {
    if (due(16)) yield;
    claim(path);
    const key = keyOf(path);
    invariant(!put.has(key), () => `Batch ${id} puts ${quotePath(path)} in two spellings.`);
    put.add(key);
    if (!("from" in content)) continue;
    const known = typeof expected.get(content.from) === "string";
    invariant(
      known,
      () => `Batch ${id} takes bytes from ${quotePath(content.from)} without expecting a version.`,
    );
  }
  for (const key of put) {
    if (due(16)) yield;
    for (const folder of ancestorsOf(key))
      invariant(!put.has(folder), () => `Batch ${id} puts ${quotePath(key)} below a file that it puts.`);
  }
  for (const path of batch.deleteFiles) {
    if (due(16)) yield;
    claim(path);
    const known = typeof expected.get(path) === "string";
    invariant(known, () => `Batch ${id} deletes ${quotePath(path)}, which it expects to be absent.`);
  }
}

function checkRecords(batch: StorageBatch): void {
  const keys = [...batch.putRecords.map((put) => put.key), ...batch.deleteRecords];
  for (const key of keys) checkRecordKey(key);
  invariant(new Set(keys).size === keys.length, `Batch ${batch.id} writes a record twice.`);
}
