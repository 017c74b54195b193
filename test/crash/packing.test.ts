import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { utf8 } from "../../src/base/bytes.ts";
import { hashBytes } from "../../src/base/hashing.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { countingFileSystem } from "../support/crashing-host.ts";
import { readTree } from "../support/directory-tree.ts";
import { PackingHandle } from "../support/packing-handle.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
const shaOf = (text: string) => hashBytes(hashing, "sha256", utf8(text));

const linesOf = (edit: number) =>
  Array.from({ length: 40 }, (_, line) => `line ${line}${line === edit ? " edited" : ""}\n`).join("");
const texts = Array.from({ length: 8 }, (_, edit) => linesOf(edit));

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
beforeEach(() => {
  folder = temporaryFolder("quick");
  root = folder.path;
});
afterEach(() => folder.remove());

const logFiles = () =>
  fs
    .readdirSync(join(root, ".holdfast/log"))
    .filter((name) => name.endsWith(".log"))
    .sort();

/** Commits the texts one after the other, seals after every second, and packs the first four. */
async function makeHistory(handle: PackingHandle): Promise<void> {
  for (const [index, text] of texts.entries()) {
    expect(await handle.commit({ "file.txt": text })).toMatchObject({ committed: true });
    if (index % 2 === 1) await handle.seal();
    if (index === 3) await handle.pack();
  }
}

/** @param from - The oldest revision that there is, or one of two. */
async function expectHistory(
  handle: PackingHandle,
  from: number | readonly number[] = 1,
  label = "",
): Promise<void> {
  const entries = await handle.log();
  const oldest = entries[0]?.sequence ?? 0;
  expect([from].flat(), label).toContain(oldest);
  expect(
    entries.map(({ sequence, bytes }) => [sequence, new TextDecoder().decode(bytes)]),
    label,
  ).toEqual(
    texts
      .map((_, index) => [index + 1, `entry ${index + 1}`])
      .filter(([sequence]) => Number(sequence) >= oldest),
  );
  for (const text of texts.slice(oldest - 1)) expect(await handle.text(shaOf(text)), label).toBe(text);
}

describe.each([
  ["packing", (handle: PackingHandle) => handle.pack().then(() => 0), 1],
  ["pruning what is packed", (handle: PackingHandle) => handle.prune(4), 4],
  ["pruning and then packing", (handle: PackingHandle) => handle.prune(6).then(() => handle.pack()), 6],
] as const)("After %s", (_name, work, from) => {
  test.each(["crash", "failure"] as const)(
    "that ends with a %s at any call, every revision that is kept reads back, and the work can be done again",
    async (how) => {
      const template = temporaryFolder("quick");
      const made = await PackingHandle.open(template.path);
      await makeHistory(made);
      await made.close();
      let total = Number.POSITIVE_INFINITY;
      for (let point = 1; point <= total; point++) {
        fs.rmSync(root, { recursive: true });
        fs.cpSync(template.path, root, { recursive: true });
        const counting = countingFileSystem();
        const handle = await PackingHandle.open(root, counting.fileSystem);
        counting.arm(how === "crash" ? { crashAt: point } : { failAt: point, errorNumber: "EIO" });
        await work(handle).catch(() => undefined);
        if (counting.calls() < point) total = point;
        const label = `call ${point}: ${counting.trace[point - 1]}`;
        if (how === "failure") {
          counting.arm({});
          await expectHistory(handle, [1, from], label);
          await handle.close();
        }
        const next = await PackingHandle.open(root);
        await expectHistory(next, [1, from], label);
        await work(next);
        await expectHistory(next, from, label);
        expect(readTree(root), label).toMatchObject({ "file.txt": `644 ${texts.at(-1)}` });
        expect(fs.readdirSync(join(root, ".holdfast/tmp")).filter((name) => name.length > 1)).toEqual([]);
        await next.close();
        const last = await PackingHandle.open(root);
        await expectHistory(last, from, label);
        await last.pack();
        await expectHistory(last, from, label);
        expect(logFiles().length, label).toBeLessThanOrEqual(3);
        await last.close();
      }
      expect(total).toBeGreaterThan(15);
      template.remove();
    },
    120_000,
  );
});

