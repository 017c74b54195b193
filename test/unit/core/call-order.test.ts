import { describe, expect, test } from "vitest";
import { CallOrder } from "../../../src/core/call-order.ts";

/** Makes calls that end when told, and notes which of them have begun. */
function calls() {
  const order = new CallOrder();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const call = (
    name: string,
    paths: readonly string[],
    names: readonly string[] = [],
    signal?: AbortSignal,
  ) =>
    order.run(
      { paths, names },
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      signal,
    );
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const end = async (name: string) => {
    ends.get(name)?.();
    await settle();
  };
  return { call, begun, end, settle };
}

describe("calls wait for each other", () => {
  test.each<[string, readonly string[], readonly string[], readonly string[], readonly string[]]>([
    ["on one path", ["a"], [], ["a"], []],
    ["on a folder and a file below it", ["a"], [], ["a/b/c"], []],
    ["on a file and a folder above it", ["a/b/c"], [], ["a"], []],
    ["on one of several paths", ["x", "y"], [], ["z", "y"], []],
    ["with one key", ["a"], ["key:1"], ["b"], ["key:1"]],
  ])("%s", async (_name, firstPaths, firstNames, secondPaths, secondNames) => {
    const { call, begun, end, settle } = calls();
    void call("first", firstPaths, firstNames);
    void call("second", secondPaths, secondNames);
    await settle();
    expect(begun).toEqual(["first"]);
    await end("first");
    expect(begun).toEqual(["first", "second"]);
    await end("second");
  });
});

describe("calls run side by side", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["on siblings", ["a/b"], ["a/c"]],
    ["on names that only begin alike", ["a"], ["ab"]],
    ["on folders that only begin alike", ["a/b"], ["a/bc/d"]],
    ["when one touches nothing", [], ["a"]],
    ["on a path that looks like a key", ["key:1"], []],
  ])("%s", async (_name, firstPaths, secondPaths) => {
    const { call, begun, settle } = calls();
    void call("first", firstPaths);
    void call("second", secondPaths, secondPaths.length === 0 ? ["key:1"] : []);
    await settle();
    expect(begun).toEqual(["first", "second"]);
  });
});

test("calls on one path run in the order in which they were made, however many", async () => {
  const { call, begun, end, settle } = calls();
  const names = Array.from({ length: 20 }, (_, index) => `call ${index}`);
  for (const name of names) void call(name, ["a"]);
  await settle();
  for (const name of names) await end(name);
  expect(begun).toEqual(names);
});

test("a call on a folder waits for all calls below it, and those after it wait for it", async () => {
  const { call, begun, end, settle } = calls();
  void call("one", ["a/1"]);
  void call("two", ["a/2"]);
  void call("folder", ["a"]);
  void call("three", ["a/3"]);
  await settle();
  expect(begun).toEqual(["one", "two"]);
  await end("two");
  expect(begun).toEqual(["one", "two"]);
  await end("one");
  expect(begun).toEqual(["one", "two", "folder"]);
  await end("folder");
  expect(begun).toEqual(["one", "two", "folder", "three"]);
});

test("a call that fails lets the next one in", async () => {
  const order = new CallOrder();
  const failing = order.run({ paths: ["a"] }, () => Promise.reject(new Error("no")));
  const next = order.run({ paths: ["a"] }, async () => "done");
  await expect(failing).rejects.toThrow("no");
  await expect(next).resolves.toBe("done");
});

test("a waiting call whose signal fires is rejected at once and never begins, and nobody overtakes because of it", async () => {
  const { call, begun, end, settle } = calls();
  const controller = new AbortController();
  void call("first", ["a"]);
  const second = call("second", ["a", "b"], [], controller.signal);
  void call("third", ["b", "a"]);
  controller.abort(new Error("stop"));
  await expect(second).rejects.toThrow("stop");
  await settle();
  expect(begun).toEqual(["first"]);
  await end("first");
  expect(begun).toEqual(["first", "third"]);
});

test("the same path named twice by one call does not make it wait for itself", async () => {
  const order = new CallOrder();
  await expect(order.run({ paths: ["a", "a", "a/b"] }, async () => 1)).resolves.toBe(1);
});
