import { type OpenOptions, type StorageAdapter, Workspace } from "holdfast";
import { faultyStorage, fixedClock } from "holdfast/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { type TestStorage, testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const hour = 60 * 60 * 1000;

let storage: TestStorage;
let workspace: Workspace;

beforeEach(async () => {
  storage = testStorage({ files: { a: "0" } });
  workspace = await Workspace.open(storage);
});

const keysKept = async (of: StorageAdapter = storage) => (await collect(of.listRecords("keys/", {}))).length;
const timesKept = async (of: StorageAdapter = storage) =>
  (await collect(of.listRecords("keys-by-time/", {}))).length;
const commits = async () => (await collect(workspace.history())).length;

describe("a repeat with the same key and arguments", () => {
  test("gives the recorded result and writes nothing, although its own revision is stale by now", async () => {
    const { revision } = await workspace.read("a");
    const call = () => workspace.write("a", "1", { revision, idempotencyKey: "k" });
    const first = await call();
    await workspace.write("a", "2", { revision: first.files[0]?.revision });
    expect(await call()).toEqual({ ...first, idempotentReplay: true });
    expect(storage.toJSON()).toEqual({ a: "2" });
    expect(await commits()).toBe(2);
  });

  test("gives it also through another handle and after closing", async () => {
    const first = await workspace.write("b", "1", { idempotencyKey: "k" });
    await workspace.close();
    const later = await Workspace.open(storage);
    expect(await later.write("b", "1", { idempotencyKey: "k" })).toEqual({
      ...first,
      idempotentReplay: true,
    });
  });

  test("is the same call when a path is spelled with ./ in front", async () => {
    await workspace.write("q", "1", { idempotencyKey: "k" });
    expect((await workspace.write("./q", "1", { idempotencyKey: "k" })).idempotentReplay).toBe(true);
    const { revision } = await workspace.read("a");
    const move = (path: string, destination: string) =>
      workspace.apply({ action: "move", path, destination, revision }, { idempotencyKey: "m" });
    await move("./a", "b");
    expect((await move("a", "./b")).idempotentReplay).toBe(true);
    const other = await refusalOf(workspace.write("./p", "1", { idempotencyKey: "k" }));
    expect(other.code).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  test("runs again when the first was refused", async () => {
    const call = () =>
      workspace.edit("a", { op: "replace_text", oldText: "x", newText: "y" }, { idempotencyKey: "k" });
    expect((await refusalOf(call())).code).toBe("TEXT_NOT_FOUND");
    expect(await keysKept()).toBe(0);
    storage.writeOutside("a", "x");
    expect((await call()).idempotentReplay).toBe(false);
  });

  test("of a call that had nothing to change is known, too", async () => {
    const { revision } = await workspace.read("a");
    const call = () => workspace.write("a", "0", { revision, idempotencyKey: "k" });
    expect(await call()).toMatchObject({ alreadyApplied: true, idempotentReplay: false });
    storage.writeOutside("a", "1");
    expect(await call()).toMatchObject({ alreadyApplied: true, idempotentReplay: true });
  });

  test("of an update is known before the function is called", async () => {
    const call = (text: string) => workspace.update("a", () => text, { idempotencyKey: "k" });
    await call("1");
    expect((await call("2")).idempotentReplay).toBe(true);
    expect(storage.toJSON()).toEqual({ a: "1" });
  });

  test.each<[string, object, object]>([
    ["options that equal their default", {}, { dryRun: false, metadata: {} }],
    ["the signal", {}, { signal: new AbortController().signal }],
    ["the order of fields", { source: "a", reason: "b" }, { reason: "b", source: "a" }],
  ])("is the same whatever %s", async (_name, first, second) => {
    await workspace.write("b", "1", { ...first, idempotencyKey: "k" });
    expect((await workspace.write("b", "1", { ...second, idempotencyKey: "k" })).idempotentReplay).toBe(true);
  });

  test("is the same for fields of changes that equal their default, and for a list of one", async () => {
    const edits = [{ op: "replace_text", oldText: "0", newText: "1" }] as const;
    await workspace.apply({ action: "edit", path: "a", edits }, { idempotencyKey: "k" });
    const { revision } = await workspace.read("a");
    const line = (parts: object) =>
      workspace.apply(
        [
          {
            action: "edit",
            path: "a",
            revision,
            edits: [{ op: "replace", startLine: 1, content: "2", ...parts }],
          },
          { action: "create", path: "n", content: "", ...("endLine" in parts && { executable: false }) },
        ],
        { idempotencyKey: "lines" },
      );
    expect((await line({})).idempotentReplay).toBe(false);
    expect((await line({ endLine: 1 })).idempotentReplay).toBe(true);
    const same = [{ ...edits[0], occurrences: 1, replaceAll: false }];
    const repeat = await workspace.apply([{ action: "edit", path: "a", edits: same }], {
      idempotencyKey: "k",
    });
    expect(repeat.idempotentReplay).toBe(true);
    expect((await workspace.edit("a", edits, { idempotencyKey: "k" })).idempotentReplay).toBe(true);
  });
});

describe("a key that was used with other arguments", () => {
  test.each<[string, (options: { idempotencyKey: string }) => Promise<unknown>]>([
    ["other content", (options) => workspace.write("b", "2", options)],
    ["another path", (options) => workspace.write("c", "1", options)],
    ["content as bytes", (options) => workspace.write("b", new Uint8Array([49]), options)],
    ["another source", (options) => workspace.write("b", "1", { ...options, source: "x" })],
    ["a dry run", (options) => workspace.write("b", "1", { ...options, dryRun: true })],
    ["another method", (options) => workspace.update("b", () => "1", options)],
  ])("is refused for %s, with what the first call did", async (_name, call) => {
    const first = await workspace.write("b", "1", { idempotencyKey: "k" });
    const refusal = await refusalOf(call({ idempotencyKey: "k" }));
    expect(refusal).toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
      written: "no",
      details: { outcome: { known: true, workspaceRevision: first.workspaceRevision, operation: "apply" } },
    });
    expect(storage.toJSON()).toEqual({ a: "0", b: "1" });
  });

  test("is told so even when the call would be refused for another reason", async () => {
    await workspace.write("b", "1", { idempotencyKey: "k" });
    expect((await refusalOf(workspace.write("b", "2", { idempotencyKey: "k" }))).code).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
  });
});

