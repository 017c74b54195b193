// Makes one call through each door in a folder, and prints how many operations of the file system each took.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { doorNames } from "./doors.ts";

let operations = 0;

// Every function that reaches the file system is counted, whoever calls it.
for (const face of [fs, fs.promises] as unknown as Record<string, unknown>[]) {
  for (const [name, method] of Object.entries(face)) {
    if (typeof method !== "function" || /^[A-Z_]/.test(name)) continue;
    const counted = (...given: unknown[]) => {
      operations += 1;
      return Reflect.apply(method, face, given);
    };
    face[name] = Object.assign(counted, method);
  }
}
syncBuiltinESMExports();

const { openDirectory } = await import("holdfast/node");
const { replaceThrough } = await import("./doors.ts");
const workspace = await openDirectory(process.argv[2] ?? "");
const counts: Record<string, number> = {};
for (const door of doorNames) {
  // The first call fills what a handle keeps; the second is what every later one costs.
  await replaceThrough(door, workspace, [
    { path: "folder-0/file-0.txt", oldText: "value", newText: `${door} value` },
  ]);
  const before = operations;
  await replaceThrough(door, workspace, [
    { path: "folder-0/file-0.txt", oldText: `${door} value`, newText: "value" },
  ]);
  counts[door] = operations - before;
}
await workspace.close();
process.stdout.write(JSON.stringify(counts));
