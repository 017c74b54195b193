import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assertSame, editLines, joinLines, makeEdits, makeLines, makeTree } from "../fixtures.mjs";
import { watchLoop } from "../loop-watch.mjs";
import { median, settle } from "../pairs.mjs";

const mebibyte = 1024 * 1024;
const fileCount = 1_000;

export const rows = [9];

/** The longest turn of the event loop in calls that have much to do, and what the edit of a huge file takes in memory. */
export async function run({ folder, library, quick }) {
  const { openDirectory } = await library("node");
  const { MemoryStorage, Workspace } = await library("index");
  const rounds = quick ? 3 : 9;
  const listed = quick ? 20_000 : 100_000;
  const revisions = quick ? 2_000 : 10_000;
  // The huge file comes first: later the process would hold memory that its edit could use without growing.
  const huge = await hugeFile(openDirectory, join(folder, "huge"), rounds);
  const wide = await wideCommit(openDirectory, join(folder, "wide"), rounds);
  const inMemory = await wideCommitInMemory(() => Workspace.open(new MemoryStorage()), rounds);
  const replaced = await replaceEverywhere(openDirectory, join(folder, "hits"), Math.min(rounds, 3));
  const tree = await wideTree(openDirectory, join(folder, "tree"), listed, Math.min(rounds, 3));
  const opened = await longHistory(openDirectory, join(folder, "history"), revisions, rounds);
  const many = (count) => count.toLocaleString("en");
  return [
    block(`a commit of ${many(fileCount)} files`, wide),
    block(`a commit of ${many(fileCount)} files in memory`, inMemory),
    block("an edit of a 64 MiB file", huge),
    growth(huge),
    block("a replaceAll with 2,000,000 hits", replaced),
    block(`listing ${many(listed)} files`, tree.listing),
    block(`searching ${many(listed)} files`, tree.searching),
    block(`opening ${many(revisions)} revisions`, opened),
  ];
}

function block(what, samples) {
  const longest = samples.map((sample) => sample.longest);
  const worked = Math.max(...samples.map((sample) => sample.longestWork));
  const elapsed = median(samples.map((sample) => sample.elapsed));
  const note = `of ${elapsed.toFixed(0)} ms in all; ${Math.min(...longest).toFixed(1)} to ${Math.max(...longest).toFixed(1)} ms; at most ${worked.toFixed(1)} ms of processor time`;
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
    await settle();
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
  await settle();
  const before = process.memoryUsage.rss();
  let { revision } = await workspace.stat("huge.txt", { revision: true });
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const startLine = 500_000 + round;
    await settle();
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

async function wideCommitInMemory(open, rounds) {
  const workspace = await open();
  const paths = Array.from({ length: fileCount }, (_, file) => `d${file % 50}/f${file}.txt`);
  const lines = paths.map((_, file) => makeLines(file, 100));
  const creates = paths.map((path, file) => ({ action: "create", path, content: joinLines(lines[file]) }));
  let revisions = (await workspace.apply(creates)).files.map(({ revision }) => revision);
  const samples = [];
  for (let round = 0; round < rounds + 2; round++) {
    const edits = paths.map((_, file) => makeEdits(file, round, 1, 90));
    const changes = paths.map((path, file) => ({
      action: "edit",
      path,
      revision: revisions[file],
      edits: edits[file],
    }));
    await settle();
    const sample = await watchLoop(async () => {
      revisions = (await workspace.apply(changes)).files.map(({ revision }) => revision);
    });
    const { text } = await workspace.read(paths[7]);
    if (text !== editLines(lines[7], edits[7]).toString())
      throw new Error("a file in memory does not hold its edits");
    if (round >= 2) samples.push(sample);
  }
  await workspace.close();
  return samples;
}

async function replaceEverywhere(openDirectory, root, rounds) {
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "hits.txt"), "one hit and another hit\n".repeat(1_000_000));
  const workspace = await openDirectory(root);
  const samples = [];
  let [oldText, newText] = ["hit", "HIT"];
  for (let round = 0; round < rounds; round++) {
    await settle();
    const edit = { op: "replace_text", oldText, newText, replaceAll: true };
    samples.push(await watchLoop(() => workspace.edit("hits.txt", edit)));
    [oldText, newText] = [newText, oldText];
  }
  await workspace.close();
  const line = `one ${oldText} and another ${oldText}\n`;
  if (readFileSync(join(root, "hits.txt"), "utf8") !== line.repeat(1_000_000))
    throw new Error("the file does not hold the replacements");
  return samples;
}

async function wideTree(openDirectory, root, count, rounds) {
  makeTree(root, count, (file) => `file ${file}\n`);
  const workspace = await openDirectory(root);
  const counted = async (iterable, expected) => {
    let found = 0;
    for await (const { kind } of iterable) if (kind !== "directory") found += 1;
    if (found !== expected) throw new Error(`${found} were found, not ${expected}`);
  };
  const listing = [];
  const searching = [];
  for (let round = 0; round < rounds; round++) {
    await settle();
    listing.push(await watchLoop(() => counted(workspace.list(), count)));
    await settle();
    searching.push(await watchLoop(() => counted(workspace.search(`file ${count - 1}`), 1)));
  }
  await workspace.close();
  return { listing, searching };
}

async function longHistory(openDirectory, root, count, rounds) {
  mkdirSync(root, { recursive: true });
  const options = { durability: "process" };
  const writer = await openDirectory(root, options);
  for (let revision = 0; revision < count; revision++)
    await writer.update("file.txt", () => `revision ${revision}\n`, { idempotencyKey: `key ${revision}` });
  await writer.close();
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    await settle();
    let workspace;
    samples.push(
      await watchLoop(async () => {
        workspace = await openDirectory(root, options);
      }),
    );
    if ((await workspace.info()).workspaceRevision.split(".")[0] === "r0")
      throw new Error("the history is empty");
    await workspace.close();
  }
  return samples;
}
