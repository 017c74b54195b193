import { expect, test } from "vitest";
import { nextMacrotask } from "../../../src/base/clock.ts";
import { ChangeListeners } from "../../../src/storage/change-listeners.ts";

const forever = () => new AbortController().signal;

function recorder() {
  const calls: (readonly string[] | "unknown")[] = [];
  return { calls, listener: (paths: readonly string[] | "unknown") => void calls.push(paths) };
}

test("what comes in one turn is told in one call, each path once", async () => {
  const { calls, listener } = recorder();
  const listeners = new ChangeListeners();
  listeners.add(listener, forever());
  listeners.tell(["a", "b"]);
  listeners.tell(["b", "c"]);
  listeners.tell([]);
  expect(calls).toEqual([]);
  await nextMacrotask();
  listeners.tell(["a"]);
  await nextMacrotask();
  expect(calls).toEqual([["a", "b", "c"], ["a"]]);
});

test.each([
  ["first", () => ["unknown", ["a"]] as const],
  ["last", () => [["a"], "unknown"] as const],
])("unknown swallows the paths that come with it when it is %s", async (_when, made) => {
  const { calls, listener } = recorder();
  const listeners = new ChangeListeners();
  listeners.add(listener, forever());
  for (const told of made()) listeners.tell(told);
  await nextMacrotask();
  expect(calls).toEqual(["unknown"]);
});

test.each([
  [1000, 1000],
  [1001, "unknown"],
])("%i paths are told as %s", async (count, told) => {
  const { calls, listener } = recorder();
  const listeners = new ChangeListeners();
  listeners.add(listener, forever());
  listeners.tell(Array.from({ length: count }, (_, index) => `file-${index}`));
  await nextMacrotask();
  expect(calls.map((paths) => (paths === "unknown" ? paths : paths.length))).toEqual([told]);
});

test("a list that one listener spoils is whole for the next", async () => {
  const { calls, listener } = recorder();
  const listeners = new ChangeListeners();
  listeners.add((paths) => void (paths as string[]).splice(0), forever());
  listeners.add(listener, forever());
  listeners.tell(["a"]);
  await nextMacrotask();
  expect(calls).toEqual([["a"]]);
});

test("a listener that throws, or returns a promise that rejects, keeps nobody from hearing", async () => {
  const { calls, listener } = recorder();
  const listeners = new ChangeListeners();
  listeners.add(() => {
    throw new Error("now");
  }, forever());
  listeners.add(() => Promise.reject(new Error("later")) as unknown as undefined, forever());
  listeners.add(listener, forever());
  listeners.tell(["a"]);
  await nextMacrotask();
  expect(calls).toEqual([["a"]]);
});

test("one that leaves between the change and the call is not called, not even by the listener before it", async () => {
  const { calls, listener } = recorder();
  const [first, second] = [new AbortController(), new AbortController()];
  const listeners = new ChangeListeners();
  listeners.add(() => second.abort(), forever());
  listeners.add(listener, first.signal);
  listeners.add(listener, second.signal);
  listeners.tell(["a"]);
  first.abort();
  await nextMacrotask();
  expect(calls).toEqual([]);
});

test("the end of the last listener is told once, whether by its signal or by closing", () => {
  let left = 0;
  const listeners = new ChangeListeners(() => (left += 1));
  const [first, second] = [new AbortController(), new AbortController()];
  const { listener } = recorder();
  listeners.add(listener, AbortSignal.abort());
  listeners.add(listener, first.signal);
  listeners.add(listener, second.signal);
  first.abort();
  expect(left).toBe(0);
  listeners.close();
  expect(left).toBe(1);
  second.abort();
  listeners.close();
  expect(left).toBe(1);
});
