import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Change } from "holdfast";
import { expect, test } from "vitest";
import { leftovers } from "../support/directory-tree.ts";
import type { refusalOf } from "../support/refusal.ts";
import { newFolder, testCase } from "./case-workspace.ts";

testCase(
  "#1 a whole-file write composed from an old copy is refused and says to read again",
  { "a.txt": "one\ntwo\n" },
  async (on) => {
    const { revision, text } = await on.workspace.read("a.txt");
    on.outside("a.txt", "one\nby hand\n");
    const error = await on.refuses("REVISION_MISMATCH", () =>
      on.workspace.write("a.txt", text.replace("two", "2"), { revision }),
    );
    expect(await on.raw("a.txt")).toBe("one\nby hand\n");
    expect(error.details).toMatchObject({ path: "a.txt", expectedRevision: revision, changedBy: "outside" });
    expect(error.retry).toBe("refresh");
    expect(error.continuation).toMatchObject({ kind: "callTool", tool: "read" });
    expect(allOf(error)).not.toContain(await on.revision("a.txt"));
  },
);

testCase(
  "#2 an edit by line is refused when the file changed elsewhere since it was read",
  { "a.txt": "1\n2\n3\n4\n5\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    on.outside("a.txt", "1\n2\n3\n4\nfive\n");
    await on.refuses("REVISION_MISMATCH", () =>
      on.workspace.edit("a.txt", { op: "replace", startLine: 1, content: "one" }, { revision }),
    );
    await on.refuses("REVISION_MISMATCH", () =>
      on.workspace.edit("a.txt", { op: "replace_text", oldText: "1", newText: "one" }, { revision }),
    );
  },
);

testCase(
  "#4 a change that was undone by hand does not come back with the next edit",
  { "a.txt": "2\n3\n" },
  async (on) => {
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "2", newText: "4" });
    on.outside("a.txt", "2\n3\n");
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "3", newText: "1" });
    expect(await on.raw("a.txt")).toBe("2\n1\n");
  },
);

testCase(
  "#5 a write needs a revision where a file exists and none where there is none",
  { "a.txt": "old\n" },
  async (on) => {
    await on.refuses("REVISION_REQUIRED", () => on.workspace.write("a.txt", "new\n"));
    await on.workspace.write("b.txt", "new\n");
    expect(await on.files()).toEqual({ "a.txt": "old\n", "b.txt": "new\n" });
  },
);

const guarded: readonly { readonly does: string; readonly change: (revision: string) => Change }[] = [
  { does: "write", change: (revision) => ({ action: "write", path: "a.txt", content: "mine\n", revision }) },
  {
    does: "edit by line",
    change: (revision) => ({
      action: "edit",
      path: "a.txt",
      revision,
      edits: [{ op: "append", content: "mine" }],
    }),
  },
  {
    does: "edit by text",
    change: (revision) => ({
      action: "edit",
      path: "a.txt",
      revision,
      edits: [{ op: "replace_text", oldText: "e", newText: "mine" }],
    }),
  },
  { does: "delete", change: (revision) => ({ action: "delete", path: "a.txt", revision }) },
  { does: "move", change: (revision) => ({ action: "move", path: "a.txt", destination: "b.txt", revision }) },
  { does: "copy", change: (revision) => ({ action: "copy", path: "a.txt", destination: "b.txt", revision }) },
  {
    does: "move onto",
    change: (destinationRevision) => ({
      action: "move",
      path: "other.txt",
      revision: destinationRevision,
      destination: "a.txt",
      destinationRevision,
    }),
  },
  { does: "chmod", change: (revision) => ({ action: "chmod", path: "a.txt", revision, executable: true }) },
  { does: "assert", change: (revision) => ({ action: "assert", path: "a.txt", revision }) },
];

for (const { does, change } of guarded)
  testCase(
    `#8 ${does} checks the revision like every other change`,
    { "a.txt": "base\n", "other.txt": "base\n" },
    async (on) => {
      const other = await on.another();
      const revision = await on.revision("a.txt");
      await other.edit("a.txt", { op: "replace_text", oldText: "base", newText: "theirs" });
      await on.refuses("REVISION_MISMATCH", () => on.workspace.apply(change(revision)));
    },
  );

for (const action of ["moveTree", "deleteTree"] as const)
  testCase(
    `#8 ${action} checks the digest of its folder`,
    { "d/a.txt": "base\n", "d/e/b.txt": "base\n" },
    async (on) => {
      const other = await on.another();
      const revision = (await on.workspace.stat("d", { revision: true }))?.revision ?? "";
      await other.edit("d/e/b.txt", { op: "replace_text", oldText: "base", newText: "theirs" });
      const change: Change =
        action === "moveTree"
          ? { action, path: "d", destination: "n", revision }
          : { action, path: "d", revision };
      await on.refuses("REVISION_MISMATCH", () => on.workspace.apply(change));
    },
  );

