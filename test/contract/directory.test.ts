import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DirectoryStorage } from "holdfast/node";
import { runContract } from "../support/run-contract.ts";

const abilities = ["modes", "symlinks", "reopen", "persistent", "writeOutside", "watch", "caseSensitive"];

function directoryTarget(durability: "power" | "process") {
  return async () => {
    const root = await mkdtemp(join(tmpdir(), "holdfast-contract-"));
    return {
      storage: new DirectoryStorage({ root, durability }),
      reopen: async () => new DirectoryStorage({ root, durability }),
      writeOutside: async (path: string, bytes: Uint8Array | null) => {
        const at = join(root, path);
        if (bytes === null) return rm(at);
        await mkdir(dirname(at), { recursive: true });
        await writeFile(at, bytes);
      },
      dispose: () => rm(root, { recursive: true, force: true }),
    };
  };
}

runContract("DirectoryStorage", directoryTarget("power"), abilities);
runContract("DirectoryStorage that is safe against a kill only", directoryTarget("process"), abilities);
