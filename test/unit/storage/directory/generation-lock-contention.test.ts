import * as fs from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Clock } from "../../../../src/base/clock.ts";
import { nextMacrotask } from "../../../../src/base/clock.ts";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { seededRandom } from "../../../../src/testing/seeded-random.ts";
import { type LockFolder, lockFolder } from "../../../support/lock-handles.ts";
import { startChild } from "../../../support/run-child.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe.each(["links", "no links"])("Four processes on a file system with %s", (links) => {
  test("lose no line of a file that each writes at its end, and tell each other how long it is", async () => {
    const folder = temporaryFolder("quick");
    try {
      lockFolder(folder.path);
      fs.writeFileSync(join(folder.path, "lines"), "");
      const names = ["a", "b", "c", "d"];
      const children = names.map((name) =>
        startChild("append-under-lock", [folder.path, name, "200", links]),
      );
      for (const end of await Promise.all(children.map(({ ended }) => ended)))
        expect(end, end.stderr).toMatchObject({ code: 0 });
      const lines = fs.readFileSync(join(folder.path, "lines"), "utf8").split("\n").slice(0, -1);
      const expected = names.flatMap((name) => Array.from({ length: 200 }, (_, index) => `${name} ${index}`));
      expect(lines.sort()).toEqual(expected.sort());
    } finally {
      folder.remove();
    }
  }, 120_000);
});

/** Lets one of those who wait go on at a time, chosen by a seed. */
function scheduler(seed: number) {
  const random = seededRandom(seed);
  const below = (bound: number) => Math.floor(random() * bound);
  const waiting: (() => void)[] = [];
  return {
    below,
    turn: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    run: async (isDone: () => boolean) => {
      while (!isDone()) {
        await nextMacrotask();
        waiting.splice(below(waiting.length), 1)[0]?.();
      }
    },
  };
}

/** What all contenders together have seen. */
interface Model {
  holder: string | undefined;
  /** Longest position of which the release has ended. */
  released: number;
  /** Longest position that anybody began to release. */
  begun: number;
  takenFromDead: number;
}

/** One process: takes the lock some times and may end at any of its turns. */
async function contend(
  folder: LockFolder,
  { below, turn }: ReturnType<typeof scheduler>,
  model: Model,
  name: { readonly pid: number; readonly links: boolean; readonly dies: boolean },
): Promise<void> {
  const { pid, links } = name;
  const realm = `realm ${pid}`;
  let turnsLeft = name.dies ? below(40) : Number.POSITIVE_INFINITY;
  // A process that has ended waits for ever.
  const step = async () => {
    turnsLeft -= 1;
    if (turnsLeft < 0) throw new Error("ended");
    await turn();
  };
  const clock: Clock = { now: () => 0, sleep: step };
  const fileSystem: FileSystem = {
    ...nodeFileSystem,
    create: async (path, mode) => {
      await step();
      return fs.openSync(path, "wx+", mode);
    },
  };
  const lock = folder.handle({ self: { pid, realm }, clock, fileSystem, links, pause: step });
  try {
    for (let round = 0; round < 5; round++) {
      const held = await lock.acquire({ timeoutMs: 1 });
      expect(model.holder).toBeUndefined();
      model.holder = realm;
      if (held.from === "dead") model.takenFromDead += 1;
      expect(held.position.end).toBeGreaterThanOrEqual(model.released);
      expect(held.position.end).toBeLessThanOrEqual(model.begun);
      for (let work = below(4); work > 0; work--) await step();
      const end = held.position.end + 1;
      model.holder = undefined;
      model.begun = end;
      await held.release({ segment: 1, end, flushed: 0, applied: 0 });
      if (turnsLeft < 0) break;
      model.released = end;
    }
  } catch (error) {
    if (turnsLeft >= 0) throw error;
    if (model.holder === realm) model.holder = undefined;
  }
  folder.running.delete(pid);
}

describe.each([
  ["with links", true],
  ["without links", false],
])("Processes whose steps come in any order, some of which end, on a file system %s", (_name, links) => {
  test("never hold the lock together, and pass on what the last one released", async () => {
    let takenFromDead = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const temporary = temporaryFolder("quick");
      try {
        const folder = lockFolder(temporary.path);
        const turns = scheduler(seed);
        const model: Model = { holder: undefined, released: 0, begun: 0, takenFromDead: 0 };
        let left = 4;
        const contenders = [1, 2, 3, 4].map((pid) =>
          contend(folder, turns, model, { pid, links, dies: links && pid < 3 && seed % 3 !== 0 }).finally(
            () => {
              left -= 1;
            },
          ),
        );
        const settled = Promise.allSettled(contenders);
        await turns.run(() => left === 0);
        for (const result of await settled)
          if (result.status === "rejected") throw new Error(`seed ${seed}`, { cause: result.reason });
        expect(model.released, `seed ${seed}`).toBeGreaterThanOrEqual(10);
        takenFromDead += model.takenFromDead;
      } finally {
        temporary.remove();
      }
    }
    // Where links fail, a number whose owner ended while writing it is waited for by the clock, which stands still here.
    if (links) expect(takenFromDead).toBeGreaterThan(20);
  }, 60_000);
});
