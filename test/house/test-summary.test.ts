import { expect, test } from "vitest";
// @ts-expect-error -- a plain script without declarations
import { summarize } from "../../scripts/test-summary.mjs";

interface Summary {
  readonly total: { readonly passed: number; readonly failed: number; readonly skipped: number };
  readonly problems: readonly string[];
}

const passedTest = { status: "passed" };
const green = {
  success: true,
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults: [{ status: "passed", assertionResults: [passedTest] }],
};

function totalOf(files: Readonly<Record<string, unknown>>, args = Object.keys(files)): Summary["total"] {
  const read = (file: string): string => {
    const content = files[file];
    if (content === undefined) throw new Error("no such file");
    return typeof content === "string" ? content : JSON.stringify(content);
  };
  return (summarize as (args: readonly string[], read: (file: string) => string) => Summary)(args, read)
    .total;
}

test("reports are added up, with pending and planned tests as skipped", () => {
  expect(totalOf({ a: green, b: green })).toEqual({ passed: 6, failed: 0, skipped: 4 });
});

const failures: readonly (readonly [string, Readonly<Record<string, unknown>>, string[]])[] = [
  ["a missing report", { a: green }, ["a", "b"]],
  ["a report that is no JSON", { a: "oops" }, ["a"]],
  ["no report at all", {}, []],
  ["a report without any test", { a: { ...green, numPassedTests: 0 } }, ["a"]],
  ["an error outside of any test", { a: { ...green, success: false } }, ["a"]],
  [
    "a file that did not load",
    { a: { ...green, success: false, testResults: [{ status: "failed", assertionResults: [] }] } },
    ["a"],
  ],
  ["a failed check", { c: "pass lint\nfail build\n" }, ["--checks", "c"]],
];

test.each(failures)("%s counts as one failure", (_name, files, args) => {
  expect(totalOf(files, args).failed).toBe(1);
});

test("a failed test is counted once", () => {
  const results = [{ status: "failed", assertionResults: [passedTest, { status: "failed" }] }];
  expect(totalOf({ a: { ...green, success: false, numFailedTests: 1, testResults: results } })).toEqual({
    passed: 3,
    failed: 1,
    skipped: 2,
  });
});
