import * as fs from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { utf8 } from "../../src/base/bytes.ts";
import { hashBytes } from "../../src/base/hashing.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { chainHash, firstPreviousHash } from "../../src/storage/log/chain-hash.ts";
import { PackingHandle } from "../support/packing-handle.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
const shaOf = (text: string) => hashBytes(hashing, "sha256", utf8(text));

interface Change {
  readonly do: "edit" | "write" | "again" | "copy" | "remove";
  readonly path: number;
  readonly by: number;
}
type Step =
  | Change
  | { readonly do: "seal" }
  | { readonly do: "pack" }
  | { readonly do: "reopen" }
  | { readonly do: "prune"; readonly by: number };
const steps = fc.array(
  fc.record({
    handle: fc.nat({ max: 1 }),
    step: fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constantFrom("edit", "edit", "edit", "write", "again", "copy", "remove"),
          path: fc.nat({ max: 2 }),
          by: fc.nat({ max: 50 }),
        }),
      },
      { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("seal", "seal", "pack", "pack", "reopen") }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("prune"), by: fc.nat({ max: 6 }) }) },
    ) as fc.Arbitrary<Step>,
  }),
  { minLength: 5, maxLength: 40 },
);

const linesOf = (seed: number) => Array.from({ length: 60 }, (_, line) => `line ${line} of ${seed}\n`);

/** What the history must hold: for each revision the contents that it found and left. */
class Model {
  readonly files = new Map<string, string>([["file-0", linesOf(999).join("")]]);
  readonly revisions: { readonly texts: readonly string[] }[] = [];
  prunedBefore = 1;
  #made = 0;

  /** What a step writes; `undefined`: nothing. */
  change(step: Change): Record<string, string | null> | undefined {
    const path = `file-${step.path}`;
    const old = this.files.get(path);
    const text = this.#textFor(step, old);
    if (text === undefined || text === old || (text === null && old === undefined)) return undefined;
    this.revisions.push({ texts: [old, text].filter((one) => typeof one === "string") });
    if (text === null) this.files.delete(path);
    else this.files.set(path, text);
    return { [path]: text };
  }

  #textFor(step: Change, old: string | undefined): string | null | undefined {
    this.#made += 1;
    const earlier = this.revisions.flatMap(({ texts }) => texts);
    switch (step.do) {
      case "remove":
        return null;
      case "again":
        return earlier[step.by % Math.max(1, earlier.length)];
      case "copy":
        return this.files.get(`file-${(step.path + 1) % 3}`);
      case "write":
        // Once in a while one that is too large for the log itself.
        return linesOf(this.#made)
          .join("")
          .repeat(step.by === 7 ? 300 : 1);
      default: {
        const lines = (old ?? linesOf(0).join("")).split("\n");
        lines[step.by] = `edit ${this.#made}`;
        return lines.join("\n");
      }
    }
  }
}

async function check(
  handle: PackingHandle,
  { revisions, prunedBefore }: Model,
  label: string,
): Promise<void> {
  const entries = await handle.log();
  expect(
    entries.map(({ sequence }) => sequence),
    label,
  ).toEqual(revisions.map((_, index) => index + 1).filter((sequence) => sequence >= prunedBefore));
  let hash = firstPreviousHash;
  for (let sequence = 1; sequence <= revisions.length; sequence++) {
    const bytes = utf8(`entry ${sequence}`);
    hash = chainHash(hashing, sequence, hash, bytes);
    if (sequence < prunedBefore) continue;
    expect(entries[sequence - prunedBefore], label).toEqual({ sequence, hash, bytes });
    for (const text of revisions[sequence - 1]?.texts ?? [])
      expect(await handle.text(shaOf(text)), `${label}: a content of revision ${sequence}`).toBe(text);
  }
}

/** Opens it beside another that is open, each a living process. */
const openBeside = (root: string) => PackingHandle.open(root, undefined, undefined, "alive");

test("every revision and every content reads back after any order of commits, sealing, packing, pruning and reopening by two handles", async () => {
  let packed = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const folder = temporaryFolder("quick");
      const model = new Model();
      for (const [path, text] of model.files) fs.writeFileSync(join(folder.path, path), text);
      const handles = [await openBeside(folder.path), await openBeside(folder.path)];
      try {
        for (const [index, { handle: which, step }] of list.entries()) {
          const handle = handles[which] as PackingHandle;
          if (step.do === "seal") await handle.seal();
          else if (step.do === "pack") await handle.pack();
          else if (step.do === "prune") {
            const before = Math.max(model.prunedBefore, model.revisions.length + 1 - step.by);
            await handle.prune(before);
            model.prunedBefore = before;
          } else if (step.do === "reopen") {
            await handle.close();
            handles[which] = await openBeside(folder.path);
          } else {
            const wanted = model.change(step);
            if (wanted !== undefined) expect(await handle.commit(wanted)).toMatchObject({ committed: true });
          }
          await check(handles[index % 2] as PackingHandle, model, `step ${index}, ${step.do}`);
        }
        for (const handle of handles) await check(handle, model, "in the end");
        for (const [path, text] of model.files)
          expect(fs.readFileSync(join(folder.path, path), "utf8")).toBe(text);
        packed += fs
          .readdirSync(join(folder.path, ".holdfast/log"))
          .filter((name) => /-\d+\.log$/.test(name)).length;
      } finally {
        for (const handle of handles) await handle.close();
        folder.remove();
      }
    }),
    { numRuns: 60 },
  );
  expect(packed).toBeGreaterThan(10);
}, 240_000);
