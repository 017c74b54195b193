import fc from "fast-check";
import { type HoldfastError, isHoldfastError, MemoryStorage, Workspace } from "holdfast";
import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/base/steps.ts";
import { mergedBytes, mergeText } from "../../src/text/merge-text.ts";
import { editedText, lineText, openBytes } from "../support/merging/text-arbitraries.ts";

const triple = lineText.chain((base) =>
  fc.tuple(editedText(base), editedText(base)).map(([current, incoming]) => ({
    base: base.join(""),
    current: current.join(""),
    incoming: incoming.join(""),
  })),
);

/** The three-way merge of texts; `undefined` where they do not go together. */
function mergeTexts(base: string, current: string, incoming: string): string | undefined {
  const [first, second, third] = [base, current, incoming].map((text) =>
    openBytes(new TextEncoder().encode(text)),
  ) as [ReturnType<typeof openBytes>, ReturnType<typeof openBytes>, ReturnType<typeof openBytes>];
  const texts = { base: first, current: second, incoming: third };
  const merge = runSteps(mergeText(first, second, third));
  return merge.conflicts > 0 ? undefined : new TextDecoder().decode(runSteps(mergedBytes(merge, texts)));
}

/** What a stale write of a file that somebody else wrote meanwhile comes to. */
async function rebaseWrite(
  base: string,
  current: string,
  incoming: string,
  onStale: "reject" | "rebase" = "rebase",
) {
  const storage = new MemoryStorage({ files: { a: base } });
  await using workspace = await Workspace.open(storage);
  const { revision } = await workspace.read("a");
  storage.writeOutside("a", current);
  let refusal: HoldfastError | undefined;
  const result = await workspace
    .write("a", new TextEncoder().encode(incoming), { revision, onStale, includeDiff: true })
    .catch((error: unknown) => {
      if (!isHoldfastError(error)) throw error;
      refusal = error;
      return undefined;
    });
  return { result, refusal, text: storage.toJSON()["a"] ?? "" };
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

describe("a change that was planned against an older state and rebased", () => {
  it("leaves what merging the three texts gives, or is a conflict where they do not go together", async () => {
    await fc.assert(
      fc.asyncProperty(triple, async ({ base, current, incoming }) => {
        const { result, refusal, text } = await rebaseWrite(base, current, incoming);
        const expected =
          incoming === base || current === base ? undefined : mergeTexts(base, current, incoming);
        if (base === current) expect(text).toBe(incoming);
        else if (base === incoming) expect(text).toBe(current);
        else if (expected !== undefined) expect(text).toBe(expected);
        if (refusal === undefined) {
          expect(result?.files[0]?.rebased ?? base === current).toBe(true);
          return;
        }
        expect(refusal.code).toBe("MERGE_CONFLICT");
        expect(expected).toBeUndefined();
        expect(text).toBe(current);
      }),
      { numRuns: 300 },
    );
  });

  it("is the plain call when nothing happened meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(triple, async ({ base, incoming }) => {
        const plain = await rebaseWrite(base, base, incoming, "reject");
        const rebased = await rebaseWrite(base, base, incoming);
        expect(rebased.text).toBe(plain.text);
        expect(rebased.result?.files).toEqual(plain.result?.files);
        expect(rebased.result?.diff).toEqual(plain.result?.diff);
      }),
      { numRuns: 100 },
    );
  });

  it("loses no line that either side added: each is in the result, or in the conflict", async () => {
    await fc.assert(
      fc.asyncProperty(triple, async ({ base, current, incoming }) => {
        const { refusal, text } = await rebaseWrite(base, current, incoming);
        const there = countLines(base);
        const result = countLines(text);
        const conflicts =
          refusal !== undefined && isHoldfastError(refusal, "MERGE_CONFLICT")
            ? refusal.details.conflicts
            : [];
        const told = conflicts.map(({ current: now, incoming: wanted }) => [now?.text, wanted?.text]);
        if (refusal !== undefined) {
          expect(told).toEqual([[current, incoming]]);
          return;
        }
        for (const side of [current, incoming])
          for (const [line, count] of countLines(side))
            if (count > (there.get(line) ?? 0)) expect(result.has(line)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("tells the lines of the outcome in terms of the file of now", async () => {
    await fc.assert(
      fc.asyncProperty(triple, async ({ base, current, incoming }) => {
        const { result, text } = await rebaseWrite(base, current, incoming);
        const file = result?.files[0];
        if (file === undefined || file.operation === "unchanged") return;
        const [old, now] = [current, text].map((some) => some.split(/(?<=\n)/));
        let [at, expected] = [0, [] as string[]];
        for (const { startLine, added, removed } of file.changedRanges) {
          // Lines before a range stay; where the range begins tells how many.
          const stays = startLine - 1 - expected.length;
          expected = [
            ...expected,
            ...(old ?? []).slice(at, at + stays),
            ...(now ?? []).slice(startLine - 1, startLine - 1 + added),
          ];
          at += stays + removed;
        }
        expect([...expected, ...(old ?? []).slice(at)].join("")).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});