test("a dry run is not recorded", async () => {
  await workspace.write("b", "1", { idempotencyKey: "k", dryRun: true });
  expect(await keysKept()).toBe(0);
  expect((await workspace.write("b", "1", { idempotencyKey: "k" })).idempotentReplay).toBe(false);
});

describe("calls at once with one key", () => {
  test("have one effect, and all but one replay it", async () => {
    const calls = Array.from({ length: 8 }, () =>
      workspace.update("a", (current) => `${Number(current?.text) + 1}`, { idempotencyKey: "k" }),
    );
    const results = await Promise.all(calls);
    expect(results.filter(({ idempotentReplay }) => !idempotentReplay)).toHaveLength(1);
    expect(new Set(results.map(({ workspaceRevision }) => workspaceRevision)).size).toBe(1);
    expect(storage.toJSON()).toEqual({ a: "1" });
  });

  test("have one effect through several handles", async () => {
    const handles = await Promise.all(Array.from({ length: 8 }, () => Workspace.open(storage)));
    const results = await Promise.all(
      handles.map((handle) => handle.write("b", "1", { idempotencyKey: "k" })),
    );
    expect(results.filter(({ idempotentReplay }) => !idempotentReplay)).toHaveLength(1);
    expect(await commits()).toBe(1);
  });

  test("run one after the other when the first fails", async () => {
    let calls = 0;
    const call = () =>
      workspace.update(
        "a",
        () => {
          calls += 1;
          if (calls < 3) throw new Error(`failed ${calls}`);
          return "done";
        },
        { idempotencyKey: "k" },
      );
    const results = await Promise.allSettled([call(), call(), call(), call()]);
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value.idempotentReplay : "failed")),
    ).toEqual(["failed", "failed", false, true]);
  });

  test("are told apart by path when their arguments differ: one wins, the other is refused", async () => {
    const results = await Promise.allSettled(
      ["x", "y"].map((path) => workspace.write(path, "1", { idempotencyKey: "k" })),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(storage.toJSON()).toEqual({ a: "0", x: "1" });
  });
});

