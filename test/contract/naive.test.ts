import { NaiveStorage } from "../support/naive-storage.ts";
import { runContract } from "../support/run-contract.ts";

runContract("A naive storage", async () => {
  const storage = new NaiveStorage();
  return {
    storage,
    reopen: async () => storage,
    writeOutside: async (path, bytes) => storage.writeOutside(path, bytes),
  };
}, ["caseSensitive", "modes", "symlinks", "reopen", "writeOutside", "watch"]);
