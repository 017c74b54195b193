import fc from "fast-check";
import { MemoryStorage, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { unifiedDiff } from "../support/patch/unified-diff.ts";

/** Few different lines, so that most stand in a text more than once. */
const line = fc.constantFrom(
  "a",
  "b",
  "  a",
  "",
  "-- x",
  "++ y",
  "@@ -1 +1 @@",
  "“q”",
  "long enough to tell",
);
const end = fc.constantFrom("\n", "\n", "\r\n");
const text = fc
  .record({
    mark: fc.constantFrom("", "", "", "\ufeff"),
    lines: fc.array(fc.tuple(line, end), { maxLength: 24 }),
    isOpen: fc.boolean(),
  })
  .map(({ mark, lines, isOpen }) => {
    const whole = lines.map(([content, terminator]) => content + terminator).join("");
    return mark + (isOpen ? whole.replace(/\r?\n$/, "") : whole);
  })
  // What would be no first line of its own is no text of lines.
  .filter((whole) => whole !== "\ufeff");

/** A text and another that shares much with it. */
const pair = fc.tuple(text, text, fc.array(fc.nat(23), { maxLength: 6 })).map(([before, other, kept]) => {
  const old = before.split(/(?<=\n)/);
  const now = other.split(/(?<=\n)/);
  const after = old.map((own, at) => (kept.includes(at) ? (now[at] ?? "") : own)).join("");
  return { before, after };
});

test("a diff of two texts makes the one of the other, whatever lines, line ends and marks they have", async () => {
  await fc.assert(
    fc.asyncProperty(pair, fc.integer({ min: 1, max: 3 }), async ({ before, after }, context) => {
      const patch = unifiedDiff("f", before, after, context);
      fc.pre(patch !== "");
      const storage = new MemoryStorage({ files: { f: before } });
      await using workspace = await Workspace.open(storage);
      await workspace.applyPatch(patch);
      const { bytes } = await workspace.readBytes("f");
      expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).toBe(after);
    }),
    { numRuns: 300 },
  );
});

test("a diff that is applied where it fits no more writes nothing, or lines of its own", async () => {
  await fc.assert(
    fc.asyncProperty(pair, text, async ({ before, after }, other) => {
      const patch = unifiedDiff("f", before, after, 3);
      fc.pre(patch !== "");
      await using workspace = await Workspace.open(new MemoryStorage({ files: { f: other } }));
      const added = new Set(
        patch.split("\n").flatMap((one) => (one.startsWith("+") ? [one.slice(1).trim()] : [])),
      );
      const result = await workspace.applyPatch(patch).catch(() => undefined);
      const now = new TextDecoder().decode((await workspace.readBytes("f")).bytes);
      if (result === undefined) {
        expect(now).toBe(new TextDecoder().decode(new TextEncoder().encode(other)));
        return;
      }
      const old = new Set(other.split("\n").map((one) => one.replace("\ufeff", "").trim()));
      const lines = now === "" ? [] : now.replace(/\n$/, "").split("\n");
      for (const one of lines) expect(old.has(one.trim()) || added.has(one.trim())).toBe(true);
    }),
    { numRuns: 300 },
  );
});