describe("when the process dies after the commit and before the answer", () => {
  test("the repeat in the next process gives the result of the commit", async () => {
    const dying = await Workspace.open(
      faultyStorage(storage, { crashAt: 1, method: "commit", afterEffect: true }),
    );
    await refusalOf(dying.write("b", "1", { idempotencyKey: "k" }));
    expect(storage.toJSON()).toEqual({ a: "0", b: "1" });
    expect((await workspace.write("b", "1", { idempotencyKey: "k" })).idempotentReplay).toBe(true);
    expect(await workspace.outcome("k")).toMatchObject({ known: true, operation: "apply" });
    expect(await commits()).toBe(1);
  });

  test("the repeat in the next process runs when the commit had not been reached", async () => {
    const dying = await Workspace.open(faultyStorage(storage, { crashAt: 1, method: "commit" }));
    await refusalOf(dying.write("b", "1", { idempotencyKey: "k" }));
    expect((await workspace.write("b", "1", { idempotencyKey: "k" })).idempotentReplay).toBe(false);
  });
});

test("when only the storage's answer is lost, the key tells what happened and the call succeeds", async () => {
  const unsure = await Workspace.open(
    faultyStorage(storage, { failAt: 1, method: "commit", afterEffect: true }),
  );
  expect(await unsure.write("b", "1", { idempotencyKey: "k" })).toMatchObject({ idempotentReplay: true });
  const without = await Workspace.open(
    faultyStorage(storage, { failAt: 1, method: "commit", afterEffect: true }),
  );
  expect(await refusalOf(without.write("c", "1"))).toMatchObject({
    code: "STORAGE_FAILED",
    written: "unknown",
  });
});

describe("keys are kept", () => {
  async function openAt(time: number, idempotency: NonNullable<OpenOptions["idempotency"]>) {
    const clock = fixedClock(time);
    return { clock, timed: await Workspace.open(storage, { clock, idempotency }) };
  }

  test("so long and no longer", async () => {
    const { clock, timed } = await openAt(0, { maxAgeMs: hour });
    const call = () =>
      timed.update("a", (current) => `${Number(current?.text) + 1}`, { idempotencyKey: "k" });
    await call();
    clock.set(hour);
    expect((await call()).idempotentReplay).toBe(true);
    clock.set(hour + 1);
    expect(await timed.outcome("k")).toEqual({ known: false, recordedSince: new Date(1).toISOString() });
    expect((await call()).idempotentReplay).toBe(false);
    expect((await call()).idempotentReplay).toBe(true);
    expect(storage.toJSON()).toEqual({ a: "2" });
    expect([await keysKept(), await timesKept()]).toEqual([1, 1]);
  });

  test("and those that are too old go with the next keyed commit", async () => {
    const { clock, timed } = await openAt(0, { maxAgeMs: hour });
    for (const key of ["a", "b", "c"]) await timed.write(`f-${key}`, "1", { idempotencyKey: key });
    clock.set(2 * hour);
    await timed.write("f-d", "1", { idempotencyKey: "d" });
    expect([await keysKept(), await timesKept()]).toEqual([1, 1]);
  });

  test("so many and no more, the oldest going first", async () => {
    const { clock, timed } = await openAt(0, { maxKeys: 3 });
    for (let index = 0; index < 10; index++) {
      clock.set(index);
      await timed.write(`f${index}`, "1", { idempotencyKey: `k${index}` });
    }
    expect([await keysKept(), await timesKept()]).toEqual([3, 3]);
    const known = await Promise.all(
      [6, 7, 8, 9].map(async (index) => (await timed.outcome(`k${index}`)).known),
    );
    expect(known).toEqual([false, true, true, true]);
    expect(await timed.outcome("k0")).toEqual({ known: false, recordedSince: new Date(7).toISOString() });
  });
});

