import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { type ErrorCode, errorCodes, Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { groundKind } from "../support/grounds/ground-kinds.ts";
import { runsHere } from "../support/grounds/runs-here.ts";
import { sameGround, testStorage } from "../support/grounds/test-storage.ts";
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

/** Two handles on one storage, and a way past both of them. */
interface Ground {
  readonly handles: readonly [Workspace, Workspace];
  writeOutside(path: string, text: string | null): Promise<void>;
  remove(): Promise<void>;
}

async function groundOfRun(): Promise<Ground> {
  const storage = testStorage();
  return {
    handles: [await Workspace.open(storage), await Workspace.open(sameGround(storage))],
    writeOutside: async (path, text) => storage.writeOutside(path, text),
    remove: async () => undefined,
  };
}

async function directoryGround(): Promise<Ground> {
  const root = await mkdtemp(join(tmpdir(), "holdfast-model-"));
  const handles = [await openDirectory(root), await openDirectory(root)] as const;
  return {
    handles,
    writeOutside: async (path, text) => {
      if (text === null) return await rm(join(root, path));
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    remove: async () => {
      for (const handle of handles) await handle.close();
      await rm(root, { recursive: true });
    },
  };
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Takes one step on the ground and in the model; gives the files that must be there, and how many commits were made. */
async function take({ handles, writeOutside }: Ground, files: Model, taken: Step & { readonly key: string }) {
  const { change: wanted, manner, handle, key } = taken;
  const workspace = handles[handle as 0 | 1];
  const prediction = predict(files, wanted);
  if (manner === "outside") {
    if (!("files" in prediction)) return { files, commits: 0 };
    for (const one of files.keys()) if (!prediction.files.has(one)) await writeOutside(one, null);
    for (const [one, text] of prediction.files) if (files.get(one) !== text) await writeOutside(one, text);
    return { files: prediction.files, commits: 0 };
  }
  const now = await workspace.stat(wanted.path, { revision: true });
  const spelled = spellChange(wanted, () => (now?.kind === "file" ? now.revision : undefined));
  const options = { dryRun: manner === "dry", ...(manner === "keyed" && { idempotencyKey: key }) };
  if ("refusals" in prediction) {
    const refusal = await refusalOf(workspace.apply(spelled, options));
    expect(leading(prediction.refusals)).toContain(refusal.code);
    expect(refusal.written).toBe("no");
    return { files, commits: 0 };
  }
  const result = await workspace.apply(spelled, options);
  const changes = JSON.stringify(asRecord(prediction.files)) !== JSON.stringify(asRecord(files));
  expect(result.alreadyApplied).toBe(!changes);
  if (manner === "keyed")
    expect(await handles[handle === 0 ? 1 : 0].apply(spelled, options)).toEqual({
      ...result,
      idempotentReplay: true,
    });
  if (manner === "dry") return { files, commits: 0 };
  return { files: prediction.files, commits: changes || manner === "keyed" ? 1 : 0 };
}

test.each([
  [`in ${groundKind}`, groundOfRun, runsHere(150)],
  ...(groundKind === "memory" ? ([["in a directory", directoryGround, 15]] as const) : []),
] as const)(
  "any sequence of calls through two handles %s does and refuses what a plain map would",
  async (_name, open, numRuns) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const ground = await open();
        try {
          let files: Model = new Map();
          let commits = 0;
          for (const [number, one] of steps.entries()) {
            const taken = await take(ground, files, { ...one, key: `key ${number}` });
            files = taken.files;
            commits += taken.commits;
            expect(await readAll(ground.handles[0])).toEqual(asRecord(files));
          }
          expect(await readAll(ground.handles[1])).toEqual(asRecord(files));
          expect(await collect(ground.handles[1].history())).toHaveLength(commits);
        } finally {
          await ground.remove();
        }
      }),
      { numRuns },
    );
  },
);
