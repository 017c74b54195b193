import { createRequire } from "node:module";
import { isHoldfastError, Workspace } from "holdfast";
import { expect, test } from "vitest";

// Node's own `require` goes through the export map to the CommonJS build, a second copy of the same code.
const other = createRequire(import.meta.url)("holdfast") as typeof import("holdfast");

test("the two formats are two copies of the library", () => {
  expect(other.Workspace).not.toBe(Workspace);
});

test("a workspace of one copy works on a storage of the other", async () => {
  const storage = new other.MemoryStorage({ files: { "a.txt": "one\n" } });
  await using workspace = await Workspace.open(storage);
  await workspace.edit(
    "a.txt",
    { op: "append", content: "two" },
    { revision: (await workspace.read("a.txt")).revision },
  );
  expect((await workspace.read("a.txt")).text).toBe("one\ntwo\n");
});

test("an error of one copy is known by the other", async () => {
  await using workspace = await other.Workspace.open(new other.MemoryStorage());
  const error: unknown = await workspace.read("absent.txt").catch((reason: unknown) => reason);
  expect(isHoldfastError(error, "NOT_FOUND")).toBe(true);
  expect(other.isHoldfastError(error, "NOT_FOUND")).toBe(true);
  expect(isHoldfastError(error, "READ_ONLY")).toBe(false);
});
