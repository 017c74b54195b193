import { describe, expect, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import { type CommitResult, commitResultSchema } from "../../src/schema/commit-result.ts";
import { type Retention, retentionSchema } from "../../src/schema/retention.ts";
import {
  type RevertOptions,
  type RevertTarget,
  revertOptionsSchema,
  revertTargetSchema,
} from "../../src/schema/revert-options.ts";
import { type RevertResult, revertResultSchema } from "../../src/schema/revert-result.ts";
import {
  type HistoryFilter,
  type HistoryOptions,
  type historyFilterSchema,
  historyOptionsSchema,
} from "../../src/schema/revision-info.ts";
import {
  type ExpectedSnapshot,
  expectedSnapshotSchema,
  type Snapshot,
  snapshotSchema,
} from "../../src/schema/snapshot.ts";
import { type TransactionInfo, transactionInfoSchema } from "../../src/schema/transaction-info.ts";
import {
  type CommitOptions,
  commitOptionsSchema,
  type RunTransactionOptions,
  runTransactionOptionsSchema,
  type TransactionOptions,
  transactionOptionsSchema,
} from "../../src/schema/transaction-options.ts";
import type { Complete, Input, Result } from "../support/compared-types.ts";

test("each schema of transactions and of the past has exactly the fields of its interface", () => {
  expectTypeOf<Result<typeof snapshotSchema, Snapshot>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof expectedSnapshotSchema, ExpectedSnapshot>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof transactionOptionsSchema, TransactionOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof commitOptionsSchema, CommitOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof runTransactionOptionsSchema, RunTransactionOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof commitResultSchema, CommitResult>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof transactionInfoSchema, TransactionInfo>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof revertTargetSchema, RevertTarget>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof revertOptionsSchema, RevertOptions>>().toEqualTypeOf<true>();
  expectTypeOf<Result<typeof revertResultSchema, RevertResult>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof retentionSchema, Retention>>().toEqualTypeOf<true>();
  expectTypeOf<Input<typeof historyFilterSchema, HistoryFilter>>().toEqualTypeOf<true>();
});

const { signal } = new AbortController();
const revision = "r7-0123456789abcdef";
const snapshot: Complete<Snapshot> = {
  workspaceId: "ws_1",
  workspaceEpoch: 0,
  snapshotId: "s",
  transactionId: null,
  transactionRevision: null,
  token: "t",
};
const commitOptions: Complete<CommitOptions> = {
  idempotencyKey: "key",
  reason: "because",
  source: "test",
  sessionId: "s",
  exchange: 0,
  metadata: { a: "b" },
  expectedSnapshot: snapshot,
  includeDiff: true,
  signal,
};
const transactionOptions: Complete<TransactionOptions> = {
  conflictScope: "read",
  undoDepth: 1,
  onCapacity: "refuse",
  label: "l",
  signal,
};
const runOptions: Complete<RunTransactionOptions> = {
  ...transactionOptions,
  ...commitOptions,
  onConflict: "rerun",
  attempts: 1,
};
const filter: Complete<HistoryFilter> = {
  path: "a",
  source: "s",
  sessionId: "i",
  exchange: 0,
  cause: "external",
  since: "r0",
};
const historyOptions: Complete<HistoryOptions> = { ...filter, after: revision, limit: 1, signal };
const revertOptions: RevertOptions = {
  dryRun: true,
  paths: ["src"],
  resolutions: { a: { take: "current" } },
};
const conflict = { path: "a", kind: "binary" } as const;
const result = {
  idempotentReplay: false,
  workspaceRevision: revision,
  revisionAlgorithm: "xxh64",
  files: [],
  additions: 0,
  removals: 0,
  mergedPaths: ["a"],
  diff: { files: [], additions: 0, removals: 0, truncated: false },
  warnings: [],
} as const;
const commitResult: Complete<CommitResult> = { ...result, committed: true };
const revertResult: Complete<RevertResult> = {
  ...result,
  reverted: true,
  stagedIn: "tx_1",
  dryRun: false,
  revisions: [revision],
  conflicts: [conflict],
};
const info: Complete<TransactionInfo> = {
  transactionId: "tx_1",
  createdAt: "2026-01-01T00:00:00.000Z",
  conflictPaths: ["a"],
  state: "conflicted",
  label: "l",
  revision: 1,
  revisionCount: 2,
  remainingRevisions: 3,
  canMutate: false,
  canRollback: true,
  canUndo: false,
  canRedo: false,
  canCommit: false,
  snapshot: { ...snapshot, transactionId: "tx_1", transactionRevision: 1 },
  changedPaths: ["a"],
  conflicts: [conflict],
};

test.each<[string, z.ZodType, unknown]>([
  ["snapshot", snapshotSchema, snapshot],
  ["expected snapshot", expectedSnapshotSchema, snapshot],
  ["token of a snapshot", expectedSnapshotSchema, snapshot.token],
  ["transaction options", transactionOptionsSchema, transactionOptions],
  ["commit options", commitOptionsSchema, commitOptions],
  ["options of a function in a transaction", runTransactionOptionsSchema, runOptions],
  ["commit result", commitResultSchema, commitResult],
  ["transaction info", transactionInfoSchema, info],
  ["history options", historyOptionsSchema, historyOptions],
  ["one revision to revert", revertTargetSchema, revision],
  ["revisions to revert", revertTargetSchema, [revision, revision]],
  ["filter of what to revert", revertTargetSchema, filter],
  ["revert options", revertOptionsSchema, revertOptions],
  ["revert result", revertResultSchema, revertResult],
  ["retention", retentionSchema, { maxRevisions: 1, maxAgeMs: 1, maxBytes: 1 } satisfies Complete<Retention>],
])("a value with every field passes the schema unchanged: %s", (_name, schema, value) => {
  expect(schema.parse(value)).toEqual(value);
});

describe("refused is", () => {
  test.each<[string, z.ZodType, unknown]>([
    ["an expected snapshot that lacks a part", expectedSnapshotSchema, { ...snapshot, token: undefined }],
    ["an expected snapshot with an unknown field", expectedSnapshotSchema, { ...snapshot, epoch: 1 }],
    ["an empty token", expectedSnapshotSchema, ""],
    ["a transaction option for a commit", commitOptionsSchema, { label: "l" }],
    ["a commit as a dry run", commitOptionsSchema, { dryRun: true }],
    ["a transaction without a step to take back", transactionOptionsSchema, { undoDepth: 0 }],
    ["an unknown scope", transactionOptionsSchema, { conflictScope: "all" }],
    ["no attempt", runTransactionOptionsSchema, { attempts: 0 }],
    ["an unknown option of a function", runTransactionOptionsSchema, { retries: 1 }],
    ["a revert of nothing", revertTargetSchema, []],
    ["a revert of all that ever happened, unsaid", revertTargetSchema, { path: undefined }],
    ["a revert of a page of the history", revertTargetSchema, { path: "a", limit: 1 }],
    ["a revert of what is no revision", revertTargetSchema, "7"],
    ["a retention that keeps nothing", retentionSchema, { maxRevisions: 0 }],
  ])("%s", (_name, schema, value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
