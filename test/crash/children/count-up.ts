import { openDirectory } from "holdfast/node";
import { isHoldfastError } from "holdfast";

// Adds one to a counter file for each key of its own, in order; every line of output is a key that has its answer. A key begun by a process of
// the same name that was killed is begun again.
const [root = "", worker = "", first = "0", count = "0"] = process.argv.slice(2);

const workspace = await openDirectory(root, { lockTimeoutMs: 60_000 });
for (let index = Number(first); index < Number(count); index++) {
  const idempotencyKey = `${worker}-${index}`;
  for (let answered = false; !answered; ) {
    try {
      await workspace.update("counter.txt", (file) => String(Number(file?.text ?? "0") + 1), { idempotencyKey });
      answered = true;
    } catch (error) {
      // Eight lost races in a row: the same call again.
      if (!isHoldfastError(error, "TARGET_BUSY")) throw error;
    }
  }
  process.stdout.write(`${index}\n`);
}
await workspace.close();
