import { assertCommitted, assertEqual, assertFailed, assertTrue } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, put } from "./contract-session.ts";

/** Claims about files that another program writes. */
export const outsideChecks: readonly ContractCheck[] = [
  {
    name: "Files that another program wrote are read and listed",
    needs: ["writeOutside"],
    check: async (session) => {
      await session.writeOutside("folder/outside", "theirs");
      assertEqual(await session.textOf("folder/outside"), "theirs", "The text");
      assertEqual(await session.paths(), ["folder/outside"], "The listing");
      assertEqual(await session.log(), [], "The log");
    },
  },
  {
    name: "A change by another program fails the version from before it, also at the same length",
    needs: ["writeOutside"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "ours")] });
      const expect = await session.expectNow("a");
      await session.writeOutside("a", "hers");
      assertTrue((await session.versionOf("a")) !== expect[0]?.version, "The version has not changed.");
      assertFailed(await session.commit({ expect, putFiles: [put("a", "more")] }), ["files a"]);
      assertFailed(await session.commit({ expect, deleteFiles: ["a"] }), ["files a"]);
      assertEqual(await session.textOf("a"), "hers", "The text");
    },
  },
  {
    name: "A file that another program made or removed fails what was expected of it",
    needs: ["writeOutside"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "ours")] });
      const expect = await session.expectNow("a", "b");
      await session.writeOutside("b", "theirs");
      await session.writeOutside("a", null);
      const putFiles = [put("a", "more"), put("b", "more")];
      assertFailed(await session.commit({ expect, putFiles }), ["files a", "files b"]);
      assertEqual(await session.paths(), ["b"], "The listing");
      assertEqual(await session.textOf("b"), "theirs", "The text");
    },
  },
  {
    name: "A change by another program of another path disturbs nobody",
    needs: ["writeOutside"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1"), put("b", "1")] });
      const expect = [...(await session.expectNow("a")), absent("c")];
      await session.writeOutside("b", "theirs");
      assertCommitted(await session.commit({ expect, putFiles: [put("a", "2"), put("c", "1")] }));
      assertEqual(await session.textOf("b"), "theirs", "The text of the other path");
    },
  },
  {
    name: "A file that another program wrote can be replaced, moved and deleted at its version",
    needs: ["writeOutside"],
    check: async (session) => {
      for (const path of ["a", "b", "c"]) await session.writeOutside(path, `outside ${path}`);
      await session.write({
        putFiles: [put("a", "ours"), { ...put("d", ""), content: { from: "b" } }],
        deleteFiles: ["b", "c"],
      });
      assertEqual(await session.paths(), ["a", "d"], "The listing");
      assertEqual(await session.textOf("d"), "outside b", "The moved text");
    },
  },
];
