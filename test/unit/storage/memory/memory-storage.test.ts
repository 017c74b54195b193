import { describe, expect, test } from "vitest";
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
