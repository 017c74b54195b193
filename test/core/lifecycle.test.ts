import { Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";
import { collect, refusalOf } from "../support/refusal.ts";

type Call = (workspace: Workspace, options: { readonly signal?: AbortSignal }) => Promise<unknown>;

const methods: readonly (readonly [string, Call])[] = [
  ["read", (workspace, options) => workspace.read("a.txt", options)],
  ["readLines", (workspace, options) => workspace.readLines("a.txt", options)],
  ["readBytes", (workspace, options) => workspace.readBytes("a.txt", options)],
  ["stat", (workspace, options) => workspace.stat("a.txt", options)],
  ["list", (workspace, options) => collect(workspace.list(options))],
  ["search", (workspace, options) => collect(workspace.search("x", options))],
  ["apply", (workspace, options) => workspace.apply({ action: "create", path: "n", content: "" }, options)],
  [
    "edit",
    (workspace, options) =>
      workspace.edit("a.txt", { op: "replace_text", oldText: "a", newText: "A" }, options),
  ],
  ["write", (workspace, options) => workspace.write("n", "", options)],
  ["update", (workspace, options) => workspace.update("n", () => "x", options)],
  ["info", (workspace, options) => workspace.info(options)],
  ["history", (workspace, options) => collect(workspace.history(options))],
  ["outcome", (workspace, options) => workspace.outcome("key", options)],
  [
    "once",
    (workspace, options) => workspace.once("key", (key) => workspace.write("n", "", { ...options, ...key })),
  ],
];

const changing = new Set(["apply", "edit", "write", "update", "once"]);

describe.each(methods)("%s", (name, call) => {
  test("works on an open workspace", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    await expect(call(opened.workspace, {})).resolves.toBeDefined();
  });

  test("is refused on a closed workspace and changes nothing", async () => {
    const { workspace, storage } = await testWorkspace({ "a.txt": "a\n" });
    await workspace.close();
    expect(await refusalOf(() => call(workspace, {}))).toMatchObject({
      code: "WORKSPACE_CLOSED",
      retry: "never",
    });
    expect(storage.toJSON()).toEqual({ "a.txt": "a\n" });
  });

  test("is refused as soon as closing has begun", async () => {
    const { workspace } = await testWorkspace({ "a.txt": "a\n" });
    const closing = workspace.close();
    expect((await refusalOf(() => call(workspace, {}))).code).toBe("WORKSPACE_CLOSED");
    await closing;
  });

  test("rejects with the signal's reason when it was aborted before, and changes nothing", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const reason = new Error("no longer wanted");
    await expect(call(opened.workspace, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(opened.storage.toJSON()).toEqual({ "a.txt": "a\n" });
    expect(await collect(opened.workspace.history())).toEqual([]);
  });

  test.each([
    ["an object", {}],
    ["half of one", { aborted: false }],
    ["null", null],
  ])("is refused when its signal is %s", async (_what, signal) => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const refusal = await refusalOf(() => call(opened.workspace, { signal } as never));
    expect(refusal).toMatchObject({ code: "INVALID_ARGUMENT", written: "no" });
    expect(opened.storage.toJSON()).toEqual({ "a.txt": "a\n" });
  });

  test(`is ${changing.has(name) ? "refused" : "allowed"} in a workspace for inspection`, async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" }, { mode: "inspectionOnly" });
    if (!changing.has(name)) return void (await call(opened.workspace, {}));
    expect((await refusalOf(() => call(opened.workspace, {}))).code).toBe("MUTATION_DISABLED");
    expect(opened.storage.toJSON()).toEqual({ "a.txt": "a\n" });
  });
});

test("events are refused on a closed workspace and end when it closes", async () => {
  const { workspace } = await testWorkspace();
  const events = collect(workspace.events());
  await workspace.close();
  expect(await events).toEqual([]);
  expect(() => workspace.events()).toThrow(expect.objectContaining({ code: "WORKSPACE_CLOSED" }));
});

test("events end without an error when their signal fires", async () => {
  await using opened = await testWorkspace();
  const controller = new AbortController();
  const events = collect(opened.workspace.events({ signal: controller.signal }));
  await opened.workspace.write("a", "1");
  controller.abort();
  expect((await events).length).toBeLessThanOrEqual(1);
});

test("closing waits for the calls that run, and closing again waits for the same", async () => {
  const { workspace, storage } = await testWorkspace();
  let finish = (_text: string) => {};
  const begun = new Promise<void>((begin) => {
    void workspace
      .update("a", () => {
        begin();
        return new Promise<string>((resolve) => {
          finish = resolve;
        });
      })
      .catch(() => undefined);
  });
  await begun;
  let closed = false;
  const closing = Promise.all([workspace.close(), workspace.close()]).then(() => (closed = true));
  await new Promise<void>((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  finish("done");
  await closing;
  expect(storage.toJSON()).toEqual({ a: "done" });
});

test("await using closes at the end of the block", async () => {
  let kept: Workspace;
  {
    await using workspace = await Workspace.open(testStorage());
    kept = workspace;
    await workspace.write("a", "1");
  }
  expect((await refusalOf(kept.info())).code).toBe("WORKSPACE_CLOSED");
});

test("a listing that rests does not keep the workspace from closing, and then ends with a refusal", async () => {
  const { workspace } = await testWorkspace({ a: "", b: "" });
  const listing = workspace.list()[Symbol.asyncIterator]();
  await listing.next();
  await workspace.close();
  expect((await refusalOf(listing.next())).code).toBe("WORKSPACE_CLOSED");
});

test("closing one of two workspaces on a storage leaves the other open", async () => {
  const storage = testStorage();
  const [first, second] = [await Workspace.open(storage), await Workspace.open(storage)];
  await first.close();
  await second.write("a", "1");
  expect((await second.read("a")).text).toBe("1");
});

test("a plan that takes long is given up when its signal fires", async () => {
  const text = "const value = compute(1);\n".repeat(40_000);
  await using opened = await testWorkspace({ "a.txt": text });
  const controller = new AbortController();
  const reason = new Error("no longer wanted");
  const missing = Array.from({ length: 300 }, (_, index) => ({
    op: "replace_text" as const,
    oldText: `compute(${index}x`,
    newText: "",
  }));
  const edited = opened.workspace.edit("a.txt", missing, { signal: controller.signal });
  setImmediate(() => setImmediate(() => controller.abort(reason)));
  await expect(edited).rejects.toBe(reason);
});
