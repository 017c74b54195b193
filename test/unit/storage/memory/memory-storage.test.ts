import { describe, expect, test } from "vitest";
import { nextMacrotask } from "../../../../src/base/clock.ts";
import { checkedStorage } from "../../../../src/storage/checked-storage.ts";
import { MemoryStorage } from "../../../../src/storage/memory/memory-storage.ts";
import { openStorage, readText, writeBatch, writeText } from "../../../support/open-storage.ts";

const flush = { flush: true };

test("the first files are there, under their own names", () => {
  const files = JSON.parse('{"b": "2", "a/c": "1", "__proto__": "3"}') as Record<string, string>;
  expect(Object.entries(new MemoryStorage({ files }).toJSON())).toEqual([
    ["__proto__", "3"],
    ["a/c", "1"],
    ["b", "2"],
  ]);
});

test("bytes that are not UTF-8 are shown in Base64, and a text that looks like that too", () => {
  const storage = new MemoryStorage({
    files: { binary: Uint8Array.of(0, 255, 128), text: "base64:AA", bom: "\ufeffx", plain: "é" },
  });
  expect(storage.toJSON()).toEqual({
    binary: "base64:AP+A",
    bom: "\ufeffx",
    plain: "é",
    text: `base64:${btoa("base64:AA")}`,
  });
});

test("the bytes of the first files and of outside writes are copied", () => {
  const bytes = new TextEncoder().encode("kept");
  const storage = new MemoryStorage({ files: { a: bytes } });
  storage.writeOutside("b", bytes);
  bytes.fill(0);
  expect(storage.toJSON()).toEqual({ a: "kept", b: "kept" });
});

test.each([
  [{ "/a": "" }, "INVALID_PATH"],
  [{ ".git/config": "" }, "PROTECTED_PATH"],
  [{ a: "", "a/b": "" }, "ALREADY_EXISTS"],
  [{ "a/b": "", a: "" }, "IS_DIRECTORY"],
])("the first files %j are refused with %s", (files, code) => {
  expect(() => new MemoryStorage({ files: files as Record<string, string> })).toThrow(
    expect.objectContaining({ code }),
  );
});

describe("A watch", () => {
  const told = (storage: MemoryStorage) => {
    const calls: (readonly string[] | "unknown")[] = [];
    storage.watch((paths) => calls.push(paths), { signal: new AbortController().signal });
    return calls;
  };

  test("tells what is written from outside in one call, and no commits", async () => {
    const storage = new MemoryStorage({ files: { gone: "1" } });
    await openStorage(storage);
    const calls = told(storage);
    storage.writeOutside("a/b", "1");
    storage.writeOutside("a/b", "2");
    storage.writeOutside("gone", null);
    expect(calls).toEqual([]);
    await nextMacrotask();
    expect(calls).toEqual([["a/b", "gone"]]);
    await writeText(storage, "c", "1");
    await nextMacrotask();
    expect(calls).toHaveLength(1);
  });

  test("tells nothing of the removal of what was not there", async () => {
    const storage = new MemoryStorage();
    const calls = told(storage);
    storage.writeOutside("a", null);
    await nextMacrotask();
    expect(calls).toEqual([]);
  });

  test("tells a path as the file is spelled where names fold", async () => {
    const storage = new MemoryStorage({ files: { "Folder/File": "1", other: "1" }, caseFold: true });
    const calls = told(storage);
    storage.writeOutside("folder/file", "2");
    storage.writeOutside("OTHER", null);
    storage.writeOutside("FOLDER/new", "1");
    await nextMacrotask();
    expect(calls).toEqual([["Folder/File", "other", "Folder/new"]]);
  });
});

describe("Paths that may not be written", () => {
  test.each(["locked", "folder/deep/file"])("a batch that writes %s is refused whole", async (path) => {
    const files = { locked: "1", "folder/deep/file": "1" };
    const storage = await openStorage(
      checkedStorage(new MemoryStorage({ files, readOnlyPaths: ["locked", "folder"] })),
    );
    const outcome = await writeText(storage, path, "2");
    expect(outcome).toMatchObject({ committed: false, written: "no", error: { code: "READ_ONLY" } });
    expect(await readText(storage, path)).toBe("1");
    expect(await writeText(storage, "folders", "2")).toMatchObject({ committed: true, sequence: 1 });
  });

  test("are written from outside all the same", () => {
    const storage = new MemoryStorage({ files: { a: "1" }, readOnlyPaths: ["a"] });
    storage.writeOutside("a", "2");
    expect(storage.toJSON()).toEqual({ a: "2" });
  });
});

describe("Where names fold", () => {
  test("a new file takes the spelling of the folders that are there", async () => {
    const memory = new MemoryStorage({ files: { "Src/Lib/a": "1" }, caseFold: true });
    const storage = await openStorage(checkedStorage(memory));
    await storage.commit([writeBatch("src/LIB/b", "2")], flush);
    expect(memory.toJSON()).toEqual({ "Src/Lib/a": "1", "Src/Lib/b": "2" });
    const listed: string[] = [];
    for await (const { path } of storage.list({ under: "SRC" })) listed.push(path);
    expect(listed).toEqual(["Src/Lib/a", "Src/Lib/b"]);
  });

  test("composed and decomposed letters are one name", () => {
    const storage = new MemoryStorage({ caseFold: true });
    storage.writeOutside("caf\u00e9", "1");
    storage.writeOutside("CAFE\u0301", "2");
    expect(storage.toJSON()).toEqual({ "caf\u00e9": "2" });
  });
});