describe("A packed file", () => {
  beforeEach(async () => {
    const handle = await PackingHandle.open(root);
    await makeHistory(handle);
    await handle.pack();
    await handle.close();
  });
  const packed = () => join(root, ".holdfast/log", logFiles().find((name) => name.includes("-")) ?? "");

  test("stands for several segments, and holds one text and what the others differ by", async () => {
    expect(logFiles().filter((name) => name.includes("-"))).toHaveLength(1);
    const bytes = fs.readFileSync(packed(), "latin1");
    expect(bytes.split("line 39").length - 1).toBe(1);
  });

  test("that is damaged anywhere is told of, and never gives wrong bytes", async () => {
    const whole = fs.readFileSync(packed());
    let told = 0;
    for (let at = 0; at < whole.byteLength; at += 23) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      fs.writeFileSync(packed(), bytes);
      const handle = await PackingHandle.open(root);
      for (const text of texts) {
        const found = await handle.text(shaOf(text)).catch((error: unknown) => error as { code: string });
        if (typeof found !== "string") told += 1;
        expect(typeof found === "string" ? found : found.code, `byte ${at}`).toBeOneOf([
          text,
          "STORAGE_FAILED",
          "NOT_SUPPORTED",
        ]);
      }
      await expect(handle.log(), `byte ${at}`).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      await handle.close();
    }
    expect(told).toBeGreaterThan(whole.byteLength / 23);
  }, 60_000);

  test("that is cut short, or gone, is told of", async () => {
    const whole = fs.readFileSync(packed());
    for (const length of [0, 10, 100, whole.byteLength - 1, whole.byteLength - 900]) {
      fs.writeFileSync(packed(), whole.subarray(0, length));
      const handle = await PackingHandle.open(root);
      await expect(handle.log(), `${length} bytes`).rejects.toMatchObject({ code: "STORAGE_FAILED" });
      await handle.close();
    }
    fs.unlinkSync(packed());
    const handle = await PackingHandle.open(root);
    await expect(handle.log()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(await handle.commit({ "file.txt": "goes on\n" })).toMatchObject({ committed: true });
    await handle.close();
  });

  test("that changes under a reader who knows where everything lies is told of when a content is read", async () => {
    const handle = await PackingHandle.open(root);
    await expectHistory(handle);
    const bytes = fs.readFileSync(packed());
    const at = bytes.indexOf("line 20");
    bytes.write("LINE", at);
    fs.writeFileSync(packed(), bytes);
    await expect(handle.text(shaOf(texts[0] ?? ""))).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await handle.close();
  });

  test("of a newer version is refused", async () => {
    const bytes = fs.readFileSync(packed());
    const length = bytes.readUInt32LE(0);
    bytes.writeUInt32LE(99, 4);
    const state = hashing.xxh64();
    state.update(bytes.subarray(4, 8));
    state.update(bytes.subarray(16, 16 + length));
    bytes.writeBigUInt64LE(BigInt(`0x${state.digest()}`), 8);
    fs.writeFileSync(packed(), bytes);
    const handle = await PackingHandle.open(root);
    await expect(handle.log()).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
    await handle.close();
  });
});

test("a segment that is damaged is not packed, and stays as it is", async () => {
  const handle = await PackingHandle.open(root);
  await makeHistory(handle);
  const [segment = ""] = logFiles().filter((name) => !name.includes("-"));
  const path = join(root, ".holdfast/log", segment);
  const bytes = fs.readFileSync(path);
  bytes.write("ENTRY", bytes.indexOf("entry 6"));
  fs.writeFileSync(path, bytes);
  const before = logFiles();
  await expect(handle.pack()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  expect(logFiles()).toEqual(before);
  expect(fs.readFileSync(path)).toEqual(bytes);
  await handle.close();
});

/** Opens it while others have it open, each a living process. */
const openBeside = () => PackingHandle.open(root, undefined, undefined, "alive");

test("two processes that pack at once leave one packed file, and both read everything", async () => {
  const handles = [await openBeside(), await openBeside()];
  await makeHistory(handles[0] as PackingHandle);
  for (const handle of handles) await expectHistory(handle);
  await Promise.all(handles.map((handle) => handle.pack()));
  for (const handle of handles) await expectHistory(handle);
  expect(logFiles().filter((name) => name.includes("-"))).toHaveLength(1);
  for (const handle of handles) await handle.close();
});

test("what one process reads while another packs is whole, whenever that happens", async () => {
  for (let turns = 0; turns < 30; turns += 2) {
    fs.rmSync(root, { recursive: true });
    fs.mkdirSync(root);
    const writer = await openBeside();
    await makeHistory(writer);
    const reader = await openBeside();
    const reading = expectHistory(reader, 1, `packed after ${turns} turns`);
    for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    await writer.pack();
    await reading;
    await expectHistory(reader, 1, "afterwards");
    await reader.close();
    await writer.close();
  }
}, 60_000);
