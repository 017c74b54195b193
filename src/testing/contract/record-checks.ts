import { utf8 } from "../../base/bytes.ts";
import { assertBytes, assertEqual, assertTrue } from "./assertions.ts";
import { collect, patternBytes } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { type ContractSession, put } from "./contract-session.ts";

async function writeRecords(session: ContractSession, ...keys: readonly string[]): Promise<void> {
  await session.write({ putRecords: keys.map((key) => ({ key, bytes: utf8(key) })) });
}

async function keysOf(session: ContractSession, prefix: string, after?: string): Promise<readonly string[]> {
  return await collect(session.storage.listRecords(prefix, { after }));
}

/** Claims about records. */
export const recordChecks: readonly ContractCheck[] = [
  {
    name: "A record is made, replaced and deleted",
    check: async (session) => {
      assertEqual(await session.recordText("r"), undefined, "The record at first");
      await session.write({ putRecords: [{ key: "r", bytes: utf8("1") }] });
      assertEqual(await session.recordText("r"), "1", "The record");
      await session.write({ putRecords: [{ key: "r", bytes: utf8("22") }] });
      assertEqual(await session.recordText("r"), "22", "The record, replaced");
      await session.write({ deleteRecords: ["r"] });
      assertEqual(await session.recordText("r"), undefined, "The record, deleted");
      assertEqual(await keysOf(session, ""), [], "The keys");
    },
  },
  {
    name: "A version of a record changes with its bytes and is the one that the outcome gave",
    check: async (session) => {
      const seen = new Set<string>();
      for (const text of ["1", "2", "3"]) {
        const { recordVersions } = await session.write({ putRecords: [{ key: "r", bytes: utf8(text) }] });
        const version = (await session.storage.readRecord("r", {}))?.version;
        assertTrue(version !== undefined, "The record has no version.");
        assertEqual(recordVersions.get("r"), version, "The version in the outcome");
        seen.add(version);
      }
      assertEqual(seen.size, 3, "The number of versions");
    },
  },
  {
    name: "Records are no files, and files no records",
    check: async (session) => {
      await session.write({
        putFiles: [put("both", "file")],
        putRecords: [{ key: "both", bytes: utf8("record") }],
      });
      assertEqual(await session.textOf("both"), "file", "The file");
      assertEqual(await session.recordText("both"), "record", "The record");
      await session.write({ deleteRecords: ["both"], putRecords: [{ key: "other", bytes: utf8("record") }] });
      assertEqual(await session.paths(), ["both"], "The listing of files");
      assertEqual(await keysOf(session, ""), ["other"], "The listing of records");
    },
  },
  {
    name: "Record keys of any shape are kept",
    check: async (session) => {
      const keys = [
        "__proto__",
        "constructor",
        "a/../b",
        "/",
        "..",
        "A",
        "a",
        "x:y z",
        "\u{1f600}",
        "k".repeat(512),
      ];
      await writeRecords(session, ...keys);
      assertEqual(await keysOf(session, ""), [...keys].sort(), "The keys");
      for (const key of keys) assertEqual(await session.recordText(key), key, `The record ${key}`);
    },
  },
  {
    name: "Records of no bytes and of a mebibyte come back whole, and the bytes are the reader's own",
    check: async (session) => {
      const bytes = patternBytes(1024 * 1024, 3);
      await session.write({
        putRecords: [
          { key: "big", bytes },
          { key: "empty", bytes: new Uint8Array(0) },
        ],
      });
      for (let again = 0; again < 2; again += 1) {
        const record = await session.storage.readRecord("big", {});
        assertBytes(record?.bytes, bytes, "The big record");
        record?.bytes.fill(0);
      }
      assertBytes(
        (await session.storage.readRecord("empty", {}))?.bytes,
        new Uint8Array(0),
        "The empty record",
      );
    },
  },
  {
    name: "Record keys are listed by prefix in UTF-16 code unit order",
    check: async (session) => {
      await writeRecords(session, "b/1", "a/2", "a/10", "a", "a/1", "a0", "c/\uff5e", "c/\u{1f600}");
      assertEqual(await keysOf(session, "a/"), ["a/1", "a/10", "a/2"], "Keys that begin with a/");
      assertEqual(await keysOf(session, "a"), ["a", "a/1", "a/10", "a/2", "a0"], "Keys that begin with a");
      assertEqual(await keysOf(session, "a/1"), ["a/1", "a/10"], "Keys that begin with a/1");
      assertEqual(await keysOf(session, "c/"), ["c/\u{1f600}", "c/\uff5e"], "Keys that begin with c/");
      assertEqual(await keysOf(session, "d"), [], "Keys that begin with d");
    },
  },
  {
    name: "A listing of records goes on after any key",
    check: async (session) => {
      await writeRecords(session, "a/1", "a/3", "a/5", "b/1");
      assertEqual(await keysOf(session, "a/", "a/1"), ["a/3", "a/5"], "After a/1");
      assertEqual(await keysOf(session, "a/", "a/2"), ["a/3", "a/5"], "After a/2");
      assertEqual(await keysOf(session, "a/", "a/5"), [], "After a/5");
      assertEqual(await keysOf(session, "a/", "A"), ["a/1", "a/3", "a/5"], "After A");
      assertEqual(await keysOf(session, "", "a/3"), ["a/5", "b/1"], "After a/3, of all");
    },
  },
];
