import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError } from "holdfast";
import { expect, test } from "vitest";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { countingFileSystem } from "../support/crashing-host.ts";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { openQuickly } from "../support/grown-state.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const before = { "a.txt": "old a\n", "b/b.txt": "old b\n", "c.txt": "old c\n" };

function git(root: string, ...args: readonly string[]): void {
  const { PATH } = process.env;
  const identity = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"];
  execFileSync("git", [...identity, ...args], { cwd: root, stdio: "ignore", env: { PATH, HOME: root } });
}

/** Commits while git cleans before the given call. */
async function commitWhileCleaned(call: number): Promise<"refused" | "finished" | undefined> {
  const { path: root, remove } = temporaryFolder("quick");
  try {
    writeTree(root, before);
    git(root, "init", "-q");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "first");
    let isDue = false;
    let hasRun = false;
    const counting = countingFileSystem(nodeFileSystem);
    const watched = Object.fromEntries(
      Object.entries(counting.fileSystem).map(([name, work]) => [
        name,
        (...args: unknown[]) => {
          if (isDue && counting.calls() + 1 >= call && name !== "close" && name !== "anchor") {
            isDue = false;
            hasRun = true;
            git(root, "clean", "-fdxq");
          }
          return (work as (...args: unknown[]) => unknown)(...args);
        },
      ]),
    );
    const workspace = await openQuickly(root, watched);
    const { revision } = await workspace.read("c.txt");
    counting.arm({});
    isDue = true;
    const error: unknown = await workspace
      .apply([
        { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "old", newText: "new" }] },
        { action: "edit", path: "b/b.txt", edits: [{ op: "replace_text", oldText: "old", newText: "new" }] },
        { action: "delete", path: "c.txt", revision },
      ])
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    isDue = false;
    const { "a.txt": a, "b/b.txt": b, "c.txt": c } = readTree(root);
    if (error === undefined) expect([a, b, c]).toEqual(["644 new a\n", "644 new b\n", undefined]);
    else {
      if (!isHoldfastError(error, "STORAGE_FAILED")) throw error;
      expect([error.written, a, b, c]).toEqual(["no", "644 old a\n", "644 old b\n", "644 old c\n"]);
      expect(error.message).toMatch(/again/);
    }
    await workspace.close();
    const next = await openQuickly(root);
    await next.update("a.txt", (file) => `${file?.text}more\n`);
    expect(readTree(root)["a.txt"]).toBe(`${a}more\n`);
    await next.close();
    // The state folder ignores itself.
    expect(fs.readFileSync(join(root, ".holdfast/.gitignore"), "utf8")).toBe("*\n");
    return hasRun ? (error === undefined ? "finished" : "refused") : undefined;
  } finally {
    remove();
  }
}

test("git clean -fdx at any call of a commit leaves all of it or nothing, says so, and a new handle works", async () => {
  const seen = { refused: 0, finished: 0 };
  for (let call = 1; ; call += 2) {
    const ending = await commitWhileCleaned(call).catch((error: unknown) => {
      throw new Error(`cleaned before call ${call}`, { cause: error });
    });
    if (ending === undefined) break;
    seen[ending] += 1;
  }
  expect(seen.refused).toBeGreaterThan(10);
  expect(seen.finished).toBeGreaterThan(5);
}, 120_000);
