import { isHoldfastError } from "../../base/holdfast-error.ts";
import { assertBytes, assertEqual, assertRefused, assertTrue } from "./assertions.ts";
import { patternBytes } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { type ContractSession, put } from "./contract-session.ts";

/** What a refusal of a reading says of the length. */
async function refusedLength(session: ContractSession, path: string, maxBytes: number) {
  try {
    await session.storage.read(path, { maxBytes });
  } catch (error) {
    if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
    const { actual, maximum } = error.details;
    return { actual, maximum };
  }
  throw new Error(`A file longer than ${maxBytes} bytes was read.`);
}

/** Claims about how much a reading gives and what telling of a file costs. */
export const readingChecks: readonly ContractCheck[] = [
  {
    name: "A file that is longer than a reading may give is refused with its length and the bound",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "12345"), put("b", patternBytes(300_000))] });
      for (const [path, actual, maximum] of [
        ["a", 5, 4],
        ["a", 5, 0],
        ["b", 300_000, 299_999],
      ] as const)
        assertEqual(
          await refusedLength(session, path, maximum),
          { actual, maximum },
          `Reading at most ${maximum} bytes of ${path}`,
        );
    },
  },
  {
    name: "A file as long as a reading may give is read whole",
    check: async (session) => {
      const bytes = patternBytes(300_000);
      await session.write({ putFiles: [put("a", bytes), put("empty", "")] });
      for (const maxBytes of [300_000, 300_001, Number.MAX_SAFE_INTEGER, undefined])
        assertBytes(
          (await session.storage.read("a", { maxBytes }))?.bytes,
          bytes,
          `Reading at most ${maxBytes} bytes`,
        );
      assertBytes(
        (await session.storage.read("empty", { maxBytes: 0 }))?.bytes,
        new Uint8Array(0),
        "Nothing",
      );
      assertEqual(
        await session.storage.read("absent", { maxBytes: 0 }),
        undefined,
        "Reading what is not there",
      );
    },
  },
  {
    name: "A version that stat tells is the one that reading gives, before and after a change",
    check: async (session) => {
      for (const text of ["old", "new", "longer"]) {
        await session.write({ putFiles: [put("a", text)] });
        const stat = await session.storage.stat("a", {});
        const version = await session.versionOf("a");
        assertTrue(typeof version === "string" && version !== "", "Reading gives no version.");
        if (stat?.version !== undefined) assertEqual(stat.version, version, `The version with ${text}`);
      }
    },
  },
  {
    name: "No link is followed: behind one in the place of a folder there is nothing",
    needs: ["symlinks"],
    check: async (session) => {
      await session.write({
        putFiles: [
          put("folder/a", "a"),
          put("link", "folder", { kind: "symlink" }),
          put("folder/up", "..", { kind: "symlink" }),
        ],
      });
      for (const path of ["link/a", "folder/up/folder/a"]) {
        assertEqual(await session.storage.stat(path, {}), undefined, `stat of ${path}`);
        assertEqual(await session.storage.read(path, {}), undefined, `read of ${path}`);
        await assertRefused(session.chunksOf({ path }), "NOT_FOUND", `Reading ${path} in pieces`);
      }
      assertEqual(await session.paths({ under: "link" }), [], "The listing below the link");
      assertEqual(await session.paths(), ["folder/a", "folder/up", "link"], "The whole listing");
    },
  },
];
