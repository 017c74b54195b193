import { isHoldfastError, Workspace } from "holdfast";
import { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../../src/storage/directory/directory-host.ts";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";
import { countingFileSystem } from "../../support/crashing-host.ts";

// Adds one to a counter file for each key of its own, in order; every line of output is a key that has its answer. A key without an answer is
// begun again by the next process of the same name. With a last argument it kills itself at that flush, which it waits for holding the lock.
const [root = "", worker = "", first = "0", count = "0", killAtFlush] = process.argv.slice(2);

const counting = countingFileSystem(nodeFileSystem, () => process.kill(process.pid, "SIGKILL"));
const storage = new DirectoryAdapter({ ...nodeHost(), fileSystem: counting.fileSystem }, { root });
const workspace = await Workspace.open(storage, { lockTimeoutMs: 60_000 });
if (killAtFlush !== undefined) counting.arm({ crashAt: Number(killAtFlush), only: ["flush"] });
for (let index = Number(first); index < Number(count); index++) {
  const idempotencyKey = `${worker}-${index}`;
  for (let answered = false; !answered; ) {
    try {
      await workspace.update("counter.txt", (file) => String(Number(file?.text ?? "0") + 1), {
        idempotencyKey,
      });
      answered = true;
    } catch (error) {
      // Eight lost races in a row: the same call again.
      if (!isHoldfastError(error, "TARGET_BUSY")) throw error;
    }
  }
  process.stdout.write(`${index}\n`);
}
counting.arm({});
await workspace.close();
