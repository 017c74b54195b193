import fc from "fast-check";
import { isHoldfastError, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { runsHere } from "../support/grounds/runs-here.ts";
import { type TestStorage, testStorage } from "../support/grounds/test-storage.ts";

const pieces = fc
  .constantFrom("a", "bc", "\n", "\r\n", "\r", "\ufeff", "\u2028", "é", "😀", "\f", "\u0085")
  .map((text) => new TextEncoder().encode(text));
const oddPieces = fc
  .constantFrom([0xff], [0xe9], [0xf0, 0x9f], [0x00], [0xff, 0xfe], [0xc0, 0x80])
  .map((bytes) => new Uint8Array(bytes));

const file = fc
  .oneof(fc.array(pieces, { maxLength: 12 }), fc.array(fc.oneof(pieces, oddPieces), { maxLength: 12 }))
  .map((parts) => new Uint8Array(parts.flatMap((part) => [...part])));
const anyBytes = fc.oneof(file, fc.uint8Array({ maxLength: 40 }));

async function open(bytes: Uint8Array): Promise<{ storage: TestStorage; workspace: Workspace }> {
  const storage = testStorage({ files: { f: bytes } });
  return { storage, workspace: await Workspace.open(storage) };
}

test.each(["utf-8", "latin1"] as const)(
  "writing what was read as %s changes nothing, for every file",
  async (encoding) => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        const { storage, workspace } = await open(bytes);
        const version = (await storage.read("f", {}))?.version;
        let text: string;
        let revision: string;
        try {
          ({ text, revision } = await workspace.read("f", { encoding }));
        } catch (error) {
          expect(isHoldfastError(error, "BINARY_FILE", "UNSUPPORTED_ENCODING")).toBe(true);
          return;
        }
        const change = { action: "write", path: "f", content: text, revision } as const;
        const result = await workspace.apply(encoding === "latin1" ? { ...change, encoding } : change);
        expect(result.files[0]?.operation).toBe("unchanged");
        expect((await storage.read("f", {}))?.version).toBe(version);
      }),
      { numRuns: runsHere(500) },
    );
  },
);

test("updating with the same text changes nothing, for every file that is text", async () => {
  await fc.assert(
    fc.asyncProperty(anyBytes, async (bytes) => {
      const { storage, workspace } = await open(bytes);
      const updated = await workspace
        .update("f", (current) => current?.text)
        .catch((error: unknown) => {
          expect(isHoldfastError(error, "BINARY_FILE")).toBe(true);
        });
      if (updated !== undefined) expect(updated.alreadyApplied).toBe(true);
      expect((await storage.read("f", {}))?.bytes).toEqual(bytes);
    }),
    { numRuns: runsHere(300) },
  );
});

test("reading and writing bytes is exact, for all bytes", async () => {
  await fc.assert(
    fc.asyncProperty(anyBytes, anyBytes, async (before, after) => {
      const { storage, workspace } = await open(before);
      const read = await workspace.readBytes("f");
      expect(read.bytes).toEqual(before);
      await workspace.write("f", after, { revision: read.revision });
      expect((await storage.read("f", {}))?.bytes).toEqual(after);
    }),
  );
});

test("pages joined are the whole text, for every file and size of page", async () => {
  await fc.assert(
    fc.asyncProperty(file, fc.integer({ min: 1, max: 4 }), async (bytes, maxLines) => {
      const { workspace } = await open(bytes);
      const whole = await workspace.read("f", { encoding: "latin1" }).catch(() => undefined);
      if (whole === undefined) return;
      let text = "";
      let lines = 0;
      for (let startLine: number | undefined = 1; startLine !== undefined; ) {
        const page = await workspace.readLines("f", { encoding: "latin1", startLine, maxLines });
        text += page.text;
        lines += page.endLine - page.startLine + 1;
        startLine = page.nextStartLine;
      }
      expect(text).toBe(whole.text);
      expect(lines).toBe(whole.lineCount);
    }),
    { numRuns: runsHere(300) },
  );
});
