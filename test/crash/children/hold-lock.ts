import * as fs from "node:fs";
import { isHoldfastError, Workspace } from "holdfast";
import { DirectoryAdapter } from "../../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../../src/storage/directory/directory-host.ts";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";

// Waits in the middle of a commit, holding the lock, until a file appears; or tries to commit while another does. Tells what became of it.
const [root = "", how = "hold", go = "", lockTimeoutMs = "0"] = process.argv.slice(2);

const host = nodeHost();
let isHolding = false;
const flush: typeof nodeFileSystem.flush = async (descriptor, what) => {
  if (isHolding && what === "data") {
    isHolding = false;
    process.stdout.write("holding\n");
    while (!fs.existsSync(go)) await new Promise((resolve) => setImmediate(resolve));
  }
  await nodeFileSystem.flush(descriptor, what);
};
const fileSystem = { ...nodeFileSystem, flush };
const storage = new DirectoryAdapter({ ...host, fileSystem, idleMs: undefined }, { root });
try {
  const workspace = await Workspace.open(storage, { lockTimeoutMs: Number(lockTimeoutMs) });
  isHolding = how === "hold";
  await workspace.update(`${how}.txt`, (file) => `${file?.text ?? ""}${how}\n`);
  process.stdout.write("committed\n");
  await workspace.close();
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  process.stdout.write(
    `${JSON.stringify({ code: error.code, written: error.written, details: error.details })}\n`,
  );
}
