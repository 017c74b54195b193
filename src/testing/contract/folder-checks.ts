import { assertCommitted, assertEqual, assertNotCommitted } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, put, putFrom } from "./contract-session.ts";

/** Claims about folders, which exist only as parts of paths. */
export const folderChecks: readonly ContractCheck[] = [
  {
    name: "Folders are made as deep as a path needs",
    check: async (session) => {
      const path = `${Array.from({ length: 40 }, (_, index) => `d${index}`).join("/")}/file.txt`;
      await session.write({ putFiles: [put(path, "deep")] });
      assertEqual(await session.textOf(path), "deep", "The text");
      assertEqual(await session.paths(), [path], "The listing");
    },
  },
  {
    name: "A folder is neither a file nor in the way of an expectation of absence",
    check: async (session) => {
      await session.write({ putFiles: [put("folder/a", "a")] });
      assertEqual(await session.storage.stat("folder", {}), undefined, "stat of a folder");
      assertEqual(await session.storage.read("folder", {}), undefined, "read of a folder");
      assertEqual(await session.storage.stat("folder/a/b", {}), undefined, "stat below a file");
      assertEqual(await session.storage.read("folder/a/b", {}), undefined, "read below a file");
      const expect = [absent("folder"), absent("folder/a/b"), absent("folder/b")];
      assertCommitted(await session.commit({ expect, putFiles: [put("folder/b", "b")] }));
    },
  },
  {
    name: "A file becomes a folder in one batch",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "file")] });
      await session.write({ deleteFiles: ["a"], putFiles: [put("a/b/c", "below"), putFrom("a/old", "a")] });
      assertEqual(await session.paths(), ["a/b/c", "a/old"], "The listing");
      assertEqual(await session.textOf("a/old"), "file", "The moved text");
    },
  },
  {
    name: "A folder becomes a file in one batch",
    check: async (session) => {
      await session.write({ putFiles: [put("a/b/c", "1"), put("a/d", "2")] });
      await session.write({ deleteFiles: ["a/b/c", "a/d"], putFiles: [putFrom("a", "a/d")] });
      assertEqual(await session.paths(), ["a"], "The listing");
      assertEqual(await session.textOf("a"), "2", "The text");
    },
  },
  {
    name: "A folder that has lost its last file gives its name to a file",
    check: async (session) => {
      await session.write({ putFiles: [put("a/b/c", "1")] });
      await session.write({ deleteFiles: ["a/b/c"] });
      await session.write({ putFiles: [put("a", "file")] });
      assertEqual(await session.paths(), ["a"], "The listing");
    },
  },
  {
    name: "A put below a file that stays is not committed and leaves all as it was",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "file")] });
      const outcome = await session.commit({
        expect: [absent("a/b"), absent("c")],
        putFiles: [put("c", "c"), put("a/b", "below")],
      });
      assertNotCommitted(outcome, "A put below a file");
      assertEqual(await session.paths(), ["a"], "The listing");
      assertEqual((await session.log()).length, 1, "The entries of the log");
    },
  },
  {
    name: "A put onto a folder that is not empty is not committed and leaves all as it was",
    check: async (session) => {
      await session.write({ putFiles: [put("a/b", "1"), put("a/c", "2")] });
      const outcome = await session.commit({
        expect: [absent("a"), absent("d"), ...(await session.expectNow("a/b"))],
        putFiles: [put("d", "d"), put("a", "file")],
        deleteFiles: ["a/b"],
      });
      assertNotCommitted(outcome, "A put onto a folder");
      assertEqual(await session.paths(), ["a/b", "a/c"], "The listing");
      assertEqual((await session.log()).length, 1, "The entries of the log");
    },
  },
];
