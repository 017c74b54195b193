import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { utf8 } from "../../src/base/bytes.ts";
import { hashBytes } from "../../src/base/hashing.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { readEntries } from "../../src/storage/directory/read-entries.ts";
import { chainHash, firstPreviousHash } from "../../src/storage/log/chain-hash.ts";
import type { LogEntry } from "../../src/storage/storage-adapter.ts";
import { countingFileSystem } from "../support/crashing-host.ts";
import { readTree } from "../support/directory-tree.ts";
import { PackingHandle } from "../support/packing-handle.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// What one process reads while it does other work, and while others seal and pack what it is about to read or end in the middle of that.

const hashing = await loadNodeHashing();

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  folder = temporaryFolder("quick");
  root = folder.path;
});
afterEach(() => folder.remove());

const openBeside = (fileSystem = nodeFileSystem) => PackingHandle.open(root, fileSystem, undefined, "alive");

/** Commits texts one after the other, sealing each. */
async function commitEach(handle: PackingHandle, texts: readonly string[]): Promise<void> {
  for (const text of texts) {
    expect(await handle.commit({ "file.txt": text })).toMatchObject({ committed: true });
    await handle.seal();
  }
}

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `text ${from + index}\n`);

/** The chain from the first entry on, without a gap; `least` entries or more. */
function expectWhole(entries: readonly LogEntry[], least: number, label: string): void {
  let hash = firstPreviousHash;
  for (const [index, entry] of entries.entries()) {
    expect(entry.sequence, label).toBe(index + 1);
    hash = chainHash(hashing, entry.sequence, hash, entry.bytes);
    expect(entry.hash, label).toBe(hash);
  }
  expect(entries.length, label).toBeGreaterThanOrEqual(least);
}

test("no entry is passed over while another call of the same process reads the log anew, whatever step it is at", async () => {
  const writer = await openBeside();
  await commitEach(writer, numbered(4));
  let made = 4;
  for (let steps = 0; steps < 240; steps += 3) {
    const reader = await openBeside();
    expectWhole(await reader.log(), made, "before");
    const entries: LogEntry[] = [];
    const reading = readEntries(reader.session, {});
    for (let index = 0; index < 2; index++) entries.push((await reading.next()).value as LogEntry);
    await commitEach(writer, numbered(1, made + 1));
    await writer.pack();
    await writer.commit({ "file.txt": `text ${made + 2}\n` });
    const other = reader.log();
    for (let step = 0; step < steps; step++) await Promise.resolve();
    for await (const entry of reading) entries.push(entry);
    expectWhole(entries, made, `after ${steps} steps`);
    made += 2;
    expectWhole(await other, made, `after ${steps} steps`);
    await reader.close();
  }
  await writer.close();
}, 60_000);

test("a position told before a segment was sealed and packed is no damage", async () => {
  const writer = await openBeside();
  await commitEach(writer, numbered(2));
  const reader = await openBeside();
  await commitEach(writer, numbered(2, 3));
  await writer.commit({ "file.txt": "text 5\n" });
  const told = await reader.session.lock.position();
  await writer.seal();
  await writer.pack();
  await reader.session.log.catchUp(told);
  expectWhole(await reader.log(), 5, "afterwards");
  await writer.commit({ "file.txt": "text 6\n" });
  expectWhole(await reader.log(), 6, "later");
  await reader.close();
  await writer.close();
});

test("a packing that knows nothing of what another process has pruned leaves each content that is still named", async () => {
  const texts = numbered(4);
  const shaOf = (text: string) => hashBytes(hashing, "sha256", utf8(text));
  const [packer, pruner] = [await openBeside(), await openBeside()];
  for (const text of texts.slice(0, 3)) await packer.commit({ "file.txt": text });
  // The first revision goes; what it left is what the second one found.
  await pruner.prune(2);
  await packer.pack();
  for (const handle of [packer, pruner, await openBeside()])
    for (const text of texts.slice(0, 3)) expect(await handle.text(shaOf(text))).toBe(text);
  await packer.commit({ "file.txt": texts[3] ?? "" });
  await packer.seal();
  await packer.pack();
  for (const handle of [packer, pruner, await openBeside()])
    for (const text of texts.slice(0, 4)) expect(await handle.text(shaOf(text))).toBe(text);
  expect(fs.readdirSync(join(root, ".holdfast/log")).filter((name) => name.includes("-"))).toHaveLength(1);
});

test("who has it open all the time reads everything, wherever another process ends while it packs behind a packed file that stays", async () => {
  // Too large beside what comes later to be packed with it again.
  const large = ["a", "b", "c", "d"].map((name) =>
    Array.from(
      { length: 9000 },
      (_, line) => `${Math.imul(line + 1, name.charCodeAt(0) * 2654435)} ${line}\n`,
    ).join(""),
  );
  let total = Number.POSITIVE_INFINITY;
  let left = 0;
  for (let point = 1; point <= total; point++) {
    fs.rmSync(root, { recursive: true });
    fs.mkdirSync(root);
    const counting = countingFileSystem();
    const packer = await openBeside(counting.fileSystem);
    await commitEach(packer, large);
    await packer.pack();
    await commitEach(packer, numbered(4, 5));
    const reader = await PackingHandle.open(root, nodeFileSystem, undefined, "alive");
    counting.arm({ crashAt: point });
    await packer.pack().catch(() => undefined);
    if (counting.calls() < point) total = point;
    const label = `call ${point}: ${counting.trace[point - 1]}`;
    const names = fs.readdirSync(join(root, ".holdfast/log")).filter((name) => name.endsWith(".log"));
    if (names.filter((name) => name.includes("-")).length === 2 && names.length > 3) left += 1;
    expectWhole(await reader.log(), 8, label);
    expect(
      (await reader.log()).map(({ bytes }) => bytes),
      label,
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((sequence) => utf8(`entry ${sequence}`)));
    await reader.close();
  }
  expect(left).toBeGreaterThan(0);
}, 60_000);

test("a number that was seen is never given again, wherever one who finishes another's commit fails, and a third seals", async () => {
  let total = Number.POSITIVE_INFINITY;
  let failed = 0;
  for (let point = 1; point <= total; point++) {
    fs.rmSync(root, { recursive: true });
    fs.mkdirSync(root);
    const gone = new Set<number>();
    const openNext = (fileSystem = nodeFileSystem) =>
      PackingHandle.open(root, fileSystem, undefined, (pid) => gone.has(pid));
    const ending = countingFileSystem();
    const failing = countingFileSystem();
    const handles = [
      await openNext(ending.fileSystem),
      await openNext(failing.fileSystem),
      await openNext(),
    ] as const;
    const [first, second, third] = handles;
    await second.commit({ "file.txt": "text 1\n" });
    ending.arm({ crashAt: 1, only: ["flush"] });
    await first.commit({ "file.txt": "text 2\n" }).catch(() => undefined);
    gone.add(first.session.processes.self.pid);
    failing.arm({ failAt: point, errorNumber: "EIO" });
    await second.seal().catch(() => (failed += 1));
    if (failing.calls() < point) total = point;
    const label = `call ${point}: ${failing.trace[point - 1]}`;
    failing.arm({});
    const seen = (await second.log()).length;
    await third.seal();
    expect(await second.commit({ "other.txt": `${seen}\n` }), label).toMatchObject({ committed: true });
    for (const handle of [second, third, await openNext()]) expectWhole(await handle.log(), seen + 1, label);
    expect(readTree(root), label).toMatchObject({ "file.txt": "644 text 2\n" });
    for (const handle of [second, third]) await handle.close();
  }
  expect(failed).toBeGreaterThan(10);
}, 60_000);
