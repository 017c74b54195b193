import { utf8 } from "../../base/bytes.ts";
import { nextMacrotask } from "../../base/clock.ts";
import type { CommitOutcome } from "../../storage/storage-adapter.ts";
import { assertCommitted, assertEqual, assertFailed, assertTrue } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type BatchDraft, type ContractSession, put } from "./contract-session.ts";
import { assertChain } from "./log-checks.ts";

async function commitAll(
  session: ContractSession,
  drafts: readonly BatchDraft[],
): Promise<readonly CommitOutcome[]> {
  return await session.storage.commit(
    drafts.map((draft) => session.batch(draft)),
    { flush: true },
  );
}

function numbersOf(outcomes: readonly CommitOutcome[]): readonly number[] {
  return outcomes.flatMap((outcome) => (outcome.committed ? [outcome.sequence] : [])).sort((a, b) => a - b);
}

/** Adds one to a counter file, again and again until nobody was faster. */
async function countUp(session: ContractSession, path: string): Promise<void> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const file = await session.storage.read(path, {});
    const next = String(Number(new TextDecoder().decode(file?.bytes)) + 1);
    const expect = [{ space: "files", key: path, version: file?.version ?? null } as const];
    if ((await session.commit({ expect, putFiles: [put(path, next)] })).committed) return;
  }
  throw new Error("A counter was not let through in 1,000 attempts.");
}

