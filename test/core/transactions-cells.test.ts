import { type Transaction, type TransactionInfo, type TransactionState, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import {
  answerTo,
  type TransactionCall,
  type TransactionEvent,
  transactionCalls,
  transactionEvents,
  transactionStates,
} from "../../src/core/transaction-states.ts";
import { sameGround, type TestStorage, testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";
import { lines } from "../support/stale-file.ts";

/** A transaction with two steps, of which one is undone, and what is around it. */
interface Scene {
  readonly tx: Transaction;
  readonly workspace: Workspace;
  readonly storage: TestStorage;
  /** A revision that can be reverted. */
  readonly revision: string;
}

/** Makes each call so that an active transaction carries it out. */
const calls: { readonly [Call in TransactionCall]: (scene: Scene) => Promise<unknown> } = {
  read: ({ tx }) => tx.read("a"),
  readLines: ({ tx }) => tx.readLines("a"),
  readBytes: ({ tx }) => tx.readBytes("a"),
  stat: ({ tx }) => tx.stat("a"),
  list: ({ tx }) => collect(tx.list()),
  search: ({ tx }) => collect(tx.search("staged")),
  apply: ({ tx }) => tx.apply({ action: "create", path: "new", content: "new\n" }),
  applyPatch: ({ tx }) => tx.applyPatch("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-staged\n+patched\n"),
  edit: ({ tx }) => tx.edit("a", { op: "replace_text", oldText: "staged", newText: "edited" }),
  write: async ({ tx }) => tx.write("new", "new\n"),
  update: ({ tx }) => tx.update("a", () => "updated\n"),
  undo: ({ tx }) => tx.undo(),
  redo: ({ tx }) => tx.redo(),
  undoTo: ({ tx }) => tx.undoTo("begun"),
  savepoint: ({ tx }) => tx.savepoint("here"),
  discard: ({ tx }) => tx.discard({ paths: ["a"] }),
  revert: ({ tx, revision }) => tx.revert(revision),
  commit: ({ tx }) => tx.commit(),
  diff: ({ tx }) => tx.diff(),
  info: ({ tx }) => tx.info(),
  rebase: ({ tx }) => tx.rebase(),
  rollback: ({ tx }) => tx.rollback(),
};

/** Lets each event happen, or tries to. */
const events: { readonly [Event in TransactionEvent]: (scene: Scene) => Promise<unknown> } = {
  changedOutside: async ({ storage }) => storage.writeOutside("b", lines({ 2: "theirs\nand more" })),
  rebased: calls.rebase,
  committed: calls.commit,
  rolledBack: calls.rollback,
};

/** Whose refusal says that an event cannot happen. */
const callOfEvent: { readonly [Event in TransactionEvent]: TransactionCall | undefined } = {
  changedOutside: undefined,
  rebased: "rebase",
  committed: "commit",
  rolledBack: "rollback",
};

/** Brings an active transaction into each state. */
const leads: { readonly [State in TransactionState]: (scene: Scene) => Promise<unknown> } = {
  active: async () => undefined,
  conflicted: async (scene) => {
    await events.changedOutside(scene);
    expect(await scene.tx.info()).toMatchObject({ state: "conflicted", conflictPaths: ["b"] });
  },
  committed: calls.commit,
  rolledBack: calls.rollback,
};

const states = Object.keys(transactionStates) as TransactionState[];
const callNames = Object.keys(transactionCalls) as TransactionCall[];
const eventNames = Object.keys(transactionEvents) as TransactionEvent[];

async function inState(state: TransactionState, check: (scene: Scene) => Promise<void>): Promise<void> {
  const storage = testStorage({ files: { a: "a\n", b: lines(), gone: "gone\n" } });
  await using workspace = await Workspace.open(storage);
  const { workspaceRevision: revision } = await workspace.write("c", "c\n");
  const tx = await workspace.beginTransaction();
  await tx.savepoint("begun");
  await tx.update("a", () => "staged\n");
  await tx.update("b", () => lines({ 8: "staged" }));
  await tx.update("gone", () => null);
  await tx.undo();
  const scene: Scene = { tx, workspace, storage, revision };
  await leads[state](scene);
  expect((await tx.info()).state).toBe(state);
  await check(scene);
}

/** All that does not change when a call is only refused, or only looks. */
async function lookAt({ tx, storage }: Scene) {
  return { info: await tx.info(), diff: await tx.diff(), files: storage.toJSON() };
}

describe.each(states)("a transaction that is %s", (state) => {
  test.each(callNames.map((call) => [call, answerTo(state, call)] as const))(
    "answers %s: %s",
    async (call, answer) => {
      await inState(state, async (scene) => {
        const before = await lookAt(scene);
        if (answer === "allowed") {
          const result = await calls[call](scene);
          if (call !== "stat") expect(result).toBeDefined();
          await checkAllowed(call, scene, before.info);
        } else if (answer === "lastKnown") {
          expect(await calls[call](scene)).toEqual(call === "diff" ? before.diff : before.info);
          expect(before.info.changedPaths).toEqual(["a", "b"]);
          expect(before.diff.files.map(({ path }) => path)).toEqual(["a", "b"]);
        } else if (answer === "sameOutcome") {
          expect(await calls[call](scene)).toEqual(before.info);
        } else {
          const error = await refusalOf(calls[call](scene));
          expect(error).toMatchObject({ code: answer, written: "no" });
          if (answer === "TRANSACTION_CONFLICTED")
            expect(error.details).toEqual({ transactionId: scene.tx.id, paths: ["b"] });
          expect(await lookAt(scene)).toEqual(before);
        }
      });
    },
  );

  test.each(
    eventNames.map((event) => [event, transactionStates[state].next[event] ?? "not possible"] as const),
  )("after %s: %s", async (event, next) => {
    await inState(state, async (scene) => {
      if (next !== "not possible") {
        await events[event](scene);
        expect((await scene.tx.info()).state).toBe(next);
        return;
      }
      const call = callOfEvent[event];
      if (call === undefined) throw new Error(`Nothing can keep ${event} from happening.`);
      const error = await refusalOf(events[event](scene));
      expect(error.code).toBe(answerTo(state, call));
      expect((await scene.tx.info()).state).toBe(state);
    });
  });

  test("is the same through another handle of the storage", async () => {
    await inState(state, async ({ tx, storage }) => {
      await using other = await Workspace.open(sameGround(storage));
      const again = await other.transactions.get(tx.id);
      const { snapshot, ...info } = await tx.info();
      expect(await again.info()).toMatchObject(info);
      expect((await again.info()).snapshot.snapshotId).toBe(snapshot.snapshotId);
      expect(await again.diff()).toEqual(await tx.diff());
    });
  });
});

/** What an allowed call did to where the transaction stands. */
async function checkAllowed(call: TransactionCall, { tx }: Scene, before: TransactionInfo): Promise<void> {
  const { state, revision, revisionCount } = await tx.info();
  const kind = transactionCalls[call];
  if (kind === "reading" || kind === "telling")
    expect({ state, revision, revisionCount }).toEqual({
      state: before.state,
      revision: before.revision,
      revisionCount: before.revisionCount,
    });
  else
    expect([call, state, revision]).toEqual([call, ...afterwards[call as keyof typeof afterwards](before)]);
}

type Stands = readonly [TransactionState, number];
const stepMore = ({ revision }: TransactionInfo): Stands => ["active", revision + 1];

/** Where a transaction stands after each call that moves it. */
const afterwards = {
  apply: stepMore,
  applyPatch: stepMore,
  edit: stepMore,
  write: stepMore,
  update: stepMore,
  discard: stepMore,
  revert: stepMore,
  redo: stepMore,
  undo: ({ revision }) => ["active", revision - 1],
  undoTo: () => ["active", 0],
  savepoint: ({ revision }) => ["active", revision],
  commit: ({ revision }) => ["committed", revision],
  rebase: ({ state, revision }) => ["active", state === "conflicted" ? 1 : revision],
  rollback: ({ revision }) => ["rolledBack", revision],
} satisfies { readonly [Call in TransactionCall]?: (before: TransactionInfo) => Stands };

describe("the tables", () => {
  test("name every method of a transaction, and no others", async () => {
    await inState("active", async ({ tx }) => {
      const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(tx)).filter(
        (name) => !["constructor", "id"].includes(name),
      );
      expect(methods.sort()).toEqual([...callNames].sort());
    });
  });

  test("answer every kind of call in every state, and say what every event leads to", () => {
    const kinds = [...new Set(Object.values(transactionCalls))].sort();
    for (const { answers, next } of Object.values(transactionStates)) {
      expect(Object.keys(answers).sort()).toEqual(kinds);
      expect(Object.keys(next).sort()).toEqual([...eventNames].sort());
    }
    expect(Object.keys(calls).sort()).toEqual([...callNames].sort());
    expect(Object.keys(events).sort()).toEqual([...eventNames].sort());
  });
});
