import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { doorNames, replaceThrough } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

const words = ["alpha", "beta", "gamma", "delta"];
const before = words.map((word) => `const ${word} = 0;\n`).join("");
const done = (text: string) => words.filter((word) => text.includes(`${word} = 1`)).length;
const replacement = (word: string) => ({ path: "a.ts", oldText: `${word} = 0`, newText: `${word} = 1` });

/** P1: writers that meet, and a reader whose file moved on. */
export async function* noLostUpdate(): AsyncIterable<Row> {
  yield await withFolder({ "a.ts": before }, readChangeWriteBack);
  for (const door of doorNames) {
    yield await withFolder({ "a.ts": before }, async (root) => {
      await using workspace = await openDirectory(root);
      return door === "write" ? await fourWrites(workspace) : await fourEdits(door, workspace);
    });
  }
  for (const door of doorNames) {
    yield await withFolder({ "a.ts": before }, async (root) => {
      await using workspace = await openDirectory(root);
      return door === "update" ? await overtaken(root, workspace) : await stale(door, root, workspace);
    });
  }
}

async function readChangeWriteBack(root: string): Promise<Row> {
  const file = join(root, "a.ts");
  await Promise.all(
    words.map(async (word) => {
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace(`${word} = 0`, `${word} = 1`));
    }),
  );
  const lost = 4 - done(await readFile(file, "utf8"));
  return {
    door: "(by hand)",
    tried: "4 edits of 4 lines at once: read, change, write",
    found: `${lost} of 4 lost`,
  };
}

async function fourEdits(
  door: Exclude<(typeof doorNames)[number], "write">,
  workspace: Workspace,
): Promise<Row> {
  await Promise.all(words.map((word) => replaceThrough(door, workspace, [replacement(word)])));
  const survived = done((await workspace.read("a.ts")).text);
  return {
    door,
    tried: "4 edits of 4 lines of one file at once",
    found: `${survived} of 4 survive`,
    holds: survived === 4,
  };
}

/** Whole files cannot be joined: one writer wins, and the others are told. */
async function fourWrites(workspace: Workspace): Promise<Row> {
  const { revision } = await workspace.read("a.ts");
  const answers = await Promise.all(
    words.map((word) => replaceThrough("write", workspace, [{ ...replacement(word), revision }])),
  );
  const taken = answers.filter(({ ok }) => ok).length;
  const told = answers.filter((answer) => !answer.ok && answer.code === "REVISION_MISMATCH").length;
  const survived = done((await workspace.read("a.ts")).text);
  return {
    door: "write",
    tried: "4 writes of one reading at once",
    found: `${taken} written and there, ${told} told of it`,
    holds: taken === 1 && told === 3 && survived === 1,
  };
}

async function stale(door: (typeof doorNames)[number], root: string, workspace: Workspace): Promise<Row> {
  const { revision } = await workspace.read("a.ts");
  await writeFile(join(root, "a.ts"), `${before}// by another program\n`);
  const answer = await replaceThrough(door, workspace, [{ ...replacement("alpha"), revision }]);
  const kept = (await readFile(join(root, "a.ts"), "utf8")) === `${before}// by another program\n`;
  const next = answer.ok ? "" : answer.next.split(".")[0];
  return {
    door,
    tried: "a stale revision after another program wrote",
    found: answer.ok ? "written over" : `${answer.code}; next: ${next}`,
    holds: !answer.ok && answer.code === "REVISION_MISMATCH" && next !== "" && kept,
  };
}

async function overtaken(root: string, workspace: Workspace): Promise<Row> {
  let calls = 0;
  await workspace.update("a.ts", async (current) => {
    calls += 1;
    if (calls === 1) await writeFile(join(root, "a.ts"), `${before}// by another program\n`);
    return current?.text.replace("alpha = 0", "alpha = 1");
  });
  const text = await readFile(join(root, "a.ts"), "utf8");
  const both = text.includes("alpha = 1") && text.endsWith("// by another program\n");
  return {
    door: "update",
    tried: "another program writes during the function",
    found: `called ${calls} times, ${both ? "both are there" : "one is lost"}`,
    holds: both && calls === 2,
  };
}
