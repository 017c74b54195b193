import { Workspace, type WorkspaceEvent } from "holdfast";
import { faultyStorage, fixedClock } from "holdfast/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { needing } from "../support/grounds/needing.ts";
import { sameGround, type TestStorage, testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";

let storage: TestStorage;
let workspace: Workspace;

beforeEach(async () => {
  storage = testStorage();
  workspace = await Workspace.open(storage, { clock: fixedClock("2024-05-02T10:00:00Z") });
});

describe("history", () => {
  test("tells of each commit who made it, why and what it touched", async () => {
    const options = {
      source: "agent",
      sessionId: "s1",
      exchange: 2,
      reason: "to see",
      metadata: { ticket: "7" },
      idempotencyKey: "k",
    };
    const { workspaceRevision } = await workspace.apply(
      [
        { action: "create", path: "b", content: "" },
        { action: "create", path: "a", content: "" },
      ],
      options,
    );
    expect(await collect(workspace.history())).toEqual([
      {
        id: workspaceRevision,
        parent: "r0",
        time: "2024-05-02T10:00:00.000Z",
        cause: "apply",
        ...options,
        paths: ["a", "b"],
        pathCount: 2,
      },
    ]);
  });

  test("holds both paths of a move and none of what changed nothing", async () => {
    const { files } = await workspace.write("a", "x");
    const revision = files[0]?.revision;
    await workspace.apply([
      { action: "move", path: "a", revision, destination: "b" },
      { action: "assert", path: "c", revision: null },
    ]);
    expect((await collect(workspace.history({ limit: 1 })))[0]?.paths).toEqual(["a", "b"]);
  });

  test("names of each commit the one before it, on every page and in events", async () => {
    const events = workspace.events();
    const ids = ["r0"];
    for (const path of ["a", "b", "c"])
      ids.push((await workspace.write(path, "1", { source: path })).workspaceRevision);
    const all = await collect(workspace.history());
    expect(all.map(({ parent }) => parent)).toEqual(ids.slice(0, 3).reverse());
    for (const [index, { id }] of all.entries()) {
      const [next] = await collect(workspace.history({ after: id, limit: 1 }));
      expect(next).toEqual(all[index + 1]);
    }
    expect((await collect(workspace.history({ source: "b" })))[0]?.parent).toBe(ids[1]);
    expect((await collect(workspace.history({ since: ids[2] })))[0]?.parent).toBe(ids[2]);
    for (const told of [events, workspace.events({ since: "r0" }), workspace.events({ since: ids[1] })]) {
      for await (const event of told) {
        if (event.type !== "committed" || event.revision.id !== ids[3]) continue;
        expect(event.revision).toEqual(all[0]);
        break;
      }
    }
  });

  test("can be narrowed and read in pages, from another handle too", async () => {
    for (const path of ["a", "d/b", "d/c"]) await workspace.write(path, "1", { source: path });
    const other = await Workspace.open(sameGround(storage), { mode: "inspectionOnly" });
    const idsOf = async (options: object) =>
      (await collect(other.history(options))).map(({ source }) => source);
    expect(await idsOf({})).toEqual(["d/c", "d/b", "a"]);
    expect(await idsOf({ path: "d/" })).toEqual(["d/c", "d/b"]);
    expect(await idsOf({ path: "" })).toHaveLength(3);
    expect(await idsOf({ source: "a" })).toEqual(["a"]);
    const [newest] = await collect(other.history({ limit: 1 }));
    expect(await idsOf({ after: newest?.id })).toEqual(["d/b", "a"]);
    expect(await idsOf({ since: newest?.id })).toEqual([]);
  });

  test.each<[object, string]>([
    [{ since: "r9-0123456789abcdef" }, "INVALID_ARGUMENT"],
    [{ after: "7" }, "INVALID_ARGUMENT"],
    [{ path: "../x" }, "INVALID_PATH"],
    [{ limit: 0 }, "INVALID_ARGUMENT"],
    [{ author: "x" }, "INVALID_ARGUMENT"],
  ])("refuses %j when the iteration begins", async (options, code) => {
    expect((await refusalOf(collect(workspace.history(options)))).code).toBe(code);
  });

  test("names each state by a chained hash: the same commits elsewhere after others have other names", async () => {
    const first = await workspace.write("a", "1");
    const other = await Workspace.open(testStorage(), { clock: fixedClock("2024-05-02T10:00:00Z") });
    expect((await other.write("a", "1")).workspaceRevision).toBe(first.workspaceRevision);
    await workspace.write("x", "1");
    await other.write("y", "1");
    const [mine, theirs] = await Promise.all([workspace.write("b", "1"), other.write("b", "1")]);
    expect(mine.workspaceRevision).not.toBe(theirs.workspaceRevision);
  });
});

describe("events", () => {
  /** Takes so many events. */
  async function take(events: AsyncIterable<WorkspaceEvent>, count: number): Promise<string[]> {
    const taken: string[] = [];
    for await (const event of events) {
      taken.push(
        event.type === "committed"
          ? event.revision.paths.join()
          : event.type === "overflow"
            ? `${event.missed} missed`
            : event.type,
      );
      if (taken.length === count) break;
    }
    return taken;
  }

  test("begin with the call, not with the first reading", async () => {
    await workspace.write("before", "1");
    const events = workspace.events();
    await workspace.write("a", "1");
    await workspace.write("b", "1");
    expect(await take(events, 2)).toEqual(["a", "b"]);
  });

  test("carry what the history tells", async () => {
    const events = workspace.events();
    await workspace.write("a", "1", { source: "me" });
    for await (const event of events) {
      expect(event).toEqual({ type: "committed", revision: (await collect(workspace.history()))[0] });
      break;
    }
  });

  test("are replayed from a revision on, then go on live, each once", async () => {
    const { workspaceRevision } = await workspace.write("a", "1");
    await workspace.write("b", "1");
    const events = workspace.events({ since: workspaceRevision });
    await workspace.write("c", "1");
    const taking = take(events, 3);
    await workspace.write("d", "1");
    expect(await taking).toEqual(["b", "c", "d"]);
    expect(await take(workspace.events({ since: "r0" }), 4)).toEqual(["a", "b", "c", "d"]);
  });

  test("of other handles are told in order, with the next commit of this one at the latest", async () => {
    const other = await Workspace.open(storage);
    const events = workspace.events();
    await other.write("theirs", "1");
    await workspace.write("mine", "1");
    expect(await take(events, 2)).toEqual(["theirs", "mine"]);
  });

  test("can be narrowed to paths", async () => {
    const events = workspace.events({ paths: ["src/**", "*.md"] });
    for (const path of ["src/a", "other", "x/y.md"]) await workspace.write(path, "1");
    expect(await take(events, 2)).toEqual(["src/a", "x/y.md"]);
  });

  test("reach every reader, and only those that have not left", async () => {
    const [first, second] = [workspace.events(), workspace.events()];
    const left = workspace.events()[Symbol.asyncIterator]();
    await left.return?.();
    await workspace.write("a", "1");
    expect(await Promise.all([take(first, 1), take(second, 1)])).toEqual([["a"], ["a"]]);
    expect(await left.next()).toEqual({ done: true, value: undefined });
  });

  needing("memory", "a thousand commits to a disk take seconds")(
    "are bounded for a reader that does not read: it is told how many it missed",
    async () => {
      const events = workspace.events();
      for (let index = 0; index < 1030; index++) await workspace.write(`f${index}`, "1");
      expect(await take(events, 2)).toEqual(["6 missed", "f6"]);
    },
  );

  needing("memory", "a thousand commits to a disk take seconds")(
    "that a reader did not ask for take up none of its room",
    async () => {
      const events = workspace.events({ paths: "mine/*" });
      await workspace.write("mine/a", "1");
      for (let index = 0; index < 1030; index++) await workspace.write(`f${index}`, "1");
      await workspace.write("mine/b", "1");
      expect(await take(events, 2)).toEqual(["mine/a", "mine/b"]);
    },
  );

  test("are told of in order when many commits are made at once", async () => {
    const events = workspace.events();
    await Promise.all(Array.from({ length: 50 }, (_, index) => workspace.write(`f${index}`, "1")));
    const taken = await take(events, 50);
    const history = (await collect(workspace.history())).map(({ paths }) => paths.join()).reverse();
    expect(taken).toEqual(history);
  });

  test("come later when the log cannot be read at the time", async () => {
    const flaky = await Workspace.open(faultyStorage(storage, { failAt: 2, method: "readLog" }));
    const events = flaky.events();
    await flaky.write("a", "1");
    await new Promise<void>((resolve) => setImmediate(resolve));
    await flaky.write("b", "1");
    expect(await take(events, 2)).toEqual(["a", "b"]);
  });

  test("from a revision that is none are refused", async () => {
    expect(() => workspace.events({ since: "yesterday" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    const unknown = workspace.events({ since: "r3-0123456789abcdef" });
    expect((await refusalOf(take(unknown, 1))).code).toBe("INVALID_ARGUMENT");
  });
});
