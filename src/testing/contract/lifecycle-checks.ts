import { utf8 } from "../../base/bytes.ts";
import type { CancelOptions } from "../../base/clock.ts";
import { hashBytes } from "../../base/hashing.ts";
import { assertBytes, assertEqual, assertRefused, assertRejectsWith } from "./assertions.ts";
import { collect, joinChunks } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type ContractSession, put } from "./contract-session.ts";
import { assertChain } from "./log-checks.ts";

/** One call of each method that reads. */
function readingCalls({ storage }: ContractSession, options: CancelOptions) {
  return [
    ["stat", () => storage.stat("a", options)],
    ["read", () => storage.read("a", options)],
    ["list", () => collect(storage.list(options))],
    ["readChunks", () => joinChunks(storage.readChunks({ path: "a" }, options))],
    ["readRecord", () => storage.readRecord("r", options)],
    ["listRecords", () => collect(storage.listRecords("", options))],
    ["readLog", () => collect(storage.readLog(options))],
  ] as const;
}

/** One call of each method that writes. */
function writingCalls(session: ContractSession, options: CancelOptions) {
  const { storage } = session;
  const batch = session.batch({ expect: [absent("b")], putFiles: [put("b", "b")] });
  return [
    ["stageContent", () => storage.stageContent(options)],
    ["commit", () => storage.commit([batch], { ...options, flush: true })],
    ["prune", () => storage.prune({ ...options, before: 99, keep: new Set(), staged: [] })],
  ] as const;
}

async function writeOneOfEach(session: ContractSession): Promise<string> {
  const staged = await session.storage.stageContent({});
  await session.write({
    putFiles: [put("a", "first"), put("folder/b", "below"), put("gone", "gone")],
    putRecords: [{ key: "r", bytes: utf8("record") }],
    appendContent: [{ staged, at: 0, bytes: utf8("staged") }],
  });
  await session.write({ putFiles: [put("a", "second")], deleteFiles: ["gone"] });
  return staged;
}

async function assertOneOfEach(session: ContractSession, staged: string): Promise<void> {
  assertEqual(await session.paths(), ["a", "folder/b"], "The listing");
  assertEqual(await session.textOf("a"), "second", "A file");
  assertEqual(await session.recordText("r"), "record", "A record");
  assertBytes(await session.chunksOf({ staged }), utf8("staged"), "The staged content");
  for (const text of ["first", "gone"]) {
    const sha256 = hashBytes(session.hashing, "sha256", utf8(text));
    assertBytes(await session.chunksOf({ sha256 }), utf8(text), `The past content ${text}`);
  }
  const entries = await session.log();
  assertEqual(entries.length, 2, "The entries of the log");
  assertChain(session, entries);
}

/** Claims about opening, closing and cancelling. */
export const lifecycleChecks: readonly ContractCheck[] = [
  {
    name: "Everything that was committed is there after closing and opening again",
    needs: ["reopen"],
    check: async (session) => {
      const staged = await writeOneOfEach(session);
      const version = await session.versionOf("a");
      await assertOneOfEach(session, staged);
      await session.reopen();
      await assertOneOfEach(session, staged);
      assertEqual(await session.versionOf("a"), version, "The version of a file");
    },
  },
  {
    name: "Numbers and hashes of the log go on after opening again",
    needs: ["reopen"],
    check: async (session) => {
      for (let round = 1; round <= 3; round += 1) {
        const outcome = await session.write({ putFiles: [put("a", `${round}`)] });
        assertEqual(outcome.sequence, round, "The number of the entry");
        await session.reopen();
      }
      const silent = await session.write({ putRecords: [{ key: "r", bytes: utf8("1") }], entry: null });
      const entries = await session.log();
      assertEqual(
        [silent.sequence, silent.hash],
        [3, entries[2]?.hash ?? ""],
        "Number and hash of the last entry",
      );
      assertChain(session, entries);
    },
  },
  {
    name: "The executable bit and links are there after opening again",
    needs: ["reopen", "modes", "symlinks"],
    check: async (session) => {
      await session.write({
        putFiles: [put("run", "x", { executable: true }), put("link", "run", { kind: "symlink" })],
      });
      await session.reopen();
      assertEqual((await session.storage.stat("run", {}))?.executable, true, "The executable bit");
      assertEqual((await session.storage.stat("link", {}))?.kind, "symlink", "The kind of the link");
    },
  },
  {
    name: "What was committed without a flush is there after closing and opening again, in order",
    needs: ["reopen"],
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      for (let index = 0; index < 5; index += 1)
        await session.write({
          putRecords: [
            { key: "step", bytes: utf8(`${index}`) },
            { key: `step/${index}`, bytes: utf8("x") },
          ],
          appendContent: [{ staged, at: index, bytes: utf8(`${index}`) }],
          entry: null,
        });
      await session.reopen();
      assertEqual(await session.recordText("step"), "4", "The record");
      assertEqual(
        (await collect(session.storage.listRecords("step/", {}))).length,
        5,
        "The number of records",
      );
      assertBytes(await session.chunksOf({ staged }), utf8("01234"), "The staged content");
    },
  },
  {
    name: "A storage opened for reading only gives everything and refuses every write",
    needs: ["reopen"],
    check: async (session) => {
      const staged = await writeOneOfEach(session);
      await session.reopen({ readOnly: true });
      await assertOneOfEach(session, staged);
      for (const [method, call] of writingCalls(session, {}))
        await assertRefused(call(), "READ_ONLY", `${method} on a storage opened for reading only`);
      await assertOneOfEach(session, staged);
      await session.reopen();
      await assertOneOfEach(session, staged);
    },
  },
  {
    name: "Closing twice is closing once, and every call afterwards is refused",
    check: async (session) => {
      await writeOneOfEach(session);
      await Promise.all([session.storage.close(), session.storage.close()]);
      await session.storage.close();
      for (const [method, call] of [...readingCalls(session, {}), ...writingCalls(session, {})])
        await assertRefused(call(), "WORKSPACE_CLOSED", `${method} after closing`);
    },
  },
  {
    name: "Closing waits for commits that run, and they are kept",
    needs: ["reopen"],
    check: async (session) => {
      const calls = ["a", "b", "c"].map((path) =>
        session.commit({ expect: [absent(path)], putFiles: [put(path, path)] }),
      );
      await Promise.all([...calls, session.storage.close()]);
      await session.reopen();
      assertEqual(await session.paths(), ["a", "b", "c"], "The listing");
    },
  },
  {
    name: "A call whose signal is aborted rejects with the reason and writes nothing",
    check: async (session) => {
      const staged = await writeOneOfEach(session);
      const reason = new Error("The caller has left.");
      const options = { signal: AbortSignal.abort(reason) };
      for (const [method, call] of [...readingCalls(session, options), ...writingCalls(session, options)])
        await assertRejectsWith(call(), reason, `${method} with an aborted signal`);
      await assertOneOfEach(session, staged);
    },
  },
];
