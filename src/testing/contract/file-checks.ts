import { assertBytes, assertEqual, assertTrue } from "./assertions.ts";
import { patternBytes } from "./collect.ts";
import type { ContractCheck } from "./contract-check.ts";
import { put, putFrom } from "./contract-session.ts";

/** Claims about files that one batch writes. */
export const fileChecks: readonly ContractCheck[] = [
  {
    name: "A fresh storage has nothing to mend and is empty",
    check: async (session) => {
      const { storage } = session;
      assertEqual(
        session.recovery,
        { rolledForward: 0, rolledBack: 0, conflicts: [], pending: false },
        "The report of opening",
      );
      assertEqual(await session.paths(), [], "The listing");
      assertEqual(await session.log(), [], "The log");
      assertEqual(await storage.stat("a.txt", {}), undefined, "stat of an absent path");
      assertEqual(await storage.read("a.txt", {}), undefined, "read of an absent path");
    },
  },
  {
    name: "A put makes a file, and stat and read tell the same of it",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "one\ntwo\n")] });
      const stat = await session.storage.stat("a.txt", {});
      const file = await session.storage.read("a.txt", {});
      assertEqual(await session.textOf("a.txt"), "one\ntwo\n", "The text");
      assertEqual([stat?.kind, stat?.byteLength, stat?.executable], ["file", 8, false], "The stat");
      assertEqual(
        [file?.kind, file?.byteLength, file?.executable],
        [stat?.kind, stat?.byteLength, stat?.executable],
        "What read tells",
      );
    },
  },
  {
    name: "A put replaces what is at its path",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "old and long"), put("b.txt", "other")] });
      await session.write({ putFiles: [put("a.txt", "new")] });
      assertEqual(await session.textOf("a.txt"), "new", "The text");
      assertEqual(await session.textOf("b.txt"), "other", "The text of another file");
    },
  },
  {
    name: "A delete removes a file",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "a"), put("b.txt", "b")] });
      await session.write({ deleteFiles: ["a.txt"] });
      assertEqual(await session.storage.stat("a.txt", {}), undefined, "stat");
      assertEqual(await session.storage.read("a.txt", {}), undefined, "read");
      assertEqual(await session.paths(), ["b.txt"], "The listing");
    },
  },
  {
    name: "An empty file is there, unlike an absent one",
    check: async (session) => {
      await session.write({ putFiles: [put("empty", "")] });
      const file = await session.storage.read("empty", {});
      assertBytes(file?.bytes, new Uint8Array(0), "The bytes");
      assertEqual(file?.byteLength, 0, "The length");
      assertEqual(await session.paths(), ["empty"], "The listing");
    },
  },
  {
    name: "Every byte value comes back as it was written",
    check: async (session) => {
      const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      await session.write({ putFiles: [put("bytes.bin", bytes)] });
      assertBytes((await session.storage.read("bytes.bin", {}))?.bytes, bytes, "The bytes");
    },
  },
  {
    name: "A file of five mebibytes comes back whole",
    check: async (session) => {
      const bytes = patternBytes(5 * 1024 * 1024);
      await session.write({ putFiles: [put("big.bin", bytes)] });
      assertBytes((await session.storage.read("big.bin", {}))?.bytes, bytes, "The bytes");
    },
  },
  {
    name: "The bytes that a read gives are the reader's own",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "kept")] });
      for (let again = 0; again < 2; again += 1) {
        const file = await session.storage.read("a.txt", {});
        assertEqual(new TextDecoder().decode(file?.bytes), "kept", "The text");
        file?.bytes.fill(0);
      }
      for await (const chunk of session.storage.readChunks({ path: "a.txt" }, {})) chunk.fill(0);
      assertEqual(await session.textOf("a.txt"), "kept", "The text after the copies were changed");
    },
  },
  {
    name: "One batch puts, replaces and deletes many files",
    check: async (session) => {
      const paths = Array.from({ length: 60 }, (_, index) => `many/${String(index).padStart(2, "0")}.txt`);
      await session.write({ putFiles: paths.map((path) => put(path, path)) });
      await session.write({
        putFiles: [...paths.slice(0, 20).map((path) => put(path, "new")), put("many/z.txt", "z")],
        deleteFiles: paths.slice(40),
      });
      assertEqual(await session.paths(), [...paths.slice(0, 40), "many/z.txt"], "The listing");
      assertEqual(await session.textOf("many/07.txt"), "new", "A replaced file");
      assertEqual(await session.textOf("many/27.txt"), "many/27.txt", "A file that was left alone");
    },
  },
  {
    name: "The outcome gives the versions that reading gives",
    check: async (session) => {
      await session.write({ putFiles: [put("old.txt", "old")] });
      const { fileVersions } = await session.write({
        putFiles: [put("a.txt", "a"), put("b.txt", "b")],
        deleteFiles: ["old.txt"],
      });
      assertEqual([...fileVersions.keys()].sort(), ["a.txt", "b.txt"], "The paths with versions");
      for (const [path, version] of fileVersions)
        assertEqual(version, (await session.storage.read(path, {}))?.version, `The version of ${path}`);
    },
  },
  {
    name: "A version stays while its file stays",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "a")] });
      const version = await session.versionOf("a.txt");
      await session.write({ putFiles: [put("b.txt", "b")] });
      assertEqual(await session.versionOf("a.txt"), version, "The version after another file was written");
    },
  },
  {
    name: "A version changes with bytes, also with bytes of the same length",
    check: async (session) => {
      const seen = new Set<string | undefined>();
      const texts = ["aaaa", "bbbb", "cccc", "cccc\n"];
      for (const text of texts) {
        await session.write({ putFiles: [put("a.txt", text)] });
        seen.add(await session.versionOf("a.txt"));
      }
      assertEqual(seen.size, texts.length, "The number of versions");
    },
  },
  {
    name: "A file of the same bytes as before is at a version that a commit can expect",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "same")] });
      await session.write({ putFiles: [put("a.txt", "same")] });
      await session.write({ putFiles: [put("a.txt", "other")] });
      assertEqual(await session.textOf("a.txt"), "other", "The text");
    },
  },
  {
    name: "A put can take its bytes from another path",
    check: async (session) => {
      const bytes = patternBytes(100_000);
      await session.write({ putFiles: [put("a.bin", bytes)] });
      await session.write({ putFiles: [putFrom("copies/b.bin", "a.bin")] });
      assertBytes((await session.storage.read("a.bin", {}))?.bytes, bytes, "The source");
      assertBytes((await session.storage.read("copies/b.bin", {}))?.bytes, bytes, "The copy");
      await session.write({ putFiles: [put("a.bin", "changed")] });
      assertBytes((await session.storage.read("copies/b.bin", {}))?.bytes, bytes, "The copy, later");
    },
  },
  {
    name: "A put from a path that the same batch deletes is a move",
    check: async (session) => {
      await session.write({ putFiles: [put("a.txt", "moved")] });
      await session.write({ putFiles: [putFrom("folder/b.txt", "a.txt")], deleteFiles: ["a.txt"] });
      assertEqual(await session.paths(), ["folder/b.txt"], "The listing");
      assertEqual(await session.textOf("folder/b.txt"), "moved", "The text");
    },
  },
  {
    name: "Puts take the bytes that were there before the batch, so that two files can change places",
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1"), put("b", "2"), put("c", "3")] });
      await session.write({
        putFiles: [putFrom("a", "b"), putFrom("b", "a"), putFrom("d", "c"), put("c", "4")],
      });
      const texts = await Promise.all(["a", "b", "c", "d"].map((path) => session.textOf(path)));
      assertEqual(texts, ["2", "1", "4", "3"], "The texts");
    },
  },
  {
    name: "The executable bit is kept, and copies say their own",
    needs: ["modes"],
    check: async (session) => {
      await session.write({
        putFiles: [put("run.sh", "#!/bin/sh\n", { executable: true }), put("text", "text")],
      });
      await session.write({
        putFiles: [{ ...putFrom("copy.sh", "run.sh"), executable: true }, putFrom("copy", "run.sh")],
      });
      for (const [path, executable] of [
        ["run.sh", true],
        ["text", false],
        ["copy.sh", true],
        ["copy", false],
      ] as const) {
        assertEqual((await session.storage.stat(path, {}))?.executable, executable, `stat of ${path}`);
        assertEqual((await session.storage.read(path, {}))?.executable, executable, `read of ${path}`);
      }
    },
  },
  {
    name: "A change of the executable bit alone changes the version",
    needs: ["modes"],
    check: async (session) => {
      await session.write({ putFiles: [put("run.sh", "run")] });
      const version = await session.versionOf("run.sh");
      const outcome = await session.write({
        putFiles: [{ ...putFrom("run.sh", "run.sh"), executable: true }],
      });
      const after = await session.storage.read("run.sh", {});
      assertEqual(after?.executable, true, "The bit");
      assertTrue(after?.version !== version, "The version is the same as before the change of mode.");
      assertEqual(outcome.fileVersions.get("run.sh"), after?.version, "The version in the outcome");
    },
  },
  {
    name: "A symbolic link is kept as a link, with its target as bytes, also when nothing is there",
    needs: ["symlinks"],
    check: async (session) => {
      await session.write({
        putFiles: [
          put("target.txt", "target"),
          put("link", "target.txt", { kind: "symlink" }),
          put("dangling", "no/such", { kind: "symlink" }),
        ],
      });
      for (const [path, target] of [
        ["link", "target.txt"],
        ["dangling", "no/such"],
      ] as const) {
        const link = await session.storage.read(path, {});
        assertEqual([link?.kind, link?.byteLength], ["symlink", target.length], `What is at ${path}`);
        assertEqual(await session.textOf(path), target, `The target of ${path}`);
      }
      const listed = [];
      for await (const { path, kind } of session.storage.list({})) listed.push(`${path} ${kind}`);
      assertEqual(listed, ["dangling symlink", "link symlink", "target.txt file"], "The listing");
    },
  },
  {
    name: "A file and a link of the same bytes have different versions, and a put replaces the link and not its target",
    needs: ["symlinks"],
    check: async (session) => {
      await session.write({ putFiles: [put("target", "kept"), put("a", "target", { kind: "symlink" })] });
      const version = await session.versionOf("a");
      await session.write({ putFiles: [put("a", "target")] });
      assertTrue(
        (await session.versionOf("a")) !== version,
        "The version is the same for a link and a file.",
      );
      assertEqual((await session.storage.stat("a", {}))?.kind, "file", "The kind");
      assertEqual(await session.textOf("target"), "kept", "The target of the former link");
    },
  },
];