/** Claims about lists of batches and about calls that run at the same time. */
export const manyBatchesChecks: readonly ContractCheck[] = [
  {
    name: "An empty list of batches has an empty list of outcomes",
    check: async (session) => {
      assertEqual(await session.storage.commit([], { flush: true }), [], "The outcomes");
      assertEqual(await session.log(), [], "The log");
    },
  },
  {
    name: "Each batch of a list takes effect and has its own number, entry and versions",
    check: async (session) => {
      const paths = ["a", "b/c", "b/d", "e/f/g"];
      const outcomes = await commitAll(
        session,
        paths.map((path) => ({ expect: [absent(path)], putFiles: [put(path, path)] })),
      );
      assertEqual(outcomes.length, 4, "The number of outcomes");
      for (const [index, path] of paths.entries()) {
        const outcome = outcomes[index];
        assertCommitted(outcome);
        assertEqual(
          [...outcome.fileVersions],
          [[path, (await session.versionOf(path)) ?? ""]],
          "The versions",
        );
        const entry = (await session.log()).find(({ sequence }) => sequence === outcome.sequence);
        assertEqual(entry?.hash, outcome.hash, `The hash in the outcome for ${path}`);
      }
      assertEqual(numbersOf(outcomes), [1, 2, 3, 4], "The numbers");
      assertChain(session, await session.log());
    },
  },
  {
    name: "A batch of a list that fails takes nothing from the others",
    check: async (session) => {
      await session.write({ putFiles: [put("b", "old")] });
      const outcomes = await commitAll(
        session,
        ["a", "b", "c"].map((path) => ({ expect: [absent(path)], putFiles: [put(path, "new")] })),
      );
      assertCommitted(outcomes[0]);
      assertFailed(outcomes[1], ["files b"]);
      assertCommitted(outcomes[2]);
      assertEqual(await session.textOf("b"), "old", "The file of the failed batch");
      assertEqual(await session.paths(), ["a", "b", "c"], "The listing");
      assertEqual(numbersOf(outcomes), [2, 3], "The numbers");
      assertChain(session, await session.log());
    },
  },
  {
    name: "Of batches of a list that expect the same, the first is committed and the others see it",
    check: async (session) => {
      const drafts = ["1", "2", "3"].map((text) => ({ expect: [absent("a")], putFiles: [put("a", text)] }));
      const outcomes = await commitAll(session, [
        ...drafts,
        { expect: [absent("b")], putFiles: [put("b", "b")] },
      ]);
      assertCommitted(outcomes[0]);
      assertFailed(outcomes[1], ["files a"]);
      assertFailed(outcomes[2], ["files a"]);
      assertCommitted(outcomes[3]);
      assertEqual(await session.textOf("a"), "1", "The text");
    },
  },
  {
    name: "A batch with files, records, staged content and log is there whole",
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      await session.write({
        putFiles: [put("old", "old")],
        putRecords: [{ key: "old", bytes: utf8("old") }],
      });
      await session.write({
        putFiles: [put("a", "1"), put("b", "2")],
        deleteFiles: ["old"],
        putRecords: [{ key: "r", bytes: utf8("3") }],
        deleteRecords: ["old"],
        appendContent: [{ staged, at: 0, bytes: utf8("4") }],
        entry: () => utf8("5"),
      });
      assertEqual(await session.paths(), ["a", "b"], "The listing");
      assertEqual(await session.recordText("r"), "3", "The new record");
      assertEqual(await session.recordText("old"), undefined, "The old record");
      assertEqual([...(await session.chunksOf({ staged }))], [...utf8("4")], "The staged content");
      assertEqual([...((await session.log())[1]?.bytes ?? [])], [...utf8("5")], "The entry");
    },
  },
  {
    name: "Of calls at the same time that expect the same version, exactly one takes effect",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "start")] });
      const expect = await session.expectNow("a");
      const texts = Array.from({ length: 12 }, (_, index) => `writer ${index}`);
      const outcomes = await Promise.all(
        texts.map((text) => session.commit({ expect, putFiles: [put("a", text)] })),
      );
      const winners = texts.filter((_, index) => outcomes[index]?.committed);
      assertEqual(winners.length, 1, "How many took effect");
      assertEqual(await session.textOf("a"), winners[0], "The text");
      for (const outcome of outcomes) if (!outcome.committed) assertFailed(outcome, ["files a"]);
      assertChain(session, await session.log());
    },
  },
  {
    name: "Of calls at the same time that expect a record to be absent, exactly one takes effect",
    check: async (session) => {
      const expect = [{ space: "records", key: "once", version: null } as const];
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          session.commit({ expect, putRecords: [{ key: "once", bytes: utf8(`${index}`) }], entry: null }),
        ),
      );
      assertEqual(outcomes.filter(({ committed }) => committed).length, 1, "How many took effect");
      const winner = outcomes.findIndex(({ committed }) => committed);
      assertEqual(await session.recordText("once"), `${winner}`, "The record");
    },
  },
  {
    name: "Calls at the same time on different paths all take effect, with numbers without gaps",
    check: async (session) => {
      const paths = Array.from({ length: 40 }, (_, index) => `dir${index % 4}/file${index}`);
      const outcomes = await Promise.all(
        paths.map((path) => session.commit({ expect: [absent(path)], putFiles: [put(path, path)] })),
      );
      for (const outcome of outcomes) assertCommitted(outcome);
      assertEqual(await session.paths(), [...paths].sort(), "The listing");
      assertEqual(
        numbersOf(outcomes),
        paths.map((_, index) => index + 1),
        "The numbers",
      );
      assertChain(session, await session.log());
    },
  },
  {
    name: "Many writers count one file up, and no step is lost",
    check: async (session) => {
      await session.write({ putFiles: [put("counter", "0")] });
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let step = 0; step < 4; step += 1) await countUp(session, "counter");
        }),
      );
      assertEqual(await session.textOf("counter"), "32", "The counter");
      assertEqual((await session.log()).length, 33, "The entries of the log");
    },
  },
  {
    name: "Whoever reads while files are written sees each file in one committed state",
    check: async (session) => {
      const textOf = (round: number) => `${round} `.repeat(2_000 + 300 * round);
      const valid = new Set(Array.from({ length: 10 }, (_, round) => textOf(round)));
      await session.write({ putFiles: [put("a", textOf(0))] });
      let writing = true;
      const read = async () => {
        while (writing) {
          assertTrue(valid.has((await session.textOf("a")) ?? ""), "A read gave a mix of two states.");
          await nextMacrotask();
        }
      };
      const write = async () => {
        for (let round = 1; round < 10; round += 1)
          await session.write({ putFiles: [put("a", textOf(round))] });
      };
      const writer = write().finally(() => {
        writing = false;
      });
      await Promise.all([writer, read(), read()]);
      assertEqual(await session.textOf("a"), textOf(9), "The text at the end");
    },
  },
];
