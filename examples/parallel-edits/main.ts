import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";

const root = await mkdtemp(join(tmpdir(), "parallel-edits-"));
const words = ["alpha", "beta", "gamma", "delta"];
const before = words.map((word) => `export const ${word} = 0;\n`).join("");

// What tools do that read a file, change it and write it back: each writes over what the others wrote.
await writeFile(join(root, "naive.ts"), before);
await Promise.all(
  words.map(async (word) => {
    const text = await readFile(join(root, "naive.ts"), "utf8");
    await writeFile(join(root, "naive.ts"), text.replace(`${word} = 0`, `${word} = 1`));
  }),
);
const naive = survivors(await readFile(join(root, "naive.ts"), "utf8"));

// The same four edits at once through a workspace. Two handles stand for two programs on one folder.
await writeFile(join(root, "safe.ts"), before);
const one = await openDirectory(root);
const other = await openDirectory(root);
await Promise.all(
  words.map((word, index) =>
    (index % 2 === 0 ? one : other).edit("safe.ts", {
      op: "replace_text",
      oldText: `${word} = 0`,
      newText: `${word} = 1`,
    }),
  ),
);
const safe = survivors(await readFile(join(root, "safe.ts"), "utf8"));
await Promise.all([one.close(), other.close()]);
await rm(root, { recursive: true });

console.log(`Read, change, write back: ${naive} of 4 edits are there.`);
console.log(`Through a workspace:      ${safe} of 4 edits are there.`);
assert.ok(naive < 4);
assert.equal(safe, 4);

function survivors(text: string): number {
  return words.filter((word) => text.includes(`${word} = 1`)).length;
}
