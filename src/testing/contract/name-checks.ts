import { assertCommitted, assertEqual, assertNotCommitted } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type ContractSession, put, putFrom } from "./contract-session.ts";

/** Writes each path with its own name as text, and wants to find just that. */
async function keepsNames(session: ContractSession, paths: readonly string[]): Promise<void> {
  await session.write({ putFiles: paths.map((path) => put(path, path)) });
  assertEqual(await session.paths(), [...paths].sort(), "The listing");
  for (const path of paths) assertEqual(await session.textOf(path), path, `The text of ${path}`);
  const [first = "", ...others] = paths;
  await session.write({ deleteFiles: [first] });
  assertEqual(await session.paths(), [...others].sort(), "The listing without the first");
}

/** Claims about names that are easily mistaken for something else. */
export const nameChecks: readonly ContractCheck[] = [
  {
    name: "Names that objects inherit are names like any other",
    check: (session) =>
      keepsNames(session, [
        "__proto__",
        "constructor/prototype",
        "toString",
        "hasOwnProperty/__proto__",
        "valueOf",
      ]),
  },
  {
    name: "Letters of all scripts, and signs beyond the basic plane, are kept",
    check: (session) =>
      keepsNames(session, [
        "\u{1f468}\u200d\u{1f469}/\u{1f600}.txt",
        "日本語/テキスト",
        "кот",
        "שלום",
        "naïve",
      ]),
  },
  {
    name: "Blanks, quotes, percent signs, dots and dashes are kept as they are",
    check: (session) =>
      keepsNames(session, [
        "a b/c d",
        "it's",
        "100%25",
        "%2e%2e",
        "-rf",
        ".hidden",
        "~",
        "$HOME",
        "a,b;c&d",
        "#1",
        "...a",
      ]),
  },
  {
    name: "A name may have 255 bytes, in ASCII or not",
    check: (session) =>
      keepsNames(session, ["n".repeat(255), `${"é".repeat(127)}x`, `d/${"n".repeat(255)}/f`]),
  },
  {
    name: "Names that differ only in case are different files",
    needs: ["caseSensitive"],
    check: (session) => keepsNames(session, ["readme", "README", "Readme", "src/a", "SRC/a"]),
  },
  {
    name: "Composed and decomposed letters are different names",
    needs: ["caseSensitive"],
    check: (session) => keepsNames(session, ["caf\u00e9", "cafe\u0301", "\u1e9b\u0323"]),
  },
  {
    name: "Where names fold, another spelling reads the same file",
    needs: ["caseInsensitive"],
    check: async (session) => {
      await session.write({ putFiles: [put("Folder/Read.me", "text")] });
      assertEqual(await session.textOf("folder/READ.ME"), "text", "The text");
      assertEqual(
        await session.versionOf("FOLDER/read.me"),
        await session.versionOf("Folder/Read.me"),
        "The version",
      );
      assertEqual(await session.paths(), ["Folder/Read.me"], "The listing");
    },
  },
  {
    name: "Where names fold, a put that expects absence does not write over another spelling",
    needs: ["caseInsensitive"],
    check: async (session) => {
      await session.write({ putFiles: [put("Read.me", "kept")] });
      const outcome = await session.commit({
        expect: [absent("READ.ME")],
        putFiles: [put("READ.ME", "lost")],
      });
      assertNotCommitted(outcome, "A put over another spelling");
      assertEqual(await session.paths(), ["Read.me"], "The listing");
      assertEqual(await session.textOf("Read.me"), "kept", "The text");
    },
  },
  {
    name: "Where names fold, a file can be renamed to another spelling of its name",
    needs: ["caseInsensitive"],
    check: async (session) => {
      await session.write({ putFiles: [put("folder/read.me", "text")] });
      const expect = [...(await session.expectNow("folder/read.me")), absent("folder/READ.ME")];
      const putFiles = [putFrom("folder/READ.ME", "folder/read.me")];
      assertCommitted(await session.commit({ expect, putFiles, deleteFiles: ["folder/read.me"] }));
      assertEqual(await session.paths(), ["folder/READ.ME"], "The listing");
      assertEqual(await session.textOf("folder/READ.ME"), "text", "The text");
    },
  },
];
