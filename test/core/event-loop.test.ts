import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EditableView, MemoryStorage, type StorageAdapter, Workspace } from "holdfast";
import { DirectoryStorage } from "holdfast/node";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { WorkMeter } from "../support/work-meter.ts";

const kibibyte = 1024;
const mebibyte = 1024 * kibibyte;
const line = `${"a line of the file".padEnd(63, ".")}\n`;

/** A workspace whose work is counted. */
async function open(storage: StorageAdapter) {
  const meter = new WorkMeter();
  const workspace = await Workspace.open(await meter.count(storage));
  return { meter, workspace };
}

function manyFiles(count: number, content: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, file) => [`dir-${file % 20}/file-${file}.txt`, content]),
  );
}

async function editAll(workspace: EditableView, paths: readonly string[]) {
  const edits = [{ op: "replace_text", oldText: line, newText: "new\n", replaceAll: true } as const];
  return await workspace.apply(paths.map((path) => ({ action: "edit", path, edits })));
}

describe("One turn of the event loop holds little work", () => {
  test("when one call changes many files", async () => {
    const files = manyFiles(300, line.repeat(64));
    const { meter, workspace } = await open(new MemoryStorage({ files }));
    const most = await meter.most(() => editAll(workspace, Object.keys(files)));
    // A piece of the log entry is the most that is hashed in one go; sixteen files are read side by side.
    expect(most.hashed).toBeLessThanOrEqual(160 * kibibyte);
    expect(most.calls).toBeLessThanOrEqual(20);
    expect(most.turns).toBeGreaterThan(300);
    await workspace.close();
  });

  test.each([
    ["memory", 512 * kibibyte],
    // Pieces of the disk are larger, its hashes quicker; how many meet in one turn is up to the disk.
    ["directory", 8 * mebibyte],
  ])("when one call changes a huge file in %s", async (kind, bound) => {
    const text = line.repeat((16 * mebibyte) / line.length);
    const folder = temporaryFolder();
    if (kind === "directory") writeFileSync(join(folder.path, "huge.txt"), text);
    const { meter, workspace } = await open(
      kind === "directory"
        ? new DirectoryStorage({ root: folder.path })
        : new MemoryStorage({ files: { "huge.txt": text } }),
    );
    const { revision = "" } = (await workspace.stat("huge.txt", { revision: true })) ?? {};
    const edit = { op: "replace", startLine: 1000, content: "new" } as const;
    const most = await meter.most(() => workspace.edit("huge.txt", edit, { revision }));
    expect(most.hashed).toBeLessThanOrEqual(bound);
    expect(most.turns).toBeGreaterThan(100);
    await workspace.close();
    folder.remove();
  });

  test("when a call shows a huge diff", async () => {
    const old = Array.from({ length: 60_000 }, (_, at) => `${at % 1000} ${line}`);
    const files = { "huge.txt": old.join("") };
    const { meter, workspace } = await open(new MemoryStorage({ files }));
    const { revision = "" } = (await workspace.stat("huge.txt", { revision: true })) ?? {};
    const content = old.map((one, at) => (at % 10 === 0 ? "new\n" : one)).join("");
    const write = async (includeDiff: false | { readonly maxBytes: number }) => {
      let result: Awaited<ReturnType<typeof workspace.write>> | undefined;
      const options = { revision, dryRun: true, includeDiff };
      const most = await meter.most(async () => {
        result = await workspace.write("huge.txt", content, options);
      });
      return { most, diff: result?.diff };
    };
    const plain = await write(false);
    const shown = await write({ maxBytes: 64 * mebibyte });
    expect(shown.diff).toMatchObject({ additions: 6000, removals: 6000, truncated: false });
    expect(shown.most.hashed).toBeLessThanOrEqual(512 * kibibyte);
    // Each hunk is a piece of work of its own.
    expect(shown.most.turns - plain.most.turns).toBeGreaterThan(6000);
    const cut = await write({ maxBytes: 1000 });
    expect(cut.diff).toMatchObject({ truncated: true, files: [{ unified: "" }] });
    expect(cut.most.turns - plain.most.turns).toBeLessThan(1000);
    await workspace.close();
  });

  test("when many calls come together", async () => {
    const files = manyFiles(200, line.repeat(64));
    const { meter, workspace } = await open(new MemoryStorage({ files }));
    const most = await meter.most(() =>
      Promise.all(
        Object.keys(files).map((path) => workspace.read(path).then(() => editAll(workspace, [path]))),
      ),
    );
    expect(most.hashed).toBeLessThanOrEqual(64 * kibibyte);
    expect(most.turns).toBeGreaterThan(200);
    await workspace.close();
  });

  test("when calls that never wait for a disk follow each other", async () => {
    const { meter, workspace } = await open(new MemoryStorage());
    const most = await meter.most(async () => {
      for (let call = 0; call < 200; call++)
        await workspace.apply({ action: "assert", path: "a", revision: null }, { idempotencyKey: `${call}` });
    });
    expect(most.calls).toBeLessThanOrEqual(4);
    expect(most.turns).toBeGreaterThan(200);
    await workspace.close();
  });

  test("when a tree is listed, searched and named", async () => {
    const files = manyFiles(2000, "some text\n");
    const { meter, workspace } = await open(new MemoryStorage({ files }));
    const walk = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items);
    };
    for (const run of [
      () => walk(workspace.list()),
      () => walk(workspace.search("text")),
      () => workspace.stat("", { revision: true }),
    ]) {
      const most = await meter.most(run);
      expect(most.calls).toBeLessThanOrEqual(20);
      expect(most.hashed).toBeLessThanOrEqual(64 * kibibyte);
      expect(most.turns).toBeGreaterThan(100);
    }
    await workspace.close();
  });
});
