import { workerData } from "node:worker_threads";
import { openDirectory } from "holdfast/node";

const { root, rounds } = workerData as { readonly root: string; readonly rounds: number };
const workspace = await openDirectory(root);
for (let round = 0; round < rounds; round++)
  await workspace.update("counter.txt", (file) => `${Number(file?.text) + 1}\n`, { attempts: 100 });
await workspace.close();
