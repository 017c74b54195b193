import { isHoldfastError, Workspace } from "holdfast";
import { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../../src/storage/directory/directory-host.ts";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";
import { countingFileSystem } from "../../support/crashing-host.ts";

// Adds one to a counter file for each key of its own, in order, while what is committed is sealed and packed all the time; reads the whole log
// beside that. Every line of output is a key that has its answer. With a last argument it kills itself at that call of the file system.
const [root = "", worker = "", first = "0", count = "0", idleMs = "0", killAt] = process.argv.slice(2);

const counting = countingFileSystem(nodeFileSystem, () => process.kill(process.pid, "SIGKILL"));
const host = { ...nodeHost(), idleMs: Number(idleMs), fileSystem: counting.fileSystem };
const storage = new DirectoryAdapter(host, { root });
const workspace = await Workspace.open(storage, { lockTimeoutMs: 60_000 });
if (killAt !== undefined) counting.arm({ crashAt: Number(killAt) });

let isDone = false;
async function readAgainAndAgain(): Promise<void> {
  while (!isDone) {
    let last = 0;
    for await (const { sequence } of storage.readLog({})) {
      if (sequence !== last + 1) throw new Error(`Revision ${sequence} came after ${last}.`);
      last = sequence;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function countUp(): Promise<void> {
  for (let index = Number(first); index < Number(count); ) {
    const idempotencyKey = `${worker}-${index}`;
    try {
      await workspace.update("counter.txt", (file) => String(Number(file?.text ?? "0") + 1), {
        idempotencyKey,
      });
    } catch (error) {
      // Eight lost races in a row: the same call again.
      if (!isHoldfastError(error, "TARGET_BUSY")) throw error;
      continue;
    }
    process.stdout.write(`${index}\n`);
    if ((await workspace.outcome(`${worker}-0`)).known !== true)
      throw new Error("The first key is not known.");
    // Longer than it takes until it counts as idle, every other time.
    if (index % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 12));
    index += 1;
  }
  isDone = true;
}

await Promise.all([readAgainAndAgain(), countUp()]);
counting.arm({});
await workspace.close();
