import { libraryLimits, type RecoveryReport, type StorageAdapter, Workspace } from "holdfast";
import { faultyStorage, fixedClock, sequentialIds } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import { refusalOf } from "../support/refusal.ts";

/** A storage whose opening reports what the test wants. */
function reporting(report: Partial<RecoveryReport>): StorageAdapter & { closed: boolean } {
  const inner = testStorage();
  const storage: StorageAdapter & { closed: boolean } = faultyStorage(inner, {}) as never;
  storage.closed = false;
  const { open, close } = storage;
  storage.open = async (options) => ({ ...(await open(options)), ...report });
  storage.close = async () => {
    storage.closed = true;
    await close();
  };
  return storage;
}

describe("a workspace that is opened for the first time", () => {
  test("gets an id, which later openings find", async () => {
    const storage = testStorage();
    const first = await Workspace.open(storage, { ids: sequentialIds() });
    expect(first.id).toBe("ws_1");
    expect((await Workspace.open(storage)).id).toBe("ws_1");
    expect((await Workspace.open(sameGround(storage), { mode: "inspectionOnly" })).id).toBe("ws_1");
  });

  test("gets one id when it is opened twice at the same time", async () => {
    const storage = testStorage();
    const [first, second] = await Promise.all([Workspace.open(storage), Workspace.open(storage)]);
    expect(first.id).toBe(second.id);
  });

  test("for inspection works with defaults and writes nothing", async () => {
    const storage = testStorage({ files: { a: "x" } });
    const workspace = await Workspace.open(storage, { mode: "inspectionOnly" });
    expect(await workspace.info()).toMatchObject({
      workspaceId: "",
      workspaceRevision: "r0",
      revisionAlgorithm: "xxh64",
    });
    expect((await workspace.read("a")).revision).toMatch(/^[0-9a-f]{16}$/);
    const writable = await Workspace.open(sameGround(storage), { revisionAlgorithm: "sha256" });
    expect((await writable.info()).revisionAlgorithm).toBe("sha256");
  });
});

describe("the algorithm of revisions", () => {
  test("is kept by the storage and is in every result", async () => {
    const storage = testStorage({ files: { a: "x" } });
    const first = await Workspace.open(storage, { revisionAlgorithm: "sha256" });
    const second = await Workspace.open(storage);
    const { revision } = await second.read("a");
    expect(revision).toBe("2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881");
    const result = await first.write("a", "y", { revision });
    expect(result.revisionAlgorithm).toBe("sha256");
    expect(result.files[0]?.revision).toMatch(/^[0-9a-f]{64}$/);
  });

  test("cannot be changed afterwards", async () => {
    const storage = testStorage();
    await Workspace.open(storage);
    const refusal = await refusalOf(Workspace.open(storage, { revisionAlgorithm: "sha256" }));
    expect(refusal).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("xxh64") });
  });
});

describe("what recovery found", () => {
  test("is in the info", async () => {
    const workspace = await Workspace.open(reporting({ rolledForward: 2, conflicts: ["a"] }));
    expect((await workspace.info()).recovery).toEqual({
      rolledForward: 2,
      rolledBack: 0,
      conflicts: ["a"],
      pending: false,
    });
  });

  test("an interrupted commit that waits keeps the workspace closed, and the storage is let go", async () => {
    const storage = reporting({ pending: true });
    expect((await refusalOf(Workspace.open(storage, { mode: "inspectionOnly" }))).code).toBe(
      "RECOVERY_PENDING",
    );
    expect(storage.closed).toBe(true);
  });

  test("an interrupted commit that waits can be looked at when that is wanted", async () => {
    const storage = reporting({ pending: true });
    const workspace = await Workspace.open(storage, { mode: "inspectionOnly", allowPending: true });
    expect((await workspace.info()).recovery.pending).toBe(true);
  });
});

describe("opening is refused", () => {
  test.each([
    { mode: "transactional" },
    { mode: "anything" },
    { limits: { changes: -1 } },
    { revisionAlgorithm: "md5" },
    { idempotency: { maxKeys: 0 } },
    { surprise: true },
  ])("for options such as %j, before the storage is touched", async (options) => {
    const storage = faultyStorage(testStorage(), {});
    expect((await refusalOf(Workspace.open(storage, options as never))).code).toBe("INVALID_ARGUMENT");
    expect(storage.calls).toBe(0);
  });

  test("by a signal that has fired, before the storage is touched", async () => {
    const storage = faultyStorage(testStorage(), {});
    await expect(Workspace.open(storage, { signal: AbortSignal.abort(new Error("stop")) })).rejects.toThrow(
      "stop",
    );
    expect(storage.calls).toBe(0);
  });

  test.each(["open", "readRecord", "commit", "readLog"] as const)(
    "when the storage fails in %s, and works the next time",
    async (method) => {
      const inner = testStorage({ files: { a: "x" } });
      const refusal = await refusalOf(Workspace.open(faultyStorage(inner, { failAt: 1, method })));
      expect(refusal.code).toBe("STORAGE_FAILED");
      expect((await (await Workspace.open(inner)).read("a")).text).toBe("x");
    },
  );

  test.each<[string, unknown, RegExp]>([
    ["has a newer format", { format: 2, id: "ws_1", revisionAlgorithm: "xxh64" }, /format 2/],
    ["cannot be read", { format: 1 }, /cannot be read/],
    ["is no object", 5, /cannot be read/],
    ["is nothing", null, /cannot be read/],
  ])("when the record of the workspace %s", async (_name, record, message) => {
    const storage = reporting({});
    storage.readRecord = async () => ({
      bytes: new TextEncoder().encode(JSON.stringify(record)),
      version: "v",
    });
    const refusal = await refusalOf(Workspace.open(storage));
    expect(refusal).toMatchObject({ code: "STORAGE_FAILED", message: expect.stringMatching(message) });
    expect(storage.closed).toBe(true);
  });
});

test("limits that are given take the place of the usual ones, the others stay", async () => {
  const workspace = await Workspace.open(testStorage(), {
    limits: { changes: 2, textBytes: undefined },
  });
  expect((await workspace.info()).limits).toEqual({ ...libraryLimits, changes: 2 });
});

test("the handle's name, mode and place in the history are in the info", async () => {
  const clock = fixedClock();
  const workspace = await Workspace.open(testStorage(), { alias: "docs", clock });
  const { workspaceRevision } = await workspace.write("a", "1");
  expect(workspace.alias).toBe("docs");
  expect(workspace.mode).toBe("autonomousTrusted");
  expect(await workspace.info()).toMatchObject({
    alias: "docs",
    mode: "autonomousTrusted",
    workspaceRevision,
  });
});
