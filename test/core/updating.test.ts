import { type Updated, Workspace } from "holdfast";
import { fixedClock } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

describe("update", () => {
  test.each<[string, Record<string, string>, Updated, Record<string, string>]>([
    ["text makes the new content", { a: "x" }, "y", { a: "y" }],
    ["text makes a file that was not there", {}, "y", { a: "y" }],
    ["bytes make the new content", { a: "x" }, new Uint8Array([122]), { a: "z" }],
    ["null deletes the file", { a: "x" }, null, {}],
    ["null leaves a file that is not there", {}, null, {}],
    ["undefined leaves the file", { a: "x" }, undefined, { a: "x" }],
    ["undefined leaves a file that is not there", {}, undefined, {}],
    ["the same text leaves the file", { a: "x" }, "x", { a: "x" }],
  ])("%s", async (_name, files, next, expected) => {
    await using opened = await testWorkspace(files);
    const { workspace, storage } = opened;
    const result = await workspace.update("a", async () => next);
    expect(storage.toJSON()).toEqual(expected);
    const changed = JSON.stringify(expected) !== JSON.stringify(files);
    expect(result.alreadyApplied).toBe(!changed);
    expect(await collect(workspace.history())).toHaveLength(changed ? 1 : 0);
  });

  test("gives the function what a read gives, and undefined where nothing is", async () => {
    await using opened = await testWorkspace({ a: "x\n" });
    const { workspace } = opened;
    const seen: unknown[] = [];
    await workspace.update("a", (current) => void seen.push(current));
    await workspace.update("b", (current) => void seen.push(current));
    expect(seen).toEqual([await workspace.read("a"), undefined]);
  });

  needing("modes", "a file is made executable")("keeps byte order mark, line ends and mode", async () => {
    await using opened = await testWorkspace({ a: "\ufeffx\r\ny\r\n" });
    const { workspace } = opened;
    const { revision } = await workspace.read("a");
    await workspace.apply({ action: "chmod", path: "a", revision, executable: true });
    await workspace.update("a", (current) => `${current?.text}z\n`.replaceAll("\r\n", "\n"));
    expect(opened.storage.toJSON()).toEqual({ a: "\ufeffx\r\ny\r\nz\r\n" });
    expect((await workspace.stat("a"))?.executable).toBe(true);
  });

  test("gives and writes a file that is not UTF-8 as latin1", async () => {
    await using opened = await testWorkspace({ a: new Uint8Array([0x63, 0xe9, 0x0a]) });
    const { workspace } = opened;
    await workspace.update("a", (current) => current?.text.replace("é", "éü"));
    expect((await workspace.readBytes("a")).bytes).toEqual(new Uint8Array([0x63, 0xe9, 0xfc, 0x0a]));
  });

  test("calls the function again with what others wrote meanwhile, and no write is lost", async () => {
    await using opened = await testWorkspace({ a: "0" });
    const { workspace, storage } = opened;
    const seen: (string | undefined)[] = [];
    await workspace.update("a", (current) => {
      seen.push(current?.text);
      if (seen.length < 4) storage.writeOutside("a", `${seen.length}`);
      return `${current?.text} and mine`;
    });
    expect(seen).toEqual(["0", "1", "2", "3"]);
    expect(storage.toJSON()).toEqual({ a: "3 and mine" });
  });

  test.each<[string, Updated]>([
    ["write", "mine"],
    ["delete", null],
    ["leave", undefined],
  ])("gives up when others were quicker every time it wanted to %s", async (_name, next) => {
    await using opened = await testWorkspace({ a: "0" });
    const { workspace, storage } = opened;
    let calls = 0;
    const update = workspace.update(
      "a",
      () => {
        calls += 1;
        storage.writeOutside("a", `${calls}`);
        return next;
      },
      { attempts: 3 },
    );
    expect(await refusalOf(update)).toMatchObject({ code: "TARGET_BUSY", retry: "same", written: "no" });
    expect(calls).toBe(3);
    expect(storage.toJSON()).toEqual({ a: "3" });
  });

  test("tries eight times unless told otherwise", async () => {
    await using opened = await testWorkspace({ a: "0" });
    let calls = 0;
    const update = opened.workspace.update("a", () => {
      opened.storage.writeOutside("a", `${++calls}`);
      return "mine";
    });
    expect((await refusalOf(update)).code).toBe("TARGET_BUSY");
    expect(calls).toBe(8);
  });

  test("notices that a file appeared where none was", async () => {
    await using opened = await testWorkspace();
    const { workspace, storage } = opened;
    await workspace.update("a", (current) => {
      if (current === undefined) storage.writeOutside("a", "theirs");
      return `${current?.text ?? ""}+mine`;
    });
    expect(storage.toJSON()).toEqual({ a: "theirs+mine" });
  });

  test("passes on what the function throws, having written nothing", async () => {
    await using opened = await testWorkspace({ a: "x" });
    const thrown = new Error("mine");
    await expect(
      opened.workspace.update("a", () => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(opened.storage.toJSON()).toEqual({ a: "x" });
  });

  test("refuses what can be no content, and paths and files that have no text", async () => {
    await using opened = await testWorkspace({ a: "x", "d/e": "", bin: new Uint8Array([0]) });
    const { workspace } = opened;
    const code = async (path: string, change: unknown, options = {}) =>
      (await refusalOf(workspace.update(path, change as () => string, options))).code;
    expect(await code("a", () => 5)).toBe("INVALID_ARGUMENT");
    expect(await code("a", "text")).toBe("INVALID_ARGUMENT");
    expect(await code("a", () => "x", { attempts: 0 })).toBe("INVALID_ARGUMENT");
    expect(await code("../a", () => "x")).toBe("INVALID_PATH");
    expect(await code("d", () => "x")).toBe("IS_DIRECTORY");
    expect(await code("bin", () => "x")).toBe("BINARY_FILE");
    expect(await code("a/b", () => "x")).toBe("ALREADY_EXISTS");
  });

  test("stops between the function and the commit when the signal fires", async () => {
    await using opened = await testWorkspace({ a: "x" });
    const controller = new AbortController();
    const update = opened.workspace.update(
      "a",
      () => {
        controller.abort(new Error("stop"));
        return "y";
      },
      { signal: controller.signal },
    );
    await expect(update).rejects.toThrow("stop");
    expect(opened.storage.toJSON()).toEqual({ a: "x" });
  });
});

test("counting up from many calls at once counts every one, in one workspace and in two", async () => {
  await using opened = await testWorkspace({ n: "0" });
  const other = await Workspace.open(opened.storage);
  const countUp = (workspace: Workspace) =>
    workspace.update("n", (current) => String(Number(current?.text) + 1), { attempts: 100 });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => countUp(index % 2 === 0 ? opened.workspace : other)),
  );
  expect(opened.storage.toJSON()).toEqual({ n: "40" });
});

test("a call that loses races goes on trying while the workspace's clock stands still", async () => {
  await using opened = await testWorkspace({ a: "0" }, { clock: fixedClock() });
  let calls = 0;
  await opened.workspace.update("a", (current) => {
    calls += 1;
    if (calls < 4) opened.storage.writeOutside("a", `${calls}`);
    return `${current?.text} mine`;
  });
  expect(opened.storage.toJSON()).toEqual({ a: "3 mine" });
});