testCase(
  "#10 of two writers from one base one is refused, and a refusal is never just a warning",
  { "a.txt": "base\n" },
  async (on) => {
    const other = await on.another();
    const revision = await on.revision("a.txt");
    const settled = await Promise.allSettled([
      on.workspace.write("a.txt", "mine\n", { revision }),
      other.write("a.txt", "theirs\n", { revision }),
    ]);
    const written = settled.flatMap((result, index) =>
      result.status === "fulfilled" ? [["mine\n", "theirs\n"][index]] : [],
    );
    expect(written).toHaveLength(1);
    expect(await on.raw("a.txt")).toBe(written[0]);
    const [refused] = settled.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    expect(refused).toMatchObject({ code: "REVISION_MISMATCH", written: "no" });
  },
);

testCase(
  "#13 a CRLF file that nobody touched is never taken for changed",
  { "a.txt": "a\r\nb\r\nc\r\n" },
  async (on) => {
    for (const read of ["read", "readLines", "readBytes"] as const) {
      const { revision } = await on.workspace[read]("a.txt");
      const line = `${read}\nsecond`;
      const result = await on.workspace.edit(
        "a.txt",
        { op: "replace", startLine: 2, endLine: read === "read" ? 2 : 3, content: line },
        { revision },
      );
      expect(result.files[0]?.operation).toBe("modified");
    }
    expect(await on.raw("a.txt")).toBe("a\r\nreadBytes\r\nsecond\r\nc\r\n");
  },
);

testCase(
  "#14 an edit from two versions ago is stale, not text that is missing",
  { "a.txt": "one\ntwo\n" },
  async (on) => {
    const revision = await on.revision("a.txt");
    const theirs = { sessionId: "s2" };
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "one", newText: "ONE" }, theirs);
    await on.workspace.edit("a.txt", { op: "replace_text", oldText: "two", newText: "TWO" }, theirs);
    const stale = (sessionId: string) =>
      on.refuses("REVISION_MISMATCH", () =>
        on.workspace.edit(
          "a.txt",
          { op: "replace_text", oldText: "one", newText: "1" },
          { revision, sessionId },
        ),
      );
    expect((await stale("s1")).details).toMatchObject({ changedBy: "otherSession" });
    const own = await stale("s2");
    expect(own.details).toMatchObject({ changedBy: "thisSession", expectedRevision: revision });
    expect(allOf(own)).not.toContain(await on.revision("a.txt"));
  },
);

test("#16 threads of one process that write one file lose nothing and leave no temporary file", async () => {
  const root = newFolder();
  try {
    const threads = 3;
    const rounds = 8;
    writeFileSync(join(root, "counter.txt"), "0\n");
    const child = fileURLToPath(new URL("../../temp/children/src/count-in-thread.mjs", import.meta.url));
    const ends = Array.from({ length: threads }, () => runThread(child, { root, rounds }));
    await Promise.all(ends);
    expect(readFileSync(join(root, "counter.txt"), "utf8")).toBe(`${threads * rounds}\n`);
    expect(leftovers(root)).toEqual([]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

testCase(
  "#17 files whose names differ in the extension alone are written side by side",
  { "board.pcb": "pcb 0\n", "board.sch": "sch 0\n" },
  async (on) => {
    const other = await on.another();
    for (let round = 1; round <= 5; round++) {
      await Promise.all([
        on.workspace.edit("board.pcb", { op: "replace_text", oldText: `${round - 1}`, newText: `${round}` }),
        other.edit("board.sch", { op: "replace_text", oldText: `${round - 1}`, newText: `${round}` }),
      ]);
    }
    expect(await on.files()).toEqual({ "board.pcb": "pcb 5\n", "board.sch": "sch 5\n" });
  },
);

testCase(
  "#19 a batch that failed in part can be sent again without inserting twice",
  { "a.txt": "a\n", "b.txt": "b\n" },
  async (on) => {
    const insert: Change = {
      action: "edit",
      path: "a.txt",
      edits: [{ op: "replace_text", oldText: "a", newText: "a\ninserted" }],
    };
    const change = (path: string): Change => ({
      action: "edit",
      path,
      edits: [{ op: "replace_text", oldText: "later", newText: "b" }],
    });
    const idempotencyKey = "call-1";
    const call = () => on.workspace.apply([insert, change("b.txt")], { idempotencyKey });
    await on.refuses("TEXT_NOT_FOUND", call);
    on.outside("b.txt", "later\n");
    expect(await call()).toMatchObject({ idempotentReplay: false });
    expect(await call()).toMatchObject({ idempotentReplay: true });
    expect(await on.files()).toEqual({ "a.txt": "a\ninserted\n", "b.txt": "b\n" });
  },
);

function allOf(error: Awaited<ReturnType<typeof refusalOf>>): string {
  const { message, details, problems, continuation } = error;
  return JSON.stringify({ message, details, problems, continuation });
}

function runThread(
  file: string,
  workerData: { readonly root: string; readonly rounds: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file, { workerData });
    worker.on("error", reject);
    worker.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`The thread ended with ${code}.`)),
    );
  });
}
