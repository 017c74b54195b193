import { utf8 } from "../../base/bytes.ts";
import type { Expectation } from "../../storage/storage-adapter.ts";
import { assertCommitted, assertEqual, assertFailed, assertNotCommitted } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type ContractSession, put } from "./contract-session.ts";

function fileAt(key: string, version: string | undefined): Expectation {
  return { space: "files", key, version: version ?? null };
}

function recordAt(key: string, version: string | null): Expectation {
  return { space: "records", key, version };
}

async function recordVersion(session: ContractSession, key: string): Promise<string | null> {
  return (await session.storage.readRecord(key, {}))?.version ?? null;
}

/** Claims about what a batch expects. */
export const expectationChecks: readonly ContractCheck[] = [
  {
    name: "A batch is committed when every file and record is as it expects",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1")], putRecords: [{ key: "r", bytes: utf8("1") }] });
      const expect = [
        fileAt("a", await session.versionOf("a")),
        absent("b"),
        recordAt("r", await recordVersion(session, "r")),
        recordAt("s", null),
      ];
      assertCommitted(await session.commit({ expect, putFiles: [put("a", "2")] }));
      assertEqual(await session.textOf("a"), "2", "The text");
    },
  },
  {
    name: "An older version of a file fails",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1")] });
      const old = await session.versionOf("a");
      await session.write({ putFiles: [put("a", "2")] });
      assertFailed(await session.commit({ expect: [fileAt("a", old)], putFiles: [put("a", "3")] }), [
        "files a",
      ]);
      assertEqual(await session.textOf("a"), "2", "The text");
    },
  },
  {
    name: "A version of a file that is gone fails",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1")] });
      const old = await session.versionOf("a");
      await session.write({ deleteFiles: ["a"] });
      assertFailed(await session.commit({ expect: [fileAt("a", old)], putFiles: [put("a", "2")] }), [
        "files a",
      ]);
      assertFailed(await session.commit({ expect: [fileAt("a", old)], deleteFiles: ["a"] }), ["files a"]);
      assertEqual(await session.paths(), [], "The listing");
    },
  },
  {
    name: "Absence of a file that is there fails",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1")] });
      assertFailed(await session.commit({ expect: [absent("a")], putFiles: [put("a", "2")] }), ["files a"]);
      assertEqual(await session.textOf("a"), "1", "The text");
    },
  },
  {
    name: "A version of a file that never was fails",
    check: async (session) => {
      assertFailed(await session.commit({ expect: [fileAt("a", "no-such-version")] }), ["files a"]);
    },
  },
  {
    name: "An expectation of a path that the batch does not write counts too",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1"), put("b", "1")] });
      const old = await session.versionOf("a");
      await session.write({ putFiles: [put("a", "2")] });
      const expect = [fileAt("a", old), fileAt("b", await session.versionOf("b"))];
      assertFailed(await session.commit({ expect, putFiles: [put("b", "2")] }), ["files a"]);
      assertEqual(await session.textOf("b"), "1", "The file that would have been written");
    },
  },
  {
    name: "Versions and absence of records fail as those of files do",
    check: async (session) => {
      await session.write({ putRecords: [{ key: "r", bytes: utf8("1") }] });
      const old = await recordVersion(session, "r");
      await session.write({ putRecords: [{ key: "r", bytes: utf8("2") }] });
      const record = { key: "r", bytes: utf8("3") };
      for (const version of [old, null, "no-such-version"])
        assertFailed(await session.commit({ expect: [recordAt("r", version)], putRecords: [record] }), [
          "records r",
        ]);
      assertFailed(await session.commit({ expect: [recordAt("s", old)] }), ["records s"]);
      assertEqual(await session.recordText("r"), "2", "The record");
    },
  },
  {
    name: "All failed expectations are told, and only those",
    check: async (session) => {
      await session.write({
        putFiles: [put("a", "1"), put("b", "1"), put("c", "1")],
        putRecords: [{ key: "r", bytes: utf8("1") }],
      });
      const [a, c] = [await session.versionOf("a"), await session.versionOf("c")];
      await session.write({ putFiles: [put("a", "2")] });
      const expect = [
        fileAt("a", a),
        absent("b"),
        fileAt("c", c),
        recordAt("r", null),
        recordAt("s", null),
        absent("d"),
      ];
      assertFailed(await session.commit({ expect }), ["files a", "files b", "records r"]);
    },
  },
  {
    name: "A batch with a failed expectation writes neither files nor records nor log nor staged content",
    check: async (session) => {
      await session.write({
        putFiles: [put("a", "1"), put("gone", "1")],
        putRecords: [
          { key: "r", bytes: utf8("1") },
          { key: "q", bytes: utf8("1") },
        ],
      });
      const staged = await session.storage.stageContent({});
      let entries = 0;
      const outcome = await session.commit({
        expect: [absent("a"), absent("b"), ...(await session.expectNow("gone"))],
        putFiles: [put("b", "new")],
        deleteFiles: ["gone"],
        putRecords: [
          { key: "r", bytes: utf8("2") },
          { key: "s", bytes: utf8("2") },
        ],
        deleteRecords: ["q"],
        appendContent: [{ staged, at: 0, bytes: utf8("more") }],
        entry: () => {
          entries += 1;
          return utf8("entry");
        },
      });
      assertFailed(outcome, ["files a"]);
      assertEqual(entries, 0, "How often the entry was made");
      assertEqual(await session.paths(), ["a", "gone"], "The listing");
      assertEqual(await session.recordText("r"), "1", "A record that would have been written");
      assertEqual(await session.recordText("s"), undefined, "A record that would have been made");
      assertEqual(await session.recordText("q"), "1", "A record that would have been deleted");
      assertEqual((await session.chunksOf({ staged })).byteLength, 0, "The length of the staged content");
      assertEqual((await session.log()).length, 1, "The entries of the log");
    },
  },
  {
    name: "A batch whose entry cannot be made writes nothing and takes no number",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1")] });
      const entry = () => {
        throw new Error("The entry cannot be made.");
      };
      const call = session.commit({ expect: [absent("b")], putFiles: [put("b", "1")], entry });
      const outcome = await call.catch(
        (error: unknown) => ({ committed: false, error, written: "no" }) as const,
      );
      assertNotCommitted(outcome, "The batch");
      assertEqual(await session.paths(), ["a"], "The listing");
      assertEqual((await session.write({ putFiles: [put("c", "1")] })).sequence, 2, "The next number");
    },
  },
  {
    name: "After a failed batch the same versions still hold",
    check: async (session) => {
      const { fileVersions } = await session.write({ putFiles: [put("a", "1")] });
      await session.commit({ expect: [absent("a")], putFiles: [put("a", "2")] });
      const expect = [fileAt("a", fileVersions.get("a"))];
      assertCommitted(await session.commit({ expect, putFiles: [put("a", "3")] }));
    },
  },
  {
    name: "The versions of an outcome can be expected at once",
    check: async (session) => {
      let version: string | undefined;
      for (const text of ["1", "2", "3", "4"]) {
        const outcome = await session.commit({ expect: [fileAt("a", version)], putFiles: [put("a", text)] });
        assertCommitted(outcome);
        version = outcome.fileVersions.get("a");
      }
      assertEqual(await session.textOf("a"), "4", "The text");
    },
  },
];
