import { expect, test } from "vitest";
import { describeResult } from "../../../src/core/describe-result.ts";
import type { AppliedFile, ApplyResult } from "../../../src/schema/apply-result.ts";

const modified: AppliedFile = {
  path: "src/a.ts",
  operation: "modified",
  revision: "00112233aabbccdd",
  totalLines: 12,
  changedRanges: [
    { startLine: 3, endLine: 3, added: 1, removed: 1 },
    { startLine: 7, endLine: 9, added: 3, removed: 0 },
    { startLine: 11, endLine: 10, added: 0, removed: 2 },
  ],
  lineShifts: [],
};

const result: ApplyResult = {
  dryRun: false,
  alreadyApplied: false,
  idempotentReplay: false,
  workspaceRevision: "r4-0123456789abcdef",
  revisionAlgorithm: "xxh64",
  files: [modified],
  additions: 4,
  removals: 3,
  warnings: [],
};

test("a result tells of each file what happened, its new revision and where it changed", () => {
  expect(describeResult(result)).toBe(
    [
      "Wrote 1 file, +4 -3 lines; the workspace is at r4-0123456789abcdef.",
      '- modified "src/a.ts", revision 00112233aabbccdd, 12 lines; changed line 3, lines 7-9, before line 11',
    ].join("\n"),
  );
});

test.each<[string, Partial<ApplyResult>, string]>([
  ["a dry run", { dryRun: true }, "Dry run: would change 1 file, +4 -3 lines. Nothing was written."],
  [
    "nothing to change",
    { alreadyApplied: true },
    "Nothing to change in 1 file; the workspace is at r4-0123456789abcdef.",
  ],
  [
    "a replay",
    { idempotentReplay: true },
    "Wrote 1 file, +4 -3 lines; the workspace is at r4-0123456789abcdef (recorded result of an earlier call).",
  ],
])("the first line says %s", (_name, parts, line) => {
  expect(describeResult({ ...result, ...parts }).split("\n")[0]).toBe(line);
});

test("moves name their source, deletions have no revision, warnings stand at the end", () => {
  const files: readonly AppliedFile[] = [
    { ...modified, operation: "moved", previousPath: "b.ts", changedRanges: [], totalLines: 1 },
    { path: "c", operation: "deleted", changedRanges: [], lineShifts: [] },
  ];
  const warnings = [{ code: "TRAILING_BLANK_LINE", message: "One line is empty." }];
  expect(
    describeResult({ ...result, files, warnings })
      .split("\n")
      .slice(1),
  ).toEqual([
    '- moved "src/a.ts" from "b.ts", revision 00112233aabbccdd, 1 line',
    '- deleted "c"',
    "Warning TRAILING_BLANK_LINE: One line is empty.",
  ]);
});

test.each([100, 500, 5000])("the text keeps within %i bytes and counts what it leaves out", (maxBytes) => {
  const files = Array.from({ length: 300 }, (_, index) => ({ ...modified, path: `ä${index}` }));
  const text = describeResult({ ...result, files }, { maxBytes });
  expect(new TextEncoder().encode(text).byteLength).toBeLessThanOrEqual(maxBytes);
  const shown = text.split("\n").length - 1;
  expect(text).toMatch(new RegExp(`… and ${301 - shown} more lines$`));
});
