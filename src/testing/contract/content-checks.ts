import { utf8 } from "../../base/bytes.ts";
import { hashBytes } from "../../base/hashing.ts";
import { assertBytes, assertEqual, assertNotCommitted, assertRefused } from "./assertions.ts";
import { patternBytes } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { absent, type ContractSession, put } from "./contract-session.ts";

async function append(session: ContractSession, staged: string, at: number, text: string): Promise<void> {
  await session.write({ appendContent: [{ staged, at, bytes: utf8(text) }], entry: null });
}

async function stagedText(session: ContractSession, staged: string): Promise<string> {
  return new TextDecoder().decode(await session.chunksOf({ staged }));
}

/** Claims about reading piece by piece, about contents that the log names, and about staged contents. */
export const contentChecks: readonly ContractCheck[] = [
  {
    name: "Five mebibytes come in pieces that join to the whole, from any offset",
    check: async (session) => {
      const bytes = patternBytes(5 * 1024 * 1024);
      await session.write({ putFiles: [put("big.bin", bytes)] });
      for (const offset of [undefined, 1, 65_536, 1_048_577, bytes.byteLength - 1])
        assertBytes(
          await session.chunksOf({ path: "big.bin" }, offset),
          bytes.slice(offset ?? 0),
          `From offset ${offset}`,
        );
    },
  },
  {
    name: "From the end of the bytes on there is nothing to read, and no refusal",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1234"), put("empty", "")] });
      for (const [path, offset] of [
        ["a", 4],
        ["a", 5],
        ["a", 1_000_000],
        ["empty", 0],
        ["empty", 1],
      ] as const)
        assertEqual(
          (await session.chunksOf({ path }, offset)).byteLength,
          0,
          `Bytes of ${path} from ${offset}`,
        );
    },
  },
  {
    name: "Reading in pieces what is not there is refused with NOT_FOUND",
    check: async (session) => {
      await session.write({ putFiles: [put("folder/a", "1")] });
      const unknown = hashBytes(session.hashing, "sha256", utf8("nobody wrote this"));
      const sources = [{ path: "b" }, { path: "folder" }, { sha256: unknown }, { staged: "st_unknown" }];
      for (const source of sources)
        await assertRefused(session.chunksOf(source), "NOT_FOUND", `Reading ${JSON.stringify(source)}`);
    },
  },
  {
    name: "Contents before and after each commit can be read by their SHA-256 when the files have moved on",
    check: async (session) => {
      const contents = [utf8("first"), patternBytes(300_000), utf8(""), utf8("last")];
      for (const bytes of contents) await session.write({ putFiles: [put("a", bytes)] });
      await session.write({ deleteFiles: ["a"] });
      for (const bytes of contents) {
        const sha256 = hashBytes(session.hashing, "sha256", bytes);
        assertBytes(await session.chunksOf({ sha256 }), bytes, `The content of ${bytes.byteLength} bytes`);
        assertBytes(await session.chunksOf({ sha256 }, 2), bytes.slice(2), "The same from offset 2");
      }
    },
  },
  {
    name: "What another program wrote can be read by its SHA-256 after a commit replaced it",
    needs: ["writeOutside"],
    check: async (session) => {
      await session.writeOutside("a", "from outside");
      await session.writeOutside("b", "outside too");
      await session.write({ putFiles: [put("a", "ours")], deleteFiles: ["b"] });
      for (const text of ["from outside", "outside too"]) {
        const sha256 = hashBytes(session.hashing, "sha256", utf8(text));
        assertBytes(await session.chunksOf({ sha256 }), utf8(text), `The content ${text}`);
      }
    },
  },
  {
    name: "A staged content begins empty and grows by what batches append",
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      assertEqual(await stagedText(session, staged), "", "The content at first");
      await append(session, staged, 0, "one ");
      await append(session, staged, 4, "two ");
      assertEqual(await stagedText(session, staged), "one two ", "The content");
      assertBytes(await session.chunksOf({ staged }, 4), utf8("two "), "The content from offset 4");
    },
  },
  {
    name: "Appending before the end cuts what lies past the offset",
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      await append(session, staged, 0, "0123456789");
      await append(session, staged, 4, "x");
      assertEqual(await stagedText(session, staged), "0123x", "The content");
      await append(session, staged, 2, "");
      assertEqual(await stagedText(session, staged), "01", "The content after it was only cut");
      await append(session, staged, 2, "abc");
      assertEqual(await stagedText(session, staged), "01abc", "The content at the end");
    },
  },
  {
    name: "Several appends of one batch go in order, and staged contents do not mix",
    check: async (session) => {
      const [one, two] = [await session.storage.stageContent({}), await session.storage.stageContent({})];
      const appendContent = [
        { staged: one, at: 0, bytes: utf8("abc") },
        { staged: two, at: 0, bytes: utf8("xyz") },
        { staged: one, at: 3, bytes: utf8("def") },
        { staged: one, at: 5, bytes: utf8("!") },
      ];
      await session.write({ appendContent, entry: null });
      assertEqual(await stagedText(session, one), "abcde!", "The first content");
      assertEqual(await stagedText(session, two), "xyz", "The second content");
    },
  },
  {
    name: "Appending past the end, or to nothing, is not committed",
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      await append(session, staged, 0, "1234");
      for (const wrong of [
        { staged, at: 5 },
        { staged: "st_unknown", at: 0 },
      ]) {
        const appendContent = [{ ...wrong, bytes: utf8("x") }];
        const putRecords = [{ key: "r", bytes: utf8("1") }];
        const call = session.commit({ appendContent, putRecords, entry: null });
        const outcome = await call.catch(
          (error: unknown) => ({ committed: false, error, written: "no" }) as const,
        );
        assertNotCommitted(outcome, "A wrong append");
      }
      assertEqual(await stagedText(session, staged), "1234", "The content");
      assertEqual(await session.recordText("r"), undefined, "The record of the same batches");
    },
  },
  {
    name: "A put can take its bytes from a staged content, which the log then names",
    check: async (session) => {
      const staged = await session.storage.stageContent({});
      const bytes = patternBytes(700_000, 7);
      for (let at = 0; at < bytes.byteLength; at += 100_000)
        await session.write({
          appendContent: [{ staged, at, bytes: bytes.slice(at, at + 100_000) }],
          entry: null,
        });
      const file = { path: "folder/big.bin", kind: "file", executable: false, content: { staged } } as const;
      await session.write({ putFiles: [file] });
      assertBytes((await session.storage.read("folder/big.bin", {}))?.bytes, bytes, "The file");
      await session.write({ deleteFiles: ["folder/big.bin"] });
      const sha256 = hashBytes(session.hashing, "sha256", bytes);
      assertBytes(await session.chunksOf({ sha256 }), bytes, "The content after the file is gone");
    },
  },
  {
    name: "A put from a staged content that is not there is not committed",
    check: async (session) => {
      const file = { path: "a", kind: "file", executable: false, content: { staged: "st_unknown" } } as const;
      const call = session.commit({ expect: [absent("a"), absent("b")], putFiles: [put("b", "b"), file] });
      const outcome = await call.catch(
        (error: unknown) => ({ committed: false, error, written: "no" }) as const,
      );
      assertNotCommitted(outcome, "A put from nothing");
      assertEqual(await session.paths(), [], "The listing");
    },
  },
];
