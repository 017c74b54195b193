import { utf8 } from "../../base/bytes.ts";
import { hashBytes } from "../../base/hashing.ts";
import { assertBytes, assertEqual, assertRefused, assertTrue } from "./assertions.ts";
import { collect } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { type ContractSession, put } from "./contract-session.ts";
import { assertChain } from "./log-checks.ts";

/** Writes a file once with each text; the entry with number n leaves the nth text. */
async function writeTexts(session: ContractSession, ...texts: readonly string[]): Promise<void> {
  for (const text of texts) await session.write({ putFiles: [put("a", text)] });
}

async function prune(
  session: ContractSession,
  before: number,
  options: { readonly keep?: readonly string[]; readonly staged?: readonly string[] } = {},
): Promise<void> {
  const keep = new Set((options.keep ?? []).map((text) => idOf(session, text)));
  const { bytesFreed } = await session.storage.prune({ before, keep, staged: options.staged ?? [] });
  assertTrue(Number.isSafeInteger(bytesFreed) && bytesFreed >= 0, `${bytesFreed} is no number of bytes.`);
}

function idOf(session: ContractSession, text: string): string {
  return hashBytes(session.hashing, "sha256", utf8(text));
}

async function assertContents(session: ContractSession, kept: readonly string[], gone: readonly string[]) {
  for (const text of kept)
    assertBytes(await session.chunksOf({ sha256: idOf(session, text) }), utf8(text), `The content ${text}`);
  for (const text of gone)
    await assertRefused(
      session.chunksOf({ sha256: idOf(session, text) }),
      "NOT_FOUND",
      `The content ${text}`,
    );
}

/** Claims about pruning. */
export const pruneChecks: readonly ContractCheck[] = [
  {
    name: "Pruning removes the entries before a number, and the rest stays chained",
    check: async (session) => {
      await writeTexts(session, "1", "2", "3", "4", "5");
      const [, , third, fourth, fifth] = await session.log();
      await prune(session, 4);
      const kept = await session.log();
      assertEqual(
        kept.map(({ hash }) => hash),
        [fourth?.hash ?? "", fifth?.hash ?? ""],
        "The hashes",
      );
      assertChain(session, kept, { sequence: 4, previousHash: third?.hash ?? "" });
      const reverse = await collect(session.storage.readLog({ reverse: true }));
      assertEqual(
        reverse.map(({ sequence }) => sequence),
        [5, 4],
        "The numbers in reverse",
      );
      const early = await collect(session.storage.readLog({ from: 1, limit: 1 }));
      assertEqual(
        early.map(({ sequence }) => sequence),
        [4],
        "The first number from 1 on",
      );
      assertEqual(await session.textOf("a"), "5", "The file");
    },
  },
  {
    name: "After pruning the whole log, numbers and hashes go on",
    needs: ["reopen"],
    check: async (session) => {
      await writeTexts(session, "1", "2");
      const [, second] = await session.log();
      await prune(session, 3);
      assertEqual(await session.log(), [], "The log");
      const silent = await session.write({ putRecords: [{ key: "r", bytes: utf8("1") }], entry: null });
      assertEqual(
        [silent.sequence, silent.hash],
        [2, second?.hash ?? ""],
        "Number and hash of the last entry",
      );
      await session.reopen();
      await writeTexts(session, "3");
      assertChain(session, await session.log(), { sequence: 3, previousHash: second?.hash ?? "" });
    },
  },
  {
    name: "Pruning before the first entry removes nothing",
    check: async (session) => {
      await writeTexts(session, "1", "2");
      for (const before of [0, 1]) await prune(session, before);
      assertEqual((await session.log()).length, 2, "The entries of the log");
      await assertContents(session, ["1", "2"], []);
    },
  },
  {
    name: "Contents that only pruned entries name are gone, those of kept entries stay",
    check: async (session) => {
      await writeTexts(session, "one", "two", "three", "four");
      await prune(session, 4);
      // The fourth entry replaced "three" by "four".
      await assertContents(session, ["three", "four"], ["one", "two"]);
    },
  },
  {
    name: "A content that an entry before and one after the number name stays",
    check: async (session) => {
      await writeTexts(session, "shared", "one", "two", "shared", "last");
      await prune(session, 4);
      await assertContents(session, ["shared", "two", "last"], ["one"]);
    },
  },
  {
    name: "Contents that are to be kept stay, until a pruning lets them go",
    check: async (session) => {
      await writeTexts(session, "one", "two", "three", "four");
      await prune(session, 4, { keep: ["one"] });
      await assertContents(session, ["one", "three"], ["two"]);
      await prune(session, 4, { keep: ["one"] });
      await assertContents(session, ["one"], []);
      await prune(session, 4);
      await assertContents(session, ["three", "four"], ["one"]);
    },
  },
  {
    name: "Pruning removes the staged contents that it is given, and no others",
    check: async (session) => {
      const [one, two] = [await session.storage.stageContent({}), await session.storage.stageContent({})];
      const appendContent = [one, two].map((staged) => ({ staged, at: 0, bytes: utf8("staged") }));
      await session.write({ appendContent, entry: null });
      await prune(session, 0, { staged: [one, "st_unknown"] });
      await assertRefused(session.chunksOf({ staged: one }), "NOT_FOUND", "A pruned staged content");
      assertBytes(await session.chunksOf({ staged: two }), utf8("staged"), "Another staged content");
    },
  },
  {
    name: "Pruning leaves files and records alone",
    check: async (session) => {
      await session.write({
        putFiles: [put("a", "1"), put("b", "2")],
        putRecords: [{ key: "r", bytes: utf8("3") }],
      });
      const before = await session.expectNow("a", "b");
      await prune(session, 2);
      assertEqual(await session.expectNow("a", "b"), before, "The versions");
      assertEqual([await session.textOf("a"), await session.recordText("r")], ["1", "3"], "File and record");
    },
  },
];
