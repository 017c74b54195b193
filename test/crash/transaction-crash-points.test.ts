import { isHoldfastError, MemoryStorage, type StorageAdapter, type Transaction, Workspace } from "holdfast";
import { DirectoryStorage } from "holdfast/node";
import { faultyStorage } from "holdfast/testing";
import { describe, expect, test } from "vitest";
import { collect } from "../support/refusal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** What a call is tried on: a transaction with two steps, one of them undone where the call redoes. */
interface Standing {
  readonly workspace: Workspace;
  readonly transaction: Transaction;
  /** The first commit. */
  readonly revision: string;
}

type Call = (standing: Standing) => Promise<unknown>;

const edit = (oldText: string, newText: string) => ({ op: "replace_text", oldText, newText }) as const;

const calls: Readonly<Record<string, Call>> = {
  stage: ({ transaction }) => transaction.apply({ action: "create", path: "d/new", content: "staged\n" }),
  undo: ({ transaction }) => transaction.undo(),
  savepoint: ({ transaction }) => transaction.savepoint("here"),
  discard: ({ transaction }) => transaction.discard({ paths: ["b"] }),
  commit: ({ transaction }) => transaction.commit({ idempotencyKey: "commit" }),
  rollback: ({ transaction }) => transaction.rollback(),
  rebase: async ({ workspace, transaction }) => {
    await workspace.edit("a", edit("5", "five"));
    return await transaction.rebase();
  },
  revert: ({ workspace, revision }) => workspace.revert(revision),
};

/** Everything that can be seen of a workspace and its transaction. */
async function look(storage: StorageAdapter): Promise<string> {
  const workspace = await Workspace.open(storage);
  const [info] = await collect(workspace.transactions.list());
  if (info === undefined) throw new Error("The transaction is lost.");
  const transaction = await workspace.transactions.get(info.transactionId);
  const texts: Record<string, string> = {};
  for await (const { path, kind } of workspace.list())
    if (kind === "file") texts[path] = (await workspace.read(path)).text;
  const staged: Record<string, string> = {};
  if (info.state === "active")
    for await (const { path, kind } of transaction.list())
      if (kind === "file") staged[path] = (await transaction.read(path)).text;
  const { state, revision, revisionCount, changedPaths } = info;
  const causes = (await collect(workspace.history())).map(({ cause }) => cause);
  const shown = (await transaction.diff()).files.map(({ unified }) => unified);
  await workspace.close();
  return JSON.stringify({ texts, staged, state, revision, revisionCount, changedPaths, causes, shown });
}

async function prepare(storage: StorageAdapter): Promise<{ readonly id: string; readonly revision: string }> {
  const workspace = await Workspace.open(storage);
  const changes = [
    { action: "create", path: "a", content: "1\n2\n3\n4\n5\n" },
    { action: "create", path: "b", content: "b\n" },
  ] as const;
  await workspace.apply(changes);
  const { workspaceRevision } = await workspace.write("c", "c\n");
  const transaction = await workspace.beginTransaction();
  await transaction.edit("a", edit("1", "one"));
  await transaction.edit("b", edit("b", "bee"));
  await workspace.close();
  return { id: transaction.id, revision: workspaceRevision };
}

/** Where it is tried: each storage that `fresh` opens sees the same files and state. */
const grounds = {
  memory: () => {
    const storage = new MemoryStorage();
    return { fresh: (): StorageAdapter => storage, remove: () => undefined };
  },
  "a directory": () => {
    const { path, remove } = temporaryFolder("quick");
    return { fresh: (): StorageAdapter => new DirectoryStorage({ root: path }), remove };
  },
};

/** Makes the call on a storage that goes wrong as planned; gives what was seen before and after, and whether it went wrong. */
async function tryOnce(
  ground: keyof typeof grounds,
  call: Call,
  plan: { readonly crashAt?: number; readonly failAt?: number; readonly afterEffect?: boolean },
) {
  const { fresh, remove } = grounds[ground]();
  try {
    const { id, revision } = await prepare(fresh());
    const before = await look(fresh());
    const storage = fresh();
    const faulty = faultyStorage(storage, plan);
    let refusal: unknown;
    try {
      const workspace = await Workspace.open(faulty);
      const transaction = await workspace.transactions.get(id);
      await call({ workspace, transaction, revision });
    } catch (error) {
      refusal = error;
    }
    const reached = faulty.calls >= (plan.crashAt ?? plan.failAt ?? Number.POSITIVE_INFINITY);
    // A process that is gone keeps no lock and no handle.
    await storage.close();
    const after = await look(fresh());
    return { before, after, refusal, reached };
  } finally {
    remove();
  }
}

/** The whole states that a call leads through; a rebase begins with a commit of its own. */
async function statesOf(ground: keyof typeof grounds, name: string): Promise<readonly string[]> {
  const call = calls[name] as Call;
  const { before, after } = await tryOnce(ground, call, {});
  if (name !== "rebase") return [before, after];
  const committed = await tryOnce(ground, ({ workspace }) => workspace.edit("a", edit("5", "five")), {});
  return [before, committed.after, after];
}

describe.each(Object.keys(grounds) as (keyof typeof grounds)[])("In %s", (ground) => {
  test.each(
    Object.keys(calls).flatMap(
      (name) =>
        [
          [name, false],
          [name, true],
        ] as const,
    ),
  )(
    "a process that ends at any call of the storage within %s (its work done: %s) leaves a whole state",
    async (name, afterEffect) => {
      const states = await statesOf(ground, name);
      const seen = new Set<string>();
      for (let crashAt = 1; ; crashAt++) {
        const { after, reached } = await tryOnce(ground, calls[name] as Call, { crashAt, afterEffect });
        expect(states, `at call ${crashAt}`).toContain(after);
        seen.add(after);
        if (!reached) break;
      }
      expect(seen.size).toBe(new Set(states).size);
    },
    120_000,
  );

  test.each(
    Object.keys(calls).flatMap(
      (name) =>
        [
          [name, false],
          [name, true],
        ] as const,
    ),
  )(
    "%s with one failing call of the storage (its work done: %s) leaves a whole state, and says so",
    async (name, afterEffect) => {
      const states = await statesOf(ground, name);
      for (let failAt = 1; ; failAt++) {
        const tried = await tryOnce(ground, calls[name] as Call, { failAt, afterEffect });
        expect(states, `at call ${failAt}`).toContain(tried.after);
        if (tried.refusal !== undefined) {
          expect(isHoldfastError(tried.refusal)).toBe(true);
          if (isHoldfastError(tried.refusal) && tried.refusal.written === "no" && name !== "rebase")
            expect(tried.after, `at call ${failAt}`).toBe(tried.before);
        } else expect(tried.after, `at call ${failAt}`).toBe(states.at(-1));
        if (!tried.reached) break;
      }
    },
    120_000,
  );
});
