import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { joinLines } from "../fixtures.mjs";
import { median, settle } from "../pairs.mjs";

export const rows = [10];

/** What a long history costs: time to open with it, and room on the disk. */
export async function run({ folder, library, quick }) {
  const { openDirectory } = await library("node");
  return [
    await opening(openDirectory, join(folder, "many"), quick ? 2_000 : 10_000),
    await room(openDirectory, join(folder, "room")),
  ];
}

async function opening(openDirectory, root, revisions) {
  await build(openDirectory, root, revisions, 10);
  const times = [];
  for (let round = 0; round < 13; round++) {
    await settle();
    const start = performance.now();
    const workspace = await openDirectory(root);
    if (round >= 2) times.push(performance.now() - start);
    if (round === 0) await assertRevisions(workspace, revisions);
    await workspace.close();
  }
  const note = `${Math.min(...times).toFixed(1)} to ${Math.max(...times).toFixed(1)} ms; state on disk: ${mebibytes(join(root, ".holdfast"))} MiB`;
  const name = `opening with ${revisions.toLocaleString("en")} revisions`;
  return { row: 10, name, unit: "ms", value: median(times), target: 50, rounds: times.length, note };
}

async function assertRevisions(workspace, expected) {
  let count = 0;
  for await (const _revision of workspace.history()) count += 1;
  if (count !== expected) throw new Error(`the history tells of ${count} revisions instead of ${expected}`);
}

async function room(openDirectory, root) {
  await build(openDirectory, root, 1_000, 2_048);
  const value = Number(mebibytes(join(root, ".holdfast")));
  return {
    row: 10,
    name: "state after 1,000 one-line edits of a 100 KiB file",
    unit: "MiB",
    value,
    target: 8,
    note: "once sealed: after closing",
  };
}

/** Makes a file of `count` lines of 50 bytes, and one commit for each of `revisions` edits; then closes. */
async function build(openDirectory, root, revisions, count) {
  mkdirSync(root, { recursive: true });
  const lines = Array.from({ length: count }, (_, line) =>
    `line ${line} of the file, as it was `.padEnd(49, "."),
  );
  writeFileSync(join(root, "file.txt"), joinLines(lines));
  const workspace = await openDirectory(root, { durability: "process" });
  let { revision } = await workspace.read("file.txt");
  for (let index = 0; index < revisions; index++) {
    const line = (index * 7) % count;
    lines[line] = `line ${line}, after edit ${index} `.padEnd(49, ".");
    const edit = { op: "replace", startLine: line + 1, content: lines[line] };
    revision = (await workspace.edit("file.txt", [edit], { revision })).files[0].revision;
  }
  await workspace.close();
  if (readFileSync(join(root, "file.txt"), "utf8") !== joinLines(lines))
    throw new Error("the file does not hold the edits");
}

function mebibytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    bytes += lstatSync(join(entry.parentPath ?? entry.path, entry.name)).blocks * 512;
  }
  return (bytes / 1024 / 1024).toFixed(2);
}
