import * as fs from "node:fs";
import { join } from "node:path";
import { systemClock, timeSlice } from "../../../src/base/clock.ts";
import { GenerationLock } from "../../../src/storage/directory/generation-lock.ts";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../src/storage/directory/node-hashing.ts";
import { usualDisk } from "../../../src/storage/directory/probe-disk.ts";
import { nodeProcessTable } from "../../../src/storage/directory/process-table.ts";

// Adds lines to a file by looking for its end and writing there, which loses lines unless only one process does so at a time.
const [folder = "", name = "", count = "0", links = "links"] = process.argv.slice(2);

const processes = nodeProcessTable();
let made = 0;
const lock = new GenerationLock({
  fileSystem: nodeFileSystem,
  processes,
  hashing: await loadNodeHashing(),
  clock: systemClock,
  state: { path: folder, device: 0n, ...usualDisk, links: links === "links" },
  nextName: () => `${name}.${++made}`,
  pause: timeSlice(),
});

const file = fs.openSync(join(folder, "lines"), "r+");
for (let index = 0; index < Number(count); index++) {
  const held = await lock.acquire({ timeoutMs: 60_000 });
  const { size } = fs.fstatSync(file);
  if (held.position.end !== size)
    throw new Error(`the lock tells of ${held.position.end} bytes, and there are ${size}`);
  const line = `${name} ${index}\n`;
  await new Promise((resolve) => setImmediate(resolve));
  fs.writeSync(file, line, size);
  await held.release({ segment: 1, end: size + line.length, flushed: 0, applied: 0 });
}
lock.close();
