import { expect, test } from "vitest";
import { utf8 } from "../../src/base/bytes.ts";
import { hashBytes } from "../../src/base/hashing.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { PackingHandle } from "../support/packing-handle.ts";
import { crashStates } from "../support/simulated-disk/crash-states.ts";
import { diskFileSystem } from "../support/simulated-disk/disk-file-system.ts";
import { initialDisk } from "../support/simulated-disk/plan-run.ts";
import { seededRandom } from "../support/simulated-disk/random.ts";
import type { SimulatedDisk } from "../support/simulated-disk/simulated-disk.ts";

const hashing = await loadNodeHashing();
const shaOf = (text: string) => hashBytes(hashing, "sha256", utf8(text));
const texts = Array.from({ length: 8 }, (_, edit) =>
  Array.from({ length: 20 }, (_line, line) => `line ${line}${line === edit ? " edited" : ""}\n`).join(""),
);

async function expectHistory(handle: PackingHandle, from: readonly number[], label: string): Promise<void> {
  const entries = await handle.log();
  const oldest = entries[0]?.sequence ?? 0;
  expect(from, label).toContain(oldest);
  expect(
    entries.map(({ sequence }) => sequence),
    label,
  ).toEqual(texts.map((_, index) => index + 1).slice(oldest - 1));
  for (const text of texts.slice(oldest - 1)) expect(await handle.text(shaOf(text)), label).toBe(text);
}

async function madeDisk(): Promise<SimulatedDisk> {
  const disk = initialDisk({ name: "packing", initial: new Map(), steps: [] });
  const handle = await PackingHandle.open("/w", diskFileSystem(disk, {}), "boot-1");
  for (const [index, text] of texts.entries()) {
    expect(await handle.commit({ "file.txt": text })).toMatchObject({ committed: true });
    if (index % 2 === 1) await handle.seal();
    if (index === 3) await handle.pack();
  }
  await handle.close();
  return disk;
}

const works = {
  packing: { run: (handle: PackingHandle) => handle.pack(), from: 1 },
  pruning: { run: (handle: PackingHandle) => handle.prune(4), from: 4 },
} as const;

/** Cuts the power at each change of a disk while it is packed or pruned. @returns what was looked at, and what was lost. */
async function cutAtEach(
  work: keyof typeof works,
  skips?: (path: string) => boolean,
): Promise<{ readonly states: number; readonly losses: readonly string[] }> {
  const { run, from } = works[work];
  const made = await madeDisk();
  const disk = made.clone();
  const moments: SimulatedDisk[] = [];
  const handle = await PackingHandle.open(
    "/w",
    diskFileSystem(disk, {
      changed: () => void moments.push(disk.clone()),
      ...(skips === undefined ? {} : { skipsFlush: skips }),
    }),
    "boot-1",
  );
  moments.length = 0;
  await run(handle);
  const random = seededRandom(20_260_101);
  let states = 0;
  const losses: string[] = [];
  for (const [index, moment] of moments.entries()) {
    for (const state of crashStates(moment, { random, exhaustiveUpTo: 4, samples: 12 })) {
      states += 1;
      try {
        const next = await PackingHandle.open("/w", diskFileSystem(state.disk, {}), "boot-2");
        await expectHistory(next, [1, from], "");
        if (states % 5 === 0) {
          await run(next);
          await expectHistory(next, [from], "again");
        }
        await next.close();
      } catch (error) {
        losses.push(`change ${index}, ${state.label}: ${String(error)}`);
      }
    }
  }
  return { states, losses };
}

test.each(["packing", "pruning"] as const)(
  "a power cut at any change that %s makes loses no revision and no content",
  async (work) => {
    const { states, losses } = await cutAtEach(work);
    expect(losses).toEqual([]);
    expect(states).toBeGreaterThan(100);
  },
  120_000,
);

test.each([
  ["the packed file", /\/tmp\/[^/]+$/],
  ["the folder that it gets its name in", /\/log$/],
])(
  "without the flush of %s a power cut loses revisions",
  async (_what, path) => {
    const { losses } = await cutAtEach("packing", (flushed) => path.test(flushed));
    expect(losses.join("\n")).toMatch(/damaged|deeply equal|to include/);
  },
  120_000,
);