describe("outcome", () => {
  test("of a key that nobody used says since when keys are kept", async () => {
    const clock = fixedClock("2024-05-02T00:00:00Z");
    const timed = await Workspace.open(storage, { clock });
    expect(await timed.outcome("k")).toEqual({ known: false, recordedSince: "2024-05-01T00:00:00.000Z" });
  });

  test("of a used key gives when, what and the result", async () => {
    const clock = fixedClock("2024-05-02T00:00:00Z");
    const timed = await Workspace.open(storage, { clock });
    const result = await timed.write("b", "1", { idempotencyKey: "k" });
    expect(await timed.outcome("k")).toEqual({
      known: true,
      workspaceRevision: result.workspaceRevision,
      time: "2024-05-02T00:00:00.000Z",
      operation: "apply",
      result: { ...result, idempotentReplay: true },
    });
  });

  test.each(["", "x".repeat(257), 5, "\ud800"])("refuses what can be no key: %j", async (key) => {
    expect((await refusalOf(workspace.outcome(key as string))).code).toBe("INVALID_ARGUMENT");
    expect((await refusalOf(workspace.write("b", "1", { idempotencyKey: key as string }))).code).toBe(
      "INVALID_ARGUMENT",
    );
  });
});

describe("once", () => {
  test("makes the call the first time and never again, whatever it would do then", async () => {
    const run = (content: string) => workspace.once("k", (key) => workspace.write("b", content, key));
    expect((await run("1")).idempotentReplay).toBe(false);
    expect((await run("2")).idempotentReplay).toBe(true);
    expect(storage.toJSON()).toEqual({ a: "0", b: "1" });
  });

  test("at once with one key makes the call once", async () => {
    let calls = 0;
    const run = () =>
      workspace.once("k", (key) => {
        calls += 1;
        return workspace.write("b", String(calls), key);
      });
    const results = await Promise.all([run(), run(), run()]);
    expect(results.map(({ idempotentReplay }) => idempotentReplay)).toEqual([false, true, true]);
    expect(calls).toBe(1);
  });

  test("passes on what the call throws, and the next one makes it again", async () => {
    await expect(workspace.once("k", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect((await workspace.once("k", (key) => workspace.write("b", "1", key))).idempotentReplay).toBe(false);
  });
});

test("a failing look-up of the key keeps the call from running", async () => {
  const unreadable = await Workspace.open(faultyStorage(storage, { failAt: 2, method: "readRecord" }));
  expect((await refusalOf(unreadable.write("b", "1", { idempotencyKey: "k" }))).code).toBe("STORAGE_FAILED");
  expect(storage.toJSON()).toEqual({ a: "0" });
});

describe("a table of keys that is damaged", () => {
  async function withRecord(text: string): Promise<Workspace> {
    await workspace.write("b", "1", { idempotencyKey: "k" });
    const readRecord = storage.readRecord.bind(storage);
    storage.readRecord = async (key, options) => {
      const record = await readRecord(key, options);
      return record === undefined || !key.startsWith("keys/")
        ? record
        : { ...record, bytes: new TextEncoder().encode(text) };
    };
    return await Workspace.open(storage);
  }

  test.each<[string, string]>([
    ["no JSON", "{"],
    ["null", "null"],
    ["a newer format", '{"format":2,"argumentDigest":"x","after":0,"time":0}'],
    ["half a record", '{"format":1,"argumentDigest":"x"}'],
    [
      "a place in the log that holds no such call",
      `{"format":1,"argumentDigest":"x","after":9,"time":${Date.now()}}`,
    ],
  ])("keeps the call from running twice: %s", async (_name, text) => {
    const damaged = await withRecord(text);
    expect((await refusalOf(damaged.write("b", "1", { idempotencyKey: "k" }))).code).toBe("STORAGE_FAILED");
    expect((await refusalOf(damaged.outcome("k"))).code).toBe("STORAGE_FAILED");
    expect(await commits()).toBe(1);
  });
});
