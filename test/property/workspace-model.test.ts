import fc from "fast-check";
import { type ErrorCode, errorCodes, MemoryStorage, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { collect, refusalOf } from "../support/refusal.ts";
import { type Model, type ModelChange, predict, spellChange } from "../support/workspace-model.ts";

const path = fc.constantFrom("a", "b", "d", "d/x", "d/y", "d/e/f");
const content = fc.constantFrom("", "x", "x\n", "x\ny\n", "y\nx\nz", "xx\n");
const guard = fc.constantFrom("none", "current", "stale");

const change: fc.Arbitrary<ModelChange> = fc.oneof(
  fc.record({ kind: fc.constant("create"), path, content }),
  fc.record({ kind: fc.constant("write"), path, content, guard }),
  fc.record({
    kind: fc.constant("text"),
    path,
    oldText: fc.constantFrom("x", "y", "xx", "x\ny"),
    newText: fc.constantFrom("", "q", "x\nx"),
    guard,
  }),
  fc.record({
    kind: fc.constant("line"),
    path,
    line: fc.integer({ min: 0, max: 4 }),
    content: fc.constantFrom("q", "x"),
    guard,
  }),
  fc.record({ kind: fc.constant("delete"), path, guard }),
  fc
    .record({ kind: fc.constantFrom("move", "copy"), path, destination: path, guard })
    .filter(({ path: from, destination }) => from !== destination),
  fc.record({ kind: fc.constant("absent"), path }),
);

const step = fc.record({
  change,
  manner: fc.constantFrom("plain", "dry", "keyed", "outside"),
  handle: fc.constantFrom(0, 1),
});

const ranks: readonly string[] = ["security", "permission", "validation", "notFound", "conflict", "limit"];

/** The codes that an error with these problems may have: those of the first category among them. */
function leading(codes: readonly ErrorCode[]): readonly ErrorCode[] {
  const rankOf = (code: ErrorCode) => ranks.indexOf(errorCodes[code].category);
  const first = Math.min(...codes.map(rankOf));
  return codes.filter((code) => rankOf(code) === first);
}

const asRecord = (files: Model) => Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));

async function readAll(workspace: Workspace): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for await (const { path: listed, kind } of workspace.list())
    if (kind === "file") texts[listed] = (await workspace.read(listed)).text;
  return texts;
}

test("any sequence of calls through two handles does and refuses what a plain map would", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const storage = new MemoryStorage();
      const handles = [await Workspace.open(storage), await Workspace.open(storage)] as const;
      let files: Model = new Map();
      let commits = 0;
      for (const [number, { change: wanted, manner, handle }] of steps.entries()) {
        const workspace = handles[handle];
        const prediction = predict(files, wanted);
        if (manner === "outside") {
          if (!("files" in prediction)) continue;
          for (const one of files.keys()) if (!prediction.files.has(one)) storage.writeOutside(one, null);
          for (const [one, text] of prediction.files)
            if (files.get(one) !== text) storage.writeOutside(one, text);
          files = prediction.files;
          continue;
        }
        const now = await workspace.stat(wanted.path, { revision: true });
        const spelled = spellChange(wanted, () => (now?.kind === "file" ? now.revision : undefined));
        const options = {
          dryRun: manner === "dry",
          ...(manner === "keyed" && { idempotencyKey: `key ${number}` }),
        };
        if ("refusals" in prediction) {
          const refusal = await refusalOf(workspace.apply(spelled, options));
          expect(leading(prediction.refusals)).toContain(refusal.code);
          expect(refusal.written).toBe("no");
        } else {
          const result = await workspace.apply(spelled, options);
          const changes = JSON.stringify(asRecord(prediction.files)) !== JSON.stringify(asRecord(files));
          expect(result.alreadyApplied).toBe(!changes);
          if (manner === "keyed")
            expect(await handles[1 - handle]?.apply(spelled, options)).toEqual({
              ...result,
              idempotentReplay: true,
            });
          if (manner !== "dry") {
            files = prediction.files;
            if (changes || manner === "keyed") commits += 1;
          }
        }
        expect(storage.toJSON()).toEqual(asRecord(files));
      }
      expect(await readAll(handles[0])).toEqual(asRecord(files));
      expect(await collect(handles[1].history())).toHaveLength(commits);
    }),
    { numRuns: 150 },
  );
});
