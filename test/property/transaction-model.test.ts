import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { test } from "vitest";
import { fileChange, modelPath } from "../support/file-changes.ts";
import { groundKind } from "../support/grounds/ground-kinds.ts";
import { runsHere } from "../support/grounds/runs-here.ts";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
import type { TransactionAction } from "../support/transaction-actions.ts";
import { type TransactionGround, TransactionRun } from "../support/transaction-run.ts";

/** Files that are there at first: with few of them most changes find what they need. */
const beginnings = [
  {},
  { a: "x\ny\n", b: "y\nx\nz" },
  { a: "x\n", "d/x": "y\n" },
  { a: "y\nx\nz", d: "x" },
  { b: "x\ny\n", "d/x": "x\n", "d/y": "xx\n" },
];

const slot = fc.constantFrom(0, 1);
const handle = fc.constantFrom(0, 1);
const label = fc.constantFrom("one", "two");

const staging: fc.Arbitrary<TransactionAction> = fc.record({
  kind: fc.constant("stage"),
  slot,
  handle,
  change: fileChange,
  manner: fc.constantFrom("plain", "plain", "plain", "keyed", "dry"),
});

const action: fc.Arbitrary<TransactionAction> = fc.oneof(
  { weight: 8, arbitrary: staging },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("undo", "redo"),
      slot,
      handle,
      steps: fc.constantFrom(1, 2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("savepoint", "undoTo"), slot, handle, label }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("discard"),
      slot,
      handle,
      paths: fc.uniqueArray(modelPath, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("rebase"),
      slot,
      handle,
      answer: fc.constantFrom("none", "current", "incoming", "base", "delete", "content"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom("commit", "commit", "commit", "rollback"), slot, handle }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("outside"), change: fileChange }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("apply"), handle, change: fileChange }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revert"), handle, back: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reopen"), handle }) },
);

async function groundOfRun(): Promise<TransactionGround> {
  const storage = testStorage();
  return {
    open: async () => await Workspace.open(sameGround(storage)),
    writeOutside: async (path, text) => storage.writeOutside(path, text),
    remove: async () => undefined,
  };
}

async function directoryGround(): Promise<TransactionGround> {
  const root = await mkdtemp(join(tmpdir(), "holdfast-transactions-"));
  return {
    open: async () => await openDirectory(root),
    writeOutside: async (path, text) => {
      if (text === null) return await rm(join(root, path));
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    remove: async () => await rm(root, { recursive: true }),
  };
}

const runs = Number(process.env["MODEL_RUNS"] ?? 0);

test.each([
  [`in ${groundKind}`, groundOfRun, runs || runsHere(120)],
  ...(groundKind === "memory" ? ([["in a directory", directoryGround, runs || 10]] as const) : []),
] as const)(
  "any sequence of calls on two transactions %s does and refuses what lists of states would",
  async (_name, open, numRuns) => {
    const sequence = fc.array(action, { minLength: 1, maxLength: 20, size: "max" });
    const start = fc.record({ texts: fc.constantFrom(...beginnings), undoDepth: fc.constantFrom(2, 100) });
    await fc.assert(
      fc.asyncProperty(sequence, start, async (actions, begun) => {
        const run = await TransactionRun.begin(await open(), begun);
        try {
          for (const one of actions) await run.take(one);
        } finally {
          await run.end();
        }
      }),
      { numRuns },
    );
  },
  3_600_000,
);
