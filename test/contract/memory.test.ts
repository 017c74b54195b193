import { MemoryStorage } from "holdfast";
import { yieldingStorage } from "holdfast/testing";
import { runContract } from "../support/run-contract.ts";

type MemoryOptions = ConstructorParameters<typeof MemoryStorage>[0];

function memoryTarget(options?: MemoryOptions) {
  return async () => {
    const storage = new MemoryStorage(options);
    return {
      storage,
      reopen: async () => storage,
      writeOutside: async (path: string, bytes: Uint8Array | null) => storage.writeOutside(path, bytes),
    };
  };
}

const abilities = ["modes", "symlinks", "reopen", "writeOutside", "watch"];

runContract("MemoryStorage", memoryTarget(), [...abilities, "caseSensitive"]);

runContract("MemoryStorage where names fold", memoryTarget({ caseFold: true }), [
  ...abilities,
  "caseInsensitive",
]);

let seed = 0;
runContract("MemoryStorage whose calls yield", async () => {
  const target = await memoryTarget()();
  const yielding = () => yieldingStorage(target.storage, ++seed);
  return { ...target, storage: yielding(), reopen: async () => yielding() };
}, [...abilities, "caseSensitive"]);
