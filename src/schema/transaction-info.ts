import * as z from "zod";
import type { Conflict } from "../tree/conflict.ts";
import { conflictSchema } from "./conflict.ts";
import { type Snapshot, snapshotSchema } from "./snapshot.ts";

/** Where a transaction stands. */
export type TransactionState = "active" | "conflicted" | "committed" | "rolledBack";

/** What a transaction is and what can be done with it. */
export interface TransactionInfo {
  /** Its id. */
  readonly transactionId: string;
  /** Where it stands. */
  readonly state: TransactionState;
  /** The name that it was given. */
  readonly label?: string;
  /** The step that it is at, 0 at its start: undo goes down, redo and new steps go up. */
  readonly revision: number;
  /** Steps that there are, those that can be redone included. */
  readonly revisionCount: number;
  /** Steps that can still be staged before the oldest can no longer be taken back, or a step is refused. */
  readonly remainingRevisions: number;
  /** Whether a step can be staged now. */
  readonly canMutate: boolean;
  /** Whether it can be rolled back. */
  readonly canRollback: boolean;
  /** Whether there is a step to take back. */
  readonly canUndo: boolean;
  /** Whether there is a step to do again. */
  readonly canRedo: boolean;
  /** Whether it can be committed and something is staged. */
  readonly canCommit: boolean;
  /** When it was begun, RFC 3339. */
  readonly createdAt: string;
  /** Names the state that it is in. */
  readonly snapshot: Snapshot;
  /** Paths that a commit would change, sorted. */
  readonly changedPaths: readonly string[];
  /** Of one in conflict: the paths that others changed, sorted. */
  readonly conflictPaths?: readonly string[];
  /** What does not go together with changes of others; there when it is conflicted and that was looked at. */
  readonly conflicts?: readonly Conflict[];
}

export const transactionInfoSchema = z.object({
  transactionId: z.string(),
  state: z.enum(["active", "conflicted", "committed", "rolledBack"]),
  label: z.string().optional(),
  revision: z.int().describe("The step that it is at; 0 at its start."),
  revisionCount: z.int().describe("Steps, those that can be redone included."),
  remainingRevisions: z.int().describe("Steps that can still be staged."),
  canMutate: z.boolean(),
  canRollback: z.boolean(),
  canUndo: z.boolean(),
  canRedo: z.boolean(),
  canCommit: z.boolean(),
  createdAt: z.string(),
  snapshot: snapshotSchema,
  changedPaths: z.array(z.string()),
  conflictPaths: z.array(z.string()).optional().describe("Paths that others changed."),
  conflicts: z.array(conflictSchema).optional(),
});
