import * as fs from "node:fs";
import { join } from "node:path";
import { openDirectory } from "holdfast/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collect } from "../support/refusal.ts";
import { type RunningChild, startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder("quick");
  for (const name of ["a", "b"]) fs.writeFileSync(join(folder.path, name), "0\n");
});
afterEach(() => folder.remove());

/** What a process said that staged and then committed. */
interface Ended {
  readonly outcome: string;
  readonly before: string;
  readonly after: string;
}

/** Starts processes that each stage a line of a file, lets them commit at the same time when all have staged, and waits for what they say. */
async function commitTogether(paths: readonly string[]): Promise<readonly Ended[]> {
  const children = paths.map((path, index) =>
    startChild("commit-transaction", [folder.path, path, `by ${index}`]),
  );
  const said = children.map((child) => ({
    staged: lineOf(child, "staged "),
    ended: lineOf(child, "ended "),
  }));
  await Promise.all(said.map(({ staged }) => staged));
  for (const child of children) child.say("go");
  const ended = await Promise.all(said.map(async (one) => JSON.parse(await one.ended) as Ended));
  for (const child of children) {
    const end = await child.ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
  }
  return ended;
}

/** The rest of the first line that begins so; rejects when the process ends without it. */
async function lineOf(child: RunningChild, start: string): Promise<string> {
  const found = new Promise<string>((resolve) =>
    child.onLine((line) => line.startsWith(start) && resolve(line.slice(start.length))),
  );
  const died = child.ended.then(({ stderr }) => {
    throw new Error(`the process ended without "${start}": ${stderr}`);
  });
  return await Promise.race([found, died]);
}

const read = (name: string) => fs.readFileSync(join(folder.path, name), "utf8");

test("of two processes that commit transactions on one path exactly one wins, and the other is in conflict and hands it back", async () => {
  const ended = await commitTogether(["a", "a"]);
  const winners = ended.flatMap(({ outcome }, index) => (outcome === "committed" ? [index] : []));
  expect(winners).toHaveLength(1);
  const loser = ended.find(({ outcome }) => outcome !== "committed");
  // Both put a line at the same place, so only somebody who looks can say in which order.
  expect(loser).toEqual({ outcome: "TRANSACTION_CONFLICTED", before: "conflicted", after: "conflicted" });
  expect(read("a")).toBe(`0\nby ${winners[0]} 0\n`);
}, 60_000);

test("a loser whose change goes together with the winner's rebases and commits it as well", async () => {
  const lines = Array.from({ length: 9 }, (_, at) => `${at}\n`).join("");
  fs.writeFileSync(join(folder.path, "a"), lines);
  const workspace = await openDirectory(folder.path);
  const transaction = await workspace.beginTransaction();
  await transaction.update("a", (current) => `first\n${current?.text}`);
  const child = startChild("commit-transaction", [folder.path, "a", "last"]);
  const [staged, ended] = [lineOf(child, "staged "), lineOf(child, "ended ")];
  await staged;
  await transaction.commit();
  await workspace.close();
  child.say("go");
  const told = JSON.parse(await ended) as Ended;
  const end = await child.ended;
  expect(end, end.stderr).toMatchObject({ code: 0 });
  expect(told).toEqual({ outcome: "TRANSACTION_CONFLICTED", before: "conflicted", after: "active" });
  expect(read("a")).toBe(`first\n${lines}last 0\n`);
}, 60_000);

test("two processes that commit transactions on different paths both win", async () => {
  const ended = await commitTogether(["a", "b"]);
  expect(ended.map(({ outcome }) => outcome)).toEqual(["committed", "committed"]);
  expect([read("a"), read("b")]).toEqual(["0\nby 0 0\n", "0\nby 1 0\n"]);
}, 60_000);

test("two processes that stage into one transaction lose no step of each other", async () => {
  const workspace = await openDirectory(folder.path);
  const transaction = await workspace.beginTransaction();
  const steps = 8;
  const children = ["left", "right"].map((text) =>
    startChild("commit-transaction", [folder.path, "a", text, transaction.id, String(steps)]),
  );
  const ends = await Promise.all(children.map((child) => child.ended));
  for (const end of ends) expect(end, end.stderr).toMatchObject({ code: 0 });
  const staged = (await transaction.read("a")).text.split("\n").slice(1, -1);
  for (const text of ["left", "right"])
    expect(staged.filter((line) => line.startsWith(text))).toEqual(
      Array.from({ length: steps }, (_, step) => `${text} ${step}`),
    );
  expect((await transaction.info()).revision).toBe(2 * steps);
  expect((await collect(workspace.transactions.list())).length).toBe(1);
  await transaction.commit();
  expect(read("a").split("\n")).toHaveLength(2 + 2 * steps);
  await workspace.close();
}, 120_000);
