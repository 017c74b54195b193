import { expect, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type { ErrorDetails } from "../../src/base/error-details.ts";
import {
  type ApplyOptions,
  applyOptionsSchema,
  type EditOptions,
  editOptionsSchema,
  type UpdateOptions,
  updateOptionsSchema,
} from "../../src/schema/apply-options.ts";
import {
  type AppliedFile,
  type ApplyResult,
  type appliedFileSchema,
  applyResultSchema,
  type Warning,
  type warningSchema,
} from "../../src/schema/apply-result.ts";
import { changeSchema, type editSchema } from "../../src/schema/change.ts";
import { type conflictRegionSchema, conflictSchema } from "../../src/schema/conflict.ts";
import type { DiffOptions, diffOptionsSchema } from "../../src/schema/diff-options.ts";
import {
  type ListOptions,
  listOptionsSchema,
  type SearchOptions,
  searchOptionsSchema,
} from "../../src/schema/list-options.ts";
import type { OpenOptions, openOptionsSchema } from "../../src/schema/open-options.ts";
import {
  type ReadLinesOptions,
  type ReadOptions,
  readLinesOptionsSchema,
  readOptionsSchema,
  type StatOptions,
  statOptionsSchema,
} from "../../src/schema/read-options.ts";
import {
  type ListedEntry,
  listedEntrySchema,
  type SearchMatch,
  searchMatchSchema,
  type TextFile,
  type TextPage,
  type textFileSchema,
  textPageSchema,
} from "../../src/schema/read-results.ts";
import { type resolutionSchema, resolutionsSchema } from "../../src/schema/resolution.ts";
import type {
  EventOptions,
  eventOptionsSchema,
  HistoryOptions,
  historyOptionsSchema,
} from "../../src/schema/revision-info.ts";
import type { treeDiffSchema } from "../../src/schema/tree-diff.ts";
import type { Edit } from "../../src/text/edit.ts";
import type { Change } from "../../src/tree/change.ts";
import type { Conflict, ConflictRegion, ConflictSide } from "../../src/tree/conflict.ts";
import type { Resolution, Resolutions } from "../../src/tree/resolution.ts";
import type { FileDiff, TreeDiff } from "../../src/tree/tree-diff.ts";
import type { Complete, Input, Plain, Result, Same } from "../support/compared-types.ts";

test("each schema has exactly the fields of its interface, each as optional and of the same type", () => {
  expectTypeOf<Input<typeof changeSchema, Change>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof editSchema, Edit>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof applyOptionsSchema, ApplyOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof editOptionsSchema, EditOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof updateOptionsSchema, UpdateOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof readOptionsSchema, ReadOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof readLinesOptionsSchema, ReadLinesOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof statOptionsSchema, StatOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof listOptionsSchema, ListOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof searchOptionsSchema, SearchOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof openOptionsSchema, OpenOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof historyOptionsSchema, HistoryOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof eventOptionsSchema, EventOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof diffOptionsSchema, DiffOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof treeDiffSchema, TreeDiff>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof applyResultSchema, ApplyResult>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof appliedFileSchema, AppliedFile>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof warningSchema, Warning>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof textFileSchema, TextFile>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof textPageSchema, TextPage>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof listedEntrySchema, ListedEntry>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof searchMatchSchema, SearchMatch>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof resolutionSchema, Resolution>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof resolutionsSchema, Resolutions>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof conflictSchema, Conflict>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof conflictRegionSchema, ConflictRegion>>().toEqualTypeOf<true>();
});

test("an error carries conflicts as everything else does", () => {
  type Carried = ErrorDetails["MERGE_CONFLICT"]["conflicts"][number];
  expectTypeOf<Same<Plain<Carried>, Plain<Conflict>>>().toEqualTypeOf<true>();
});

test("the comparison tells a missing optional field and another type apart", () => {
  expectTypeOf<Same<{ a?: string }, { a?: string; b?: string }>>().toEqualTypeOf<false>();
  expectTypeOf<Same<{ a: string }, { a?: string }>>().toEqualTypeOf<false>();
  expectTypeOf<Same<{ a: string }, { a: "x" }>>().toEqualTypeOf<false>();
});

const { signal } = new AbortController();
const diffOptions: Complete<DiffOptions> = { paths: ["src", "*.ts"], contextLines: 0, maxBytes: 1 };
const applyOptions: Complete<ApplyOptions> = {
  dryRun: true,
  includeDiff: diffOptions,
  onStale: "rebase",
  idempotencyKey: "key",
  expectedSnapshot: "token",
  reason: "because",
  source: "test",
  sessionId: "s",
  exchange: 0,
  metadata: { a: "b" },
  signal,
};
const readOptions: Complete<ReadOptions> = { encoding: "escape", expectedRevision: "0".repeat(16), signal };
const filter = { glob: ["**/*.ts"], exclude: ["a"], limit: 1, signal };
const textFile: Complete<TextFile> = {
  path: "a",
  text: "x",
  revision: "0".repeat(16),
  lineCount: 1,
  byteLength: 1,
  encoding: "utf-8",
  bom: false,
  lineEnding: "none",
  executable: false,
};
const side: Complete<ConflictSide> = {
  path: "a",
  kind: "file",
  executable: true,
  revision: "0".repeat(16),
  text: "x",
  encoding: "latin1",
  bom: true,
  files: [{ path: "a", revision: "0".repeat(16) }],
};
const conflict: Complete<Conflict> = {
  path: "a",
  kind: "content",
  base: side,
  current: side,
  incoming: side,
  regions: [{ id: "r", base: [1, 1], current: [1, 0], incoming: [2, 3] }],
  suggestion: "x",
  unmerged: "tooLong",
};
const resolutions: Resolutions = {
  a: { take: "base" },
  b: { content: "text" },
  c: { content: new Uint8Array([0]) },
  d: { delete: true },
  e: { regions: { r: "current", s: { content: "lines" } } },
};
const file: Complete<AppliedFile> = {
  path: "a",
  previousPath: "b",
  operation: "moved",
  revision: "0".repeat(16),
  totalLines: 1,
  changedRanges: [{ startLine: 1, endLine: 1, added: 1, removed: 1 }],
  lineShifts: [{ fromLine: 2, by: 1 }],
  hunks: [{ grade: "exact", line: 1, offset: 0 }],
  rebased: true,
};
const hunk = { id: "0", oldStart: 1, oldLines: 1, newStart: 0, newLines: 0, lines: ["-a"] };
const fileDiff: Complete<FileDiff> = {
  path: "a",
  previousPath: "b",
  status: "renamed",
  binary: false,
  encoding: "latin1",
  hunks: [hunk],
  unified: "",
};
const diff: Complete<TreeDiff> = { files: [fileDiff], additions: 0, removals: 1, truncated: true };
const result: Complete<ApplyResult> = {
  dryRun: false,
  alreadyApplied: false,
  idempotentReplay: false,
  workspaceRevision: "r0",
  stagedIn: "tx_1",
  revisionAlgorithm: "xxh64",
  files: [file],
  additions: 1,
  removals: 1,
  diff,
  warnings: [{ code: "TRAILING_BLANK_LINE", message: "m", path: "a" }],
};
const range = { startLine: 1, endLine: 2, last: undefined, maxLines: 3, maxBytes: 4 };
const edits: readonly Edit[] = [
  { op: "replace", startLine: 1, endLine: 1, content: "" },
  { op: "delete", startLine: 1, endLine: 2 },
  { op: "insert_after", line: 0, content: "x" },
  { op: "insert_before", line: 1, content: "x" },
  { op: "append", content: "x" },
  { op: "replace_text", oldText: "a", newText: "b", occurrences: 2, replaceAll: true },
];
const revision = "0".repeat(16);
const content = "x";
const changes: readonly Change[] = [
  { action: "create", path: "a", content, encoding: "latin1", executable: true },
  {
    action: "write",
    path: "a",
    content: new Uint8Array([0]),
    revision,
    encoding: "latin1",
    executable: true,
  },
  { action: "edit", path: "a", revision, edits, encoding: "latin1", executable: false },
  { action: "delete", path: "a", revision },
  {
    action: "move",
    path: "a",
    revision,
    destination: "b",
    destinationRevision: revision,
    edits,
    executable: true,
  },
  { action: "copy", path: "a", destination: "b" },
  { action: "chmod", path: "a", revision, executable: true },
  { action: "moveTree", path: "a", destination: "b", revision },
  { action: "deleteTree", path: "a", revision },
  { action: "assert", path: "a", revision: null },
];

test.each<[string, z.ZodType, unknown]>([
  ["apply options", applyOptionsSchema, applyOptions],
  ["apply options with a plain flag", applyOptionsSchema, { includeDiff: true }],
  ["edit options", editOptionsSchema, { ...applyOptions, revision }],
  ["update options", updateOptionsSchema, { ...applyOptions, attempts: 3 }],
  ["read options", readOptionsSchema, readOptions],
  ["line options", readLinesOptionsSchema, { ...readOptions, ...range }],
  ["stat options", statOptionsSchema, { revision: true, signal }],
  ["list options", listOptionsSchema, { ...filter, under: "a", depth: 1, after: "b" }],
  ["search options", searchOptionsSchema, { ...filter, ignoreCase: true, context: 2 }],
  [
    "text page",
    textPageSchema,
    { ...textFile, startLine: 1, endLine: 1, nextStartLine: 2, truncatedBy: "lines" },
  ],
  ["apply result", applyResultSchema, result],
  ["conflict", conflictSchema, conflict],
  ["resolutions", resolutionsSchema, resolutions],
  ["listed entry", listedEntrySchema, { path: "a", kind: "directory", byteLength: 0 }],
  ["search match", searchMatchSchema, { path: "a", line: 1, column: 1, text: "x", before: [], after: [] }],
  ...changes.map(
    (change) => [`change ${change.action}`, changeSchema, change] as [string, z.ZodType, unknown],
  ),
])("a value with every field passes the schema unchanged: %s", (_name, schema, value) => {
  expect(schema.parse(value)).toEqual(value);
});
