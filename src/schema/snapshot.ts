import * as z from "zod";
import type { CancelOptions } from "../base/clock.ts";
import { signalSchema } from "./signal.ts";

/** Names one state of a workspace or transaction, and who looked at it. */
export interface Snapshot {
  /** The workspace. */
  readonly workspaceId: string;
  /** How often the handle was reloaded; numbers of two handles say nothing about each other. */
  readonly workspaceEpoch: number;
  /** Names the state; undo and redo come back to the one that was there. */
  readonly snapshotId: string;
  /** The transaction; `null` outside one. */
  readonly transactionId: string | null;
  /** The step of the transaction, 0 at its start; `null` outside one. */
  readonly transactionRevision: number | null;
  /** All of it as one text, to hand back as `expectedSnapshot`. */
  readonly token: string;
}

/** The snapshot that a call expects: all of it, or its token. */
export type ExpectedSnapshot = string | Snapshot;

export const snapshotSchema = z.object({
  workspaceId: z.string(),
  workspaceEpoch: z.int(),
  snapshotId: z.string(),
  transactionId: z.string().nullable().describe("Null outside a transaction."),
  transactionRevision: z.int().nullable().describe("0 at the start of a transaction, null outside one."),
  token: z.string().describe("All of it as one text, to hand back as expectedSnapshot."),
});

export const expectedSnapshotSchema = z.union(
  [z.string().min(1).max(1024), z.strictObject(snapshotSchema.shape)],
  { error: "must be a snapshot or its token" },
);

/** Options of calls that may be bound to the state that the caller has seen. */
export interface SnapshotOptions extends CancelOptions {
  /** The state that it must be, else `SNAPSHOT_MISMATCH`. Default: any. */
  readonly expectedSnapshot?: ExpectedSnapshot | undefined;
}

export const snapshotOptionsSchema = z.strictObject({
  expectedSnapshot: expectedSnapshotSchema.optional(),
  signal: signalSchema,
});
