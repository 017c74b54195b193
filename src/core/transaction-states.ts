import type { ErrorCode } from "../base/error-codes.ts";
import { invariant } from "../base/holdfast-error.ts";
import type { TransactionState } from "../schema/transaction-info.ts";

/** What can happen to a transaction. */
export type TransactionEvent = keyof typeof transactionEvents;

/** A call on a transaction. */
export type TransactionCall = keyof typeof transactionCalls;

/** What kind of call it is: all of one kind are answered alike. */
export type TransactionCallKind = (typeof transactionCalls)[TransactionCall];

/**
 * How a state answers a call: it is carried out; it tells what was so when the transaction ended; it tells the outcome again; or it is refused with
 * a code.
 */
export type TransactionAnswer = "allowed" | "lastKnown" | "sameOutcome" | RefusingCode;

type RefusingCode = Extract<ErrorCode, "TRANSACTION_CONFLICTED" | "NO_ACTIVE_TRANSACTION">;

/** One row of the table of states. */
export interface TransactionStateRow {
  /** What it means. */
  readonly meaning: string;
  /** The state after each event; left out where the event cannot happen. */
  readonly next: { readonly [Event in TransactionEvent]: TransactionState | undefined };
  /** How calls of each kind are answered. */
  readonly answers: { readonly [Kind in TransactionCallKind]: TransactionAnswer };
}

/** All events, and when each happens. */
export const transactionEvents = {
  changedOutside: "somebody else changed what lies within the conflict scope",
  rebased: "a rebase left no conflict open",
  committed: "its commit was written",
  rolledBack: "it was rolled back",
} as const;

/** All calls, and which kind each is. */
export const transactionCalls = {
  read: "reading",
  readLines: "reading",
  readBytes: "reading",
  stat: "reading",
  list: "reading",
  search: "reading",
  apply: "changing",
  applyPatch: "changing",
  edit: "changing",
  write: "changing",
  update: "changing",
  undo: "changing",
  redo: "changing",
  undoTo: "changing",
  savepoint: "changing",
  discard: "changing",
  revert: "changing",
  commit: "changing",
  diff: "telling",
  info: "telling",
  rebase: "rebasing",
  rollback: "rollingBack",
} as const;

const endedAnswers = {
  reading: "NO_ACTIVE_TRANSACTION",
  changing: "NO_ACTIVE_TRANSACTION",
  telling: "lastKnown",
  rebasing: "NO_ACTIVE_TRANSACTION",
} as const;

/** The one table of what a transaction may do where it stands. */
export const transactionStates: { readonly [State in TransactionState]: TransactionStateRow } = {
  active: {
    meaning: "steps are staged, and it can be committed",
    next: {
      changedOutside: "conflicted",
      rebased: "active",
      committed: "committed",
      rolledBack: "rolledBack",
    },
    answers: {
      reading: "allowed",
      changing: "allowed",
      telling: "allowed",
      rebasing: "allowed",
      rollingBack: "allowed",
    },
  },
  conflicted: {
    meaning: "others changed what it is about; it has to be rebased or rolled back",
    next: {
      changedOutside: "conflicted",
      rebased: "active",
      committed: undefined,
      rolledBack: "rolledBack",
    },
    answers: {
      reading: "TRANSACTION_CONFLICTED",
      changing: "TRANSACTION_CONFLICTED",
      telling: "allowed",
      rebasing: "allowed",
      rollingBack: "allowed",
    },
  },
  committed: {
    meaning: "what it staged is in the workspace; this is final",
    next: { changedOutside: "committed", rebased: undefined, committed: undefined, rolledBack: undefined },
    answers: { ...endedAnswers, rollingBack: "NO_ACTIVE_TRANSACTION" },
  },
  rolledBack: {
    meaning: "nothing of what it staged was written; this is final",
    next: {
      changedOutside: "rolledBack",
      rebased: undefined,
      committed: undefined,
      rolledBack: "rolledBack",
    },
    answers: { ...endedAnswers, rollingBack: "sameOutcome" },
  },
};

/** Says how a transaction in a state answers a call. */
export function answerTo(state: TransactionState, call: TransactionCall): TransactionAnswer {
  return transactionStates[state].answers[transactionCalls[call]];
}

/**
 * Gives the state after an event.
 *
 * @throws {@link HoldfastError} `INTERNAL` for an event that cannot happen in that state: whoever tells of it did not ask `answerTo` first.
 */
export function nextState(state: TransactionState, event: TransactionEvent): TransactionState {
  const next = transactionStates[state].next[event];
  invariant(next !== undefined, `A transaction that is ${state} cannot be ${event}.`);
  return next;
}
