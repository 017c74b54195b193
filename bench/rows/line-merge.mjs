import { spawnSync } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { internals } from "../internals.mjs";
import { amounts, makeTexts, shapes } from "../line-merge-texts.mjs";
import { pairs } from "../pairs.mjs";

export const rows = [11];

const targets = { 1000: 1, 10000: 1, 50000: 1, 200000: 1.5 };

/** Three texts as bytes to the merged bytes, against `git merge-file` on the same bytes in files; its process start is part of its time. */
export async function run({ folder, quick, only }) {
  const library = await internals(folder, {
    "text/text-document.ts": ["openDocument"],
    "text/merge-text.ts": ["mergedBytes", "mergeText"],
    "text/render-conflict.ts": ["renderMerge"],
  });
  const start = await timeOfStart(folder, quick);
  console.error(`  git merge-file of three empty files: ${start.toFixed(1)} ms`);
  const results = [];
  for (const [size, target] of Object.entries(targets)) {
    const cells = [];
    for (const shape of Object.keys(shapes))
      for (const amount of amounts)
        cells.push(
          await measureCell({ library, folder, shape, amount, count: Number(size), quick, only, start }),
        );
    results.push(summarize(cells, Number(size), target));
  }
  return results;
}

async function timeOfStart(folder, quick) {
  const empty = { base: Buffer.alloc(0), current: Buffer.alloc(0), incoming: Buffer.alloc(0) };
  const git = gitMerge(folder, empty);
  const { peer } = await pairs({
    rounds: quick ? 5 : 15,
    only: "peer",
    ours: async () => () => {},
    peer: async () => git.merge,
  });
  return peer.median;
}

async function measureCell({ library, folder, shape, amount, count, quick, only, start }) {
  const texts = makeTexts(shape, amount, count);
  const git = gitMerge(folder, texts);
  let ours;
  // Other programs make a piece longer in some rounds, never shorter.
  let longest = Number.POSITIVE_INFINITY;
  const result = await pairs({
    rounds: quick ? 3 : 9,
    only,
    ours: async () => () => {
      ours = mergeOurs(library, texts);
      longest = Math.min(longest, ours.longest);
    },
    peer: async () => git.merge,
    verify: () => checkResults(shape, texts, ours, git.result()),
  });
  const verdicts =
    only === undefined ? `ours ${verdictOf(texts, ours)}, git ${verdictOf(texts, git.result())}` : "";
  const bare =
    result.ratio === undefined ? undefined : result.ours.median / Math.max(0.1, result.peer.median - start);
  const times = `${result.ours.median?.toFixed(1)} / ${result.peer.median?.toFixed(1)} ms`;
  console.error(
    `  ${count} ${shape}, ${amount}: ${times}, ${result.ratio?.toFixed(2)}, without the start of git ${bare?.toFixed(2)}, longest piece ${longest.toFixed(1)} ms; ${verdicts}`,
  );
  return { shape, amount, bare, longest, verdicts, ...result };
}

function mergeOurs({ openDocument, mergeText, mergedBytes, renderMerge }, texts) {
  let longest = 0;
  const run = (steps) => {
    for (;;) {
      const start = performance.now();
      const step = steps.next();
      longest = Math.max(longest, performance.now() - start);
      if (step.done) return step.value;
    }
  };
  const documents = {};
  for (const side of ["base", "current", "incoming"]) documents[side] = run(openDocument(texts[side]));
  const merge = run(mergeText(documents.base, documents.current, documents.incoming));
  const bytes = run(merge.conflicts === 0 ? mergedBytes(merge, documents) : renderMerge(merge, documents));
  return { conflicts: merge.conflicts, bytes, longest };
}

function gitMerge(folder, texts) {
  const paths = Object.fromEntries(
    ["base", "current", "incoming", "merged"].map((side) => [side, join(folder, side)]),
  );
  for (const side of ["base", "current", "incoming"]) writeFileSync(paths[side], texts[side]);
  let status = 0;
  const merge = () => {
    const output = openSync(paths.merged, "w");
    const run = spawnSync("git", ["merge-file", "-q", "-p", paths.current, paths.base, paths.incoming], {
      cwd: folder,
      stdio: ["ignore", output, "inherit"],
      env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
    });
    closeSync(output);
    if (run.error !== undefined) throw run.error;
    status = run.status;
  };
  // The status is the number of conflicts, up to 127.
  return { merge, result: () => ({ conflicts: status, bytes: readFileSync(paths.merged) }) };
}

/** Unique lines have one right merge; where lines repeat the answers are told, not judged. */
function checkResults(shape, texts, ours, git) {
  if (shape !== "unique") return;
  for (const { conflicts, bytes } of [ours, git])
    if (conflicts !== 0 || !texts.truth.equals(bytes))
      throw new Error("A merge is not what both sides wrote.");
}

function verdictOf(texts, { conflicts, bytes }) {
  if (conflicts > 0) return `${conflicts} conflicts`;
  return texts.truth.equals(bytes) ? "right" : "clean, but another text";
}

function summarize(cells, count, target) {
  const name = `worst of ${cells.length} merges of ${count.toLocaleString("en")} lines / git merge-file`;
  const worst = cells.reduce((most, cell) => ((cell.ratio ?? 0) > (most.ratio ?? 0) ? cell : most));
  const missed = cells
    .filter(({ ratio }) => ratio > target)
    .map(({ shape, amount, ratio }) => `${shape}, ${amount} ${ratio.toFixed(2)}`);
  const { shape, amount, bare: _bare, longest: _longest, verdicts: _verdicts, ...figures } = worst;
  const longest = Math.max(...cells.map((cell) => cell.longest));
  const note = `worst: ${shape}, ${amount}; longest piece ${longest.toFixed(1)} ms${missed.length > 0 ? `; above the target: ${missed.join("; ")}` : ""}`;
  return { row: 11, name, target, note, cells, ...figures };
}
