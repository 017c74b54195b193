import { assertEqual } from "./assertions.ts";
import { collect } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { type ContractSession, put } from "./contract-session.ts";

// In the order of UTF-16 code units: "-" and "." come before "/", digits and capitals before small letters, and a surrogate pair before U+FF5E.
const ordered = [
  "B",
  "a-b",
  "a.txt",
  "a/b",
  "a/b-c",
  "a/b.d/e",
  "a/c",
  "a0",
  "ab/a",
  "c/a/a",
  "é",
  "\u{1f600}",
  "\uff5e",
] as const;

async function writeOrdered(session: ContractSession): Promise<void> {
  const mixed = ordered.map((path, index) => ({ path, rank: (index * 5) % ordered.length }));
  mixed.sort((a, b) => a.rank - b.rank);
  await session.write({ putFiles: mixed.map(({ path }) => put(path, path)) });
}

/** Claims about listings. */
export const listChecks: readonly ContractCheck[] = [
  {
    name: "A listing gives all files by their whole paths in UTF-16 code unit order, and no folders",
    check: async (session) => {
      await writeOrdered(session);
      assertEqual(await session.paths(), ordered, "The listing");
    },
  },
  {
    name: "A listing tells the length and kind of each file, and no other version than read does",
    check: async (session) => {
      await session.write({ putFiles: [put("a", ""), put("b/c", "four"), put("d", new Uint8Array(70_000))] });
      const files = await collect(session.storage.list({}));
      const told = files.map(({ path, kind, byteLength }) => [path, kind, byteLength] as const);
      assertEqual(
        told,
        [
          ["a", "file", 0],
          ["b/c", "file", 4],
          ["d", "file", 70_000],
        ],
        "What is listed",
      );
      for (const { path, version } of files)
        if (version !== undefined)
          assertEqual(version, await session.versionOf(path), `The version of ${path}`);
    },
  },
  {
    name: "A listing below a folder gives what is in it and not what is named alike",
    check: async (session) => {
      await writeOrdered(session);
      assertEqual(await session.paths({ under: "a" }), ["a/b", "a/b-c", "a/b.d/e", "a/c"], "Below a");
      assertEqual(await session.paths({ under: "a/b.d" }), ["a/b.d/e"], "Below a/b.d");
      assertEqual(await session.paths({ under: "c" }), ["c/a/a"], "Below c");
    },
  },
  {
    name: "A listing below a file or below nothing is empty",
    check: async (session) => {
      await writeOrdered(session);
      for (const under of ["a.txt", "a/b", "nowhere", "a/nowhere"])
        assertEqual(await session.paths({ under }), [], `Below ${under}`);
    },
  },
  {
    name: "A listing goes on after any path, whether a file is there or not",
    check: async (session) => {
      await writeOrdered(session);
      for (const [index, path] of ordered.entries())
        assertEqual(await session.paths({ after: path }), ordered.slice(index + 1), `After ${path}`);
      assertEqual(await session.paths({ after: "a" }), ordered.slice(1), "After a");
      assertEqual(await session.paths({ after: "a/bb" }), ordered.slice(6), "After a/bb");
      assertEqual(await session.paths({ after: "\uffee" }), [], "After the last");
    },
  },
  {
    name: "A listing below a folder goes on after a path in it, before it, and behind it",
    check: async (session) => {
      await writeOrdered(session);
      assertEqual(
        await session.paths({ under: "a", after: "a/b" }),
        ["a/b-c", "a/b.d/e", "a/c"],
        "After a/b",
      );
      assertEqual(await session.paths({ under: "a", after: "a/b.d" }), ["a/b.d/e", "a/c"], "After a/b.d");
      assertEqual(
        await session.paths({ under: "a", after: "B" }),
        ["a/b", "a/b-c", "a/b.d/e", "a/c"],
        "After B",
      );
      assertEqual(await session.paths({ under: "a", after: "a0" }), [], "After a0");
    },
  },
  {
    name: "A listing that is left early can be begun again",
    check: async (session) => {
      await writeOrdered(session);
      for (let again = 0; again < 3; again += 1)
        for await (const { path } of session.storage.list({})) {
          assertEqual(path, ordered[0], "The first path");
          break;
        }
      assertEqual(await session.paths(), ordered, "The listing");
    },
  },
  {
    name: "A listing keeps its order while files come and go",
    check: async (session) => {
      await session.write({ putFiles: ["a", "c/d", "e", "g"].map((path) => put(path, path)) });
      const seen: string[] = [];
      for await (const { path } of session.storage.list({})) {
        seen.push(path);
        if (path === "c/d")
          await session.write({ deleteFiles: ["a"], putFiles: [put("b", "b"), put("f", "f")] });
      }
      const steady = seen.filter((path) => path !== "f");
      assertEqual(steady, ["a", "c/d", "e", "g"], "The files that were there all the time");
      assertEqual(await session.paths(), ["b", "c/d", "e", "f", "g"], "The listing afterwards");
    },
  },
];
