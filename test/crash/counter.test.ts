import { openDirectory } from "holdfast/node";
import { expect, test } from "vitest";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const workers = 4;
const keysEach = 250;

/** How the processes of a worker end before the last: killed from outside after so many answers, or by themselves at a flush under the lock. */
type Kill = { readonly afterAnswers: number } | { readonly atFlush: number };

/** Runs one worker to its end; after each kill a new process begins at the key without an answer. @returns kills that left the lock held. */
async function runWorker(root: string, name: string, kills: readonly Kill[]): Promise<number> {
  const plan: (Kill | undefined)[] = [...kills, undefined];
  let next = 0;
  let leftLocked = 0;
  for (const kill of plan) {
    const atFlush = kill !== undefined && "atFlush" in kill ? [String(kill.atFlush)] : [];
    const child = startChild("count-up", [root, name, String(next), String(keysEach), ...atFlush]);
    let answers = 0;
    child.onLine((line) => {
      next = Number(line) + 1;
      answers += 1;
      if (kill !== undefined && "afterAnswers" in kill && answers >= kill.afterAnswers) child.kill();
    });
    const end = await child.ended;
    if (kill === undefined) expect(end, end.stderr).toMatchObject({ code: 0 });
    else expect(end, end.stderr).toMatchObject({ signal: "SIGKILL" });
    if (kill !== undefined && "atFlush" in kill) leftLocked += 1;
  }
  return leftLocked;
}

test("a counter that four processes count up, some killed while they hold the lock, ends at the number of keys", async () => {
  const folder = temporaryFolder("quick");
  try {
    const kills = (worker: number): readonly Kill[] =>
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? { atFlush: 3 + ((index * 5 + worker * 3) % 17) }
          : { afterAnswers: 5 + ((index * 7 + worker * 2) % 13) },
      );
    const leftLocked = await Promise.all(
      Array.from({ length: workers }, (_, worker) =>
        runWorker(folder.path, `worker-${worker}`, kills(worker)),
      ),
    );
    expect(leftLocked).toEqual(Array.from({ length: workers }, () => 6));
    const workspace = await openDirectory(folder.path);
    expect((await workspace.read("counter.txt")).text).toBe(String(workers * keysEach));
    for (let worker = 0; worker < workers; worker++)
      expect(await workspace.outcome(`worker-${worker}-0`)).toMatchObject({ known: true });
    await workspace.close();
  } finally {
    folder.remove();
  }
}, 240_000);
