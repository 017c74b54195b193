import { describe, expect, test } from "vitest";
import { errorCodes } from "../../../src/base/error-codes.ts";
import {
  answerTo,
  nextState,
  type TransactionCall,
  type TransactionEvent,
  transactionCalls,
  transactionEvents,
  transactionStates,
} from "../../../src/core/transaction-states.ts";
import type { TransactionState } from "../../../src/schema/transaction-info.ts";

const states = Object.keys(transactionStates) as TransactionState[];
const events = Object.keys(transactionEvents) as TransactionEvent[];
const calls = Object.keys(transactionCalls) as TransactionCall[];

describe.each(states)("a transaction that is %s", (state) => {
  test.each(calls)("has an answer to %s", (call) => {
    const answer = answerTo(state, call);
    const answers = ["allowed", "lastKnown", "sameOutcome", ...Object.keys(errorCodes)];
    expect(answers).toContain(answer);
  });

  test.each(events)("goes to a known state or none when it is %s", (event) => {
    expect(Object.keys(transactionStates[state].next)).toContain(event);
    const next = transactionStates[state].next[event];
    if (next === undefined) expect(() => nextState(state, event)).toThrow(/cannot be/);
    else expect(states).toContain(nextState(state, event));
  });
});

test.each<[TransactionState, TransactionEvent, TransactionState]>([
  ["active", "changedOutside", "conflicted"],
  ["active", "committed", "committed"],
  ["active", "rolledBack", "rolledBack"],
  ["active", "rebased", "active"],
  ["conflicted", "rebased", "active"],
  ["conflicted", "rolledBack", "rolledBack"],
  ["conflicted", "changedOutside", "conflicted"],
])("%s, once it is %s, is %s", (state, event, next) => {
  expect(nextState(state, event)).toBe(next);
});

test.each<[TransactionState, TransactionEvent]>([
  ["conflicted", "committed"],
  ["committed", "rolledBack"],
  ["committed", "committed"],
  ["committed", "rebased"],
  ["rolledBack", "committed"],
  ["rolledBack", "rebased"],
])("what is %s is never %s", (state, event) => {
  expect(() => nextState(state, event)).toThrow();
});

test.each<[TransactionState]>([["committed"], ["rolledBack"]])("%s is final", (state) => {
  const { next } = transactionStates[state];
  expect(Object.values(next).filter((one) => one !== undefined && one !== state)).toEqual([]);
  const carriedOut = calls.filter((call) => answerTo(state, call) === "allowed");
  expect(carriedOut).toEqual([]);
});

test("a state lets nothing happen by a call that it refuses", () => {
  const bringing: readonly (readonly [TransactionCall, TransactionEvent])[] = [
    ["commit", "committed"],
    ["rollback", "rolledBack"],
    ["rebase", "rebased"],
  ];
  for (const state of states)
    for (const [call, event] of bringing) {
      const isPossible = transactionStates[state].next[event] !== undefined;
      expect([state, call, ["allowed", "sameOutcome"].includes(answerTo(state, call))]).toEqual([
        state,
        call,
        isPossible,
      ]);
    }
});

test("a conflicted transaction tells, rebases and rolls back, and does nothing else", () => {
  const open = calls.filter((call) => answerTo("conflicted", call) === "allowed");
  expect(open).toEqual(["diff", "info", "rebase", "rollback"]);
  expect(answerTo("conflicted", "read")).toBe("TRANSACTION_CONFLICTED");
});

test("after its end it tells what was so last, and rolling back again after a rollback is no error", () => {
  for (const state of ["committed", "rolledBack"] as const) {
    expect(answerTo(state, "info")).toBe("lastKnown");
    expect(answerTo(state, "commit")).toBe("NO_ACTIVE_TRANSACTION");
  }
  expect(answerTo("rolledBack", "rollback")).toBe("sameOutcome");
  expect(answerTo("committed", "rollback")).toBe("NO_ACTIVE_TRANSACTION");
});
