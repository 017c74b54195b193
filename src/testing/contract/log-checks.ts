import { utf8 } from "../../base/bytes.ts";
import { chainHash, firstPreviousHash } from "../../storage/log/chain-hash.ts";
import type { LogEntry, ReadLogOptions } from "../../storage/storage-adapter.ts";
import { assertBytes, assertEqual } from "./assertions.ts";
import { collect } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type ContractSession, put } from "./contract-session.ts";

/** Throws unless the entries are numbered from a number on without gaps and each hash covers the one before. */
export function assertChain(
  session: ContractSession,
  entries: readonly LogEntry[],
  first = { sequence: 1, previousHash: firstPreviousHash },
): void {
  let { sequence, previousHash } = first;
  for (const entry of entries) {
    assertEqual(entry.sequence, sequence, "The number of an entry");
    const hash = chainHash(session.hashing, sequence, previousHash, entry.bytes);
    assertEqual(entry.hash, hash, `The hash of entry ${sequence}`);
    previousHash = hash;
    sequence += 1;
  }
}

async function writeEntries(session: ContractSession, count: number): Promise<void> {
  for (let index = 1; index <= count; index += 1)
    await session.write({
      putRecords: [{ key: "r", bytes: utf8(`${index}`) }],
      entry: () => utf8(`e${index}`),
    });
}

async function entriesOf(session: ContractSession, options: ReadLogOptions): Promise<string> {
  const entries = await collect(session.storage.readLog(options));
  const texts = entries.map(({ sequence, bytes }) => `${sequence}:${new TextDecoder().decode(bytes)}`);
  return texts.join(" ");
}

/** Claims about the log. */
export const logChecks: readonly ContractCheck[] = [
  {
    name: "The first entry has number 1 and follows on 64 zeros",
    check: async (session) => {
      const calls: [number, string][] = [];
      const outcome = await session.write({
        putFiles: [put("a", "1")],
        entry: (...call) => {
          calls.push(call);
          return utf8("first");
        },
      });
      assertEqual(calls, [[1, "0".repeat(64)]], "The calls of entry");
      const hash = chainHash(session.hashing, 1, firstPreviousHash, utf8("first"));
      assertEqual([outcome.sequence, outcome.hash], [1, hash], "Number and hash in the outcome");
      assertEqual(await entriesOf(session, {}), "1:first", "The log");
    },
  },
  {
    name: "Each entry is made once, with the next number and the hash of the entry before it",
    check: async (session) => {
      let previous = firstPreviousHash;
      for (let number = 1; number <= 5; number += 1) {
        const calls: [number, string][] = [];
        const outcome = await session.write({
          putFiles: [put("a", `${number}`)],
          entry: (...call) => {
            calls.push(call);
            return utf8(`entry ${number}`);
          },
        });
        assertEqual(calls, [[number, previous]], "The calls of entry");
        assertEqual(outcome.sequence, number, "The number in the outcome");
        previous = outcome.hash;
      }
      assertChain(session, await session.log());
    },
  },
  {
    name: "Failed batches leave no gap in the numbers and call no entry",
    check: async (session) => {
      let made = 0;
      for (let round = 0; round < 3; round += 1) {
        await session.write({ putFiles: [put("a", `${round}`)] });
        const entry = () => {
          made += 1;
          return utf8("never");
        };
        await session.commit({ expect: [absent("a")], putFiles: [put("a", "never")], entry });
      }
      assertEqual(made, 0, "How often an entry was made for a failed batch");
      const entries = await session.log();
      assertEqual(entries.length, 3, "The entries of the log");
      assertChain(session, entries);
    },
  },
  {
    name: "A batch without an entry takes no number and gives number and hash of the last one",
    check: async (session) => {
      const silent = { putRecords: [{ key: "r", bytes: utf8("1") }], entry: null };
      assertEqual((await session.write(silent)).sequence, 0, "The number before the first entry");
      const first = await session.write({ putFiles: [put("a", "1")] });
      const between = await session.write(silent);
      assertEqual([between.sequence, between.hash], [1, first.hash], "Number and hash after the first entry");
      assertEqual((await session.write({ putFiles: [put("a", "2")] })).sequence, 2, "The next number");
      assertChain(session, await session.log());
    },
  },
  {
    name: "An entry may come without any write, and may be empty or large",
    check: async (session) => {
      const large = new Uint8Array(300_000).fill(7);
      for (const bytes of [utf8("alone"), new Uint8Array(0), large])
        await session.write({ entry: () => bytes });
      const entries = await session.log();
      assertEqual(entries.length, 3, "The entries of the log");
      assertBytes(entries[1]?.bytes, new Uint8Array(0), "The empty entry");
      assertBytes(entries[2]?.bytes, large, "The large entry");
      assertChain(session, entries);
    },
  },
  {
    name: "The bytes of an entry are the reader's own",
    check: async (session) => {
      await writeEntries(session, 1);
      for (const entry of await session.log()) entry.bytes.fill(0);
      assertEqual(await entriesOf(session, {}), "1:e1", "The log after a copy was changed");
    },
  },
  {
    name: "The log is read forward from any number and to any length",
    check: async (session) => {
      await writeEntries(session, 5);
      for (const [options, expected] of [
        [{}, "1:e1 2:e2 3:e3 4:e4 5:e5"],
        [{ from: 3 }, "3:e3 4:e4 5:e5"],
        [{ from: 2, limit: 2 }, "2:e2 3:e3"],
        [{ limit: 1 }, "1:e1"],
        [{ limit: 0 }, ""],
        [{ from: 5, limit: 9 }, "5:e5"],
        [{ from: 6 }, ""],
      ] as const)
        assertEqual(await entriesOf(session, options), expected, `Read with ${JSON.stringify(options)}`);
    },
  },
  {
    name: "The log is read in reverse from any number and to any length",
    check: async (session) => {
      await writeEntries(session, 5);
      for (const [options, expected] of [
        [{}, "5:e5 4:e4 3:e3 2:e2 1:e1"],
        [{ from: 3 }, "3:e3 2:e2 1:e1"],
        [{ from: 4, limit: 2 }, "4:e4 3:e3"],
        [{ limit: 1 }, "5:e5"],
        [{ limit: 0 }, ""],
        [{ from: 1, limit: 9 }, "1:e1"],
        [{ from: 9 }, "5:e5 4:e4 3:e3 2:e2 1:e1"],
      ] as const)
        assertEqual(
          await entriesOf(session, { ...options, reverse: true }),
          expected,
          `Read in reverse with ${JSON.stringify(options)}`,
        );
    },
  },
  {
    name: "A log without entries gives none in either direction",
    check: async (session) => {
      for (const options of [{}, { reverse: true }, { from: 1 }, { from: 1, reverse: true }])
        assertEqual(await entriesOf(session, options), "", `Read with ${JSON.stringify(options)}`);
    },
  },
];
