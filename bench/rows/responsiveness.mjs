import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { watchLoop } from "../loop-watch.mjs";
import { median, settle } from "../pairs.mjs";

const mebibyte = 1024 * 1024;
const fileCount = 1_000;

export const rows = [9];

/** The longest turn of the event loop in a wide commit and in the edit of a huge file, and what the latter takes in memory. */
export async function run({ folder, library, quick }) {
  const { openDirectory } = await library("node");
  const rounds = quick ? 3 : 9;
  // The huge file comes first: later the process would hold memory that its edit could use without growing.
  const huge = await hugeFile(openDirectory, join(folder, "huge"), rounds);
  const wide = await wideCommit(openDirectory, join(folder, "wide"), rounds);
  return [
    block(`a commit of ${fileCount.toLocaleString("en")} files`, wide),
    block("an edit of a 64 MiB file", huge),
    growth(huge),
  ];
}

function block(what, samples) {
  const longest = samples.map((sample) => sample.longest);
  const elapsed = median(samples.map((sample) => sample.elapsed));
  const note = `of ${elapsed.toFixed(0)} ms in all; ${Math.min(...longest).toFixed(1)} to ${Math.max(...longest).toFixed(1)} ms`;
  return {
    row: 9,
    name: `longest event-loop block in ${what}`,
    unit: "ms",
    value: median(longest),
    target: 50,
    rounds: samples.length,
    note,
  };
}

function growth(samples) {
  const most = Math.max(...samples.map(({ grown }) => grown)) / (64 * mebibyte);
  const first = samples[0].grown / (64 * mebibyte);
  const note = `highest of all rounds; in the first: ${first.toFixed(1)}`;
  return {
    row: 9,
    name: "memory growth in that edit, times the file",
    unit: "×",
    value: most,
    target: 6,
    rounds: samples.length,
    note,
  };
}

async function wideCommit(openDirectory, root, rounds) {
  const lines = Array.from({ length: fileCount }, (_, file) => makeLines(file, 100));
  const paths = makeTree(root, fileCount, (file) => joinLines(lines[file]));
  const workspace = await openDirectory(root);
  let revisions = await Promise.all(paths.map(async (path) => (await workspace.read(path)).revision));
  const samples = [];
  for (let round = 0; round < rounds + 2; round++) {
    const edits = paths.map((_, file) => makeEdits(file, round, 1, 90));
    const expected = edits.map((list, file) => editLines(lines[file], list));
    const changes = paths.map((path, file) => ({
      action: "edit",
      path,
      revision: revisions[file],
      edits: edits[file],
    }));
    settle();
    const sample = await watchLoop(async () => {
      revisions = (await workspace.apply(changes)).files.map(({ revision }) => revision);
    });
    assertSame([root], paths, expected);
    if (round >= 2) samples.push(sample);
  }
  await workspace.close();
  return samples;
}

async function hugeFile(openDirectory, root, rounds) {
  mkdirSync(root, { recursive: true });
  const line = (text) => text.padEnd(63, ".");
  writeFileSync(join(root, "huge.txt"), `${line("a line of the huge file")}\n`.repeat(mebibyte));
  const workspace = await openDirectory(root);
  settle();
  const before = process.memoryUsage.rss();
  let { revision } = await workspace.stat("huge.txt", { revision: true });
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const startLine = 500_000 + round;
    settle();
    const sample = await watchLoop(async () => {
      const edit = { op: "replace", startLine, content: line(`round ${round}`) };
      revision = (await workspace.edit("huge.txt", [edit], { revision })).files[0].revision;
    });
    samples.push({ ...sample, grown: sample.peakBytes - before });
  }
  await workspace.close();
  const found = readFileSync(join(root, "huge.txt"));
  const last = found.subarray((500_000 + rounds - 2) * 64, (500_000 + rounds - 1) * 64).toString();
  if (found.length !== 64 * mebibyte || last !== `${line(`round ${rounds - 1}`)}\n`)
    throw new Error("the huge file does not hold the edits");
  return samples;
}
