import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { type ApplyOptions, applyOptionsSchema } from "./apply-options.ts";
import { signalSchema } from "./signal.ts";
import { type ExpectedSnapshot, expectedSnapshotSchema } from "./snapshot.ts";

/** How a transaction is begun. */
export interface TransactionOptions extends CancelOptions {
  /**
   * Which changes of others end it: of paths that it changed or relied on, of those that were read or listed through it too, or any revision of
   * the workspace. Default: `"touched"`.
   */
  readonly conflictScope?: "touched" | "read" | "workspace" | undefined;
  /** How many steps can be taken back. 1 or more. Default: 100. */
  readonly undoDepth?: number | undefined;
  /** Whether a step beyond that makes the oldest a part of what the transaction begins from, or is refused. Default: `"squash"`. */
  readonly onCapacity?: "squash" | "refuse" | undefined;
  /** A name to know it by. Default: none. */
  readonly label?: string | undefined;
}

/** How a transaction is committed. */
export interface CommitOptions
  extends Pick<
    ApplyOptions,
    "idempotencyKey" | "reason" | "source" | "sessionId" | "exchange" | "metadata" | "includeDiff" | "signal"
  > {
  /** The state that must be the one committed, else `SNAPSHOT_MISMATCH`. Default: any. */
  readonly expectedSnapshot?: ExpectedSnapshot | undefined;
}

/** How a function is run in a transaction. */
export interface RunTransactionOptions extends TransactionOptions, CommitOptions {
  /**
   * What is done when others changed what it is about: the refusal is thrown, its steps are rebased, or it is rolled back and the function run
   * again. Default: `"throw"`.
   */
  readonly onConflict?: "throw" | "rebase" | "rerun" | undefined;
  /** How often it is tried in all, before the refusal is thrown. 1 or more. Default: 3. */
  readonly attempts?: number | undefined;
}

export const transactionOptionsSchema = z.strictObject({
  conflictScope: z
    .enum(["touched", "read", "workspace"])
    .optional()
    .describe("Which changes of others end the transaction. Default: touched."),
  undoDepth: z.int().min(1).optional().describe("How many steps can be taken back. Default: 100."),
  onCapacity: z.enum(["squash", "refuse"]).optional().describe("What a step beyond that does."),
  label: z.string().min(1).max(256).optional().describe("A name to know it by."),
  signal: signalSchema,
});

export const commitOptionsSchema = applyOptionsSchema
  .pick({
    idempotencyKey: true,
    reason: true,
    source: true,
    sessionId: true,
    exchange: true,
    metadata: true,
    includeDiff: true,
    signal: true,
  })
  .extend({
    expectedSnapshot: expectedSnapshotSchema.optional().describe("The state that must be the one committed."),
  });

export const runTransactionOptionsSchema = z.strictObject({
  ...transactionOptionsSchema.shape,
  ...commitOptionsSchema.shape,
  onConflict: z.enum(["throw", "rebase", "rerun"]).optional(),
  attempts: z.int().min(1).max(1000).optional(),
});
