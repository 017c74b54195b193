import fc from "fast-check";
import { type Change, MemoryStorage, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { applyHunks, bytesOfText } from "../support/diffs/apply-hunks.ts";
import { contextLines, textPair } from "../support/diffs/text-pairs.ts";

const path = "dir/a file.txt";

/** Gives the diff of new bytes in the place of old ones, as a call tells it. */
async function diffOf(before: Uint8Array | undefined, after: Uint8Array | null, context: number) {
  const storage = new MemoryStorage({ files: before === undefined ? {} : { [path]: before } });
  await using workspace = await Workspace.open(storage, { mode: "inspectionOnly" });
  const revision = (await workspace.stat(path, { revision: true }))?.revision;
  const change: Change =
    after === null
      ? { action: "delete", path, revision }
      : { action: "write", path, content: after, revision };
  const { diff } = await workspace.apply(change, { includeDiff: { contextLines: context }, dryRun: true });
  const [file] = diff?.files ?? [];
  if (diff === undefined || file === undefined) throw new Error("a diff of one file was asked for");
  return { diff, file };
}

describe("the hunks of a diff turn the old bytes into the new ones", () => {
  test("whatever the texts are", async () => {
    await fc.assert(
      fc.asyncProperty(textPair, contextLines, async ([before, after], context) => {
        const { diff, file } = await diffOf(before, after, context);
        expect(applyHunks(before, file)).toEqual(after);
        const lines = file.hunks.flatMap((hunk) => hunk.lines);
        expect(diff.additions).toBe(lines.filter((line) => line.startsWith("+")).length);
        expect(diff.removals).toBe(lines.filter((line) => line.startsWith("-")).length);
        // The unified text is its header, the places and the same lines.
        const [, ...places] = file.unified.split(/^@@ .* @@\n/m);
        expect(places.join("")).toBe(lines.map((line) => `${line}\n`).join(""));
        expect(new Set(file.hunks.map(({ id }) => id)).size).toBe(file.hunks.length);
      }),
    );
  });

  test("whatever the bytes are, unless they are binary", async () => {
    const bytes = fc.uint8Array({ maxLength: 60 });
    const few = fc
      .array(fc.constantFrom(10, 13, 10, 65, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, 0xff), { maxLength: 20 })
      .map((list) => Uint8Array.from(list));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(bytes, few),
        fc.oneof(bytes, few),
        contextLines,
        async (before, after, context) => {
          fc.pre(!Buffer.from(before).equals(after));
          const { file } = await diffOf(before, after, context);
          const isBinary = (side: Uint8Array) =>
            side.includes(0) || ["fffe", "feff"].includes(Buffer.from(side.subarray(0, 2)).toString("hex"));
          expect(file.binary).toBe(isBinary(before) || isBinary(after));
          if (!file.binary) expect(applyHunks(before, file)).toEqual(Buffer.from(after));
        },
      ),
    );
  });
});

describe("all combinations of ends and marks", () => {
  const ends = [
    "",
    "a",
    "a\n",
    "a\r\n",
    "\n",
    "\r\n",
    "\r",
    "a\nb",
    "a\nb\n",
    "a\r\nb\r\n",
    "\u00e9",
    "\u00e9\n",
    "\u00c3\u00a9\n",
  ];
  const all = ends
    .flatMap((end) => [end, `\u00ef\u00bb\u00bf${end}`])
    .map((text) => Buffer.from(text, "latin1"));

  test("go from each to each, and come and go", async () => {
    expect(all).toHaveLength(26);
    const files = Object.fromEntries(all.map((bytes, index) => [`f${index}`, bytes]));
    await using workspace = await Workspace.open(new MemoryStorage({ files }));
    const revisions = await Promise.all(all.map((_, index) => workspace.readBytes(`f${index}`)));
    const diffs = async (changeOf: (index: number) => Change) => {
      const changes = all.map((_, index) => changeOf(index));
      const { diff } = await workspace.apply(changes, { includeDiff: true, dryRun: true });
      return new Map(diff?.files.map((file) => [file.path, file]));
    };
    for (const after of all) {
      const made = await diffs((index) => {
        const { path: at, revision } = revisions[index] as { path: string; revision: string };
        return { action: "write", path: at, content: after, revision };
      });
      for (const [index, before] of all.entries()) {
        const file = made.get(`f${index}`);
        if (before.equals(after)) expect(file).toBeUndefined();
        else expect(file && applyHunks(before, file)).toEqual(after);
      }
    }
    const come = await diffs((index) => ({
      action: "create",
      path: `g${index}`,
      content: all[index] as Buffer,
    }));
    const go = await diffs((index) => ({
      action: "delete",
      path: `f${index}`,
      revision: revisions[index]?.revision,
    }));
    for (const [index, bytes] of all.entries()) {
      const [made, gone] = [come.get(`g${index}`), go.get(`f${index}`)];
      expect(made && applyHunks(new Uint8Array(0), made)).toEqual(bytes);
      expect(gone && applyHunks(bytes, gone)).toEqual(Buffer.alloc(0));
      expect(gone && bytesOfText(gone.unified, gone).toString("latin1")).toContain(
        "deleted file mode 100644\n",
      );
    }
  });
});
