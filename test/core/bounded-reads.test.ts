import { Workspace } from "holdfast";
import { expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const limits = { textBytes: 10, binaryBytes: 20 };
const files = { text: "ten bytes.", data: "longer than a text", big: "longer than any file may be" };

/** A workspace and the calls of its storage that look at files, as they are made. */
async function watched() {
  const calls: string[] = [];
  const storage = testStorage({ files });
  for (const method of ["stat", "read", "list", "readChunks"] as const) {
    const call = storage[method].bind(storage) as (...args: unknown[]) => unknown;
    const watching = (...args: unknown[]) => {
      calls.push(method);
      return call(...args);
    };
    Object.assign(storage, { [method]: watching });
  }
  return { calls, workspace: await Workspace.open(storage, { limits }) };
}

test("a file is read in one call of the storage", async () => {
  const { calls, workspace } = await watched();
  for (const read of [
    () => workspace.read("text"),
    () => workspace.readLines("text"),
    () => workspace.readBytes("data"),
    () => workspace.stat("text", { revision: true }),
  ]) {
    calls.length = 0;
    await read();
    expect(calls).toEqual(["read"]);
  }
});

test("what is at a path is told without reading it", async () => {
  const { calls, workspace } = await watched();
  calls.length = 0;
  expect(await workspace.stat("big")).toMatchObject({ byteLength: 27 });
  expect(calls).toEqual(["stat"]);
});

test("each way of reading keeps its own limit and names it", async () => {
  await using opened = await testWorkspace(files, { limits });
  const { workspace } = opened;
  const text = { limit: "textBytes", maximum: 10, actual: 18 };
  const binary = { limit: "binaryBytes", maximum: 20, actual: 27 };
  for (const [call, details] of [
    [() => workspace.read("data"), text],
    [() => workspace.readLines("data", { endLine: 1 }), text],
    [() => workspace.update("data", () => "x"), text],
    [() => workspace.edit("data", { op: "replace_text", oldText: "longer", newText: "x" }), text],
    [() => workspace.readBytes("big"), binary],
    [() => workspace.stat("big", { revision: true }), binary],
    [() => workspace.stat("", { revision: true }), binary],
    [() => workspace.write("big", "x", { revision: "0".repeat(16) }), binary],
  ] as const) {
    const refusal = await refusalOf(call);
    expect(refusal).toMatchObject({ code: "LIMIT_EXCEEDED", written: "no" });
    expect(refusal.details).toEqual(details);
  }
  expect(opened.storage.toJSON()).toEqual(files);
  expect((await collect(workspace.search("e"))).map(({ path }) => path)).toEqual(["text"]);
});

test("files that are too long to be read are told beside all else that is wrong with a call", async () => {
  await using opened = await testWorkspace(files, { limits });
  const revision = "0".repeat(16);
  const edits = [{ op: "replace_text", oldText: "e", newText: "x" }] as const;
  const refusal = await refusalOf(
    opened.workspace.apply([
      { action: "edit", path: "data", edits },
      { action: "delete", path: "big", revision },
      { action: "edit", path: "absent", edits },
      { action: "move", path: "text", destination: "big/below", revision },
      { action: "create", path: "big", content: "new" },
    ]),
  );
  const found = refusal.problems.map(({ code, changeIndex }) => `${changeIndex} ${code}`);
  expect(found).toContain("0 LIMIT_EXCEEDED");
  expect(found).toContain("1 LIMIT_EXCEEDED");
  expect(found).toContain("2 NOT_FOUND");
});

test("a file that is too long to be read is in the way all the same", async () => {
  await using opened = await testWorkspace(files, { limits });
  const { workspace } = opened;
  for (const change of [
    { action: "create", path: "big", content: "new" },
    { action: "create", path: "big/below", content: "new" },
    { action: "assert", path: "big", revision: null },
  ] as const)
    expect((await refusalOf(workspace.apply(change))).code).toBe("ALREADY_EXISTS");
});

test("a file beyond the limit of texts can be written and deleted whole", async () => {
  await using opened = await testWorkspace(files, { limits });
  const { workspace } = opened;
  const { revision } = await workspace.readBytes("data");
  await workspace.write("data", "short", { revision });
  expect((await workspace.read("data")).text).toBe("short");
});
