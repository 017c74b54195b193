import * as fs from "node:fs";
import { join } from "node:path";
import { type Change, type HoldfastError, isHoldfastError, Workspace } from "holdfast";
import { describe, expect, test } from "vitest";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import { type CountingFileSystem, countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { leftovers, readTree, writeTree } from "../support/directory-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const before = {
  "a.txt": "old a\n",
  "b/b.txt": "old b\n",
  "gone/last.txt": "gone\n",
  "run.sh": "#!/bin/sh\n",
};
const large = "large\n".repeat(50_000);

type Revisions = Readonly<Record<string, string>>;

/** One commit of each kind, and the tree that it leaves. */
const commits: readonly {
  readonly name: string;
  readonly changes: (revisions: Revisions) => readonly Change[];
  readonly after: Readonly<Record<string, string | undefined>>;
}[] = [
  {
    name: "that creates files",
    changes: () => [
      { action: "create", path: "new.txt", content: "new\n" },
      { action: "create", path: "made/deep/new.txt", content: "new too\n", executable: true },
      { action: "create", path: "large.txt", content: large },
    ],
    after: { "new.txt": "644 new\n", "made/deep/new.txt": "755 new too\n", "large.txt": `644 ${large}` },
  },
  {
    name: "that replaces files",
    changes: () => [
      { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "old", newText: "new" }] },
      { action: "edit", path: "b/b.txt", edits: [{ op: "replace_text", oldText: "old", newText: "new" }] },
    ],
    after: { "a.txt": "644 new a\n", "b/b.txt": "644 new b\n" },
  },
  {
    name: "that deletes files",
    changes: (revisions) => [
      { action: "delete", path: "a.txt", revision: revisions["a.txt"] },
      { action: "delete", path: "gone/last.txt", revision: revisions["gone/last.txt"] },
    ],
    after: { "a.txt": undefined, "gone/last.txt": undefined },
  },
  {
    name: "that moves files",
    changes: (revisions) => [
      { action: "move", path: "run.sh", destination: "bin/go.sh", revision: revisions["run.sh"] },
      {
        action: "move",
        path: "gone/last.txt",
        destination: "kept.txt",
        revision: revisions["gone/last.txt"],
      },
    ],
    after: {
      "run.sh": undefined,
      "bin/go.sh": "644 #!/bin/sh\n",
      "gone/last.txt": undefined,
      "kept.txt": "644 gone\n",
    },
  },
];

/** Runs something right before a call of a file system, once. */
function runBefore(
  inner: CountingFileSystem,
  action: () => void,
): { at(call: number): void; hasRun(): boolean } {
  let due = 0;
  let hasRun = false;
  const { fileSystem } = inner;
  for (const [name, call] of Object.entries(fileSystem)) {
    const wrapped = (...args: unknown[]) => {
      if (due > 0 && inner.calls() + 1 === due && !["close", "anchor"].includes(name)) {
        due = 0;
        hasRun = true;
        action();
      }
      return (call as (...args: unknown[]) => unknown)(...args);
    };
    Object.assign(fileSystem, { [name]: wrapped });
  }
  return {
    at: (call) => {
      due = call;
      hasRun = false;
    },
    hasRun: () => hasRun,
  };
}

type Ending = "refused" | "finished" | "open";

/** Commits while something happens to the state folder before the given call. `undefined` when the commit made fewer calls. */
async function commitWhile(
  call: number,
  { changes, after }: (typeof commits)[number],
  spoil: (stateFolder: string) => void,
): Promise<Ending | undefined> {
  const { path: root, remove } = temporaryFolder("quick");
  try {
    writeTree(root, before);
    const old = readTree(root);
    const fresh = Object.fromEntries(
      Object.entries({ ...old, ...after }).filter(([, text]) => text !== undefined),
    ) as Record<string, string>;
    const counting = countingFileSystem();
    const removal = runBefore(counting, () => spoil(join(root, ".holdfast")));
    const open = (fileSystem = counting.fileSystem) =>
      Workspace.open(new DirectoryAdapter(simulatedHost(fileSystem), { root }), { lockTimeoutMs: 0 });
    const workspace = await open();
    await workspace.update("first.txt", () => "first\n");
    const revisions = Object.fromEntries(
      await Promise.all(
        Object.keys(before).map(async (path) => [path, (await workspace.read(path)).revision] as const),
      ),
    );
    counting.arm({});
    removal.at(call);
    const error = await refusalOrNone(workspace.apply(changes(revisions)));
    const met = removal.hasRun();
    removal.at(0);
    const tree = withoutFirst(root);
    let ending: Ending = "finished";
    if (error === undefined) expect(tree).toEqual(fresh);
    else {
      expectClear(error);
      ending = error.written === "no" ? "refused" : "open";
      if (ending === "refused") expect(tree).toEqual(old);
      else for (const { path } of error.problems) expect(error.message).toContain(`"${path}"`);
    }
    if (met) await goOn(root, workspace, open);
    return met ? ending : undefined;
  } finally {
    remove();
  }
}

function disposable<T extends { remove(): void }>(folder: T): T & Disposable {
  return { ...folder, [Symbol.dispose]: () => folder.remove() };
}

function withoutFirst(root: string): Record<string, string> {
  const { "first.txt": _, ...tree } = readTree(root);
  return tree;
}

async function refusalOrNone(call: Promise<unknown>): Promise<HoldfastError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
}

function expectClear(error: HoldfastError): void {
  expect(error.code).toBe("STORAGE_FAILED");
  expect(error.message).toMatch(/(removed|damaged|gone).*(open (it|this workspace)|Try) again/);
  expect(error.message).not.toContain("holdfast-test");
}

/** What the handle and a new one do afterwards. */
async function goOn(root: string, workspace: Workspace, open: () => Promise<Workspace>): Promise<void> {
  const tree = readTree(root);
  const edit = (on: Workspace) => on.update("first.txt", (file) => `${file?.text}more\n`);
  const error = await refusalOrNone(edit(workspace));
  if (error === undefined) tree["first.txt"] = `${tree["first.txt"]}more\n`;
  else expectClear(error);
  expect(readTree(root)).toEqual(tree);
  expect((await workspace.read("first.txt")).text).toBe(tree["first.txt"]?.slice(4));
  const again = await open();
  await edit(again);
  expect(readTree(root)).toEqual({ ...tree, "first.txt": `${tree["first.txt"]}more\n` });
  // The old handle neither takes the new state folder for its own nor harms it.
  if (error !== undefined) expectClear((await refusalOrNone(edit(workspace))) as HoldfastError);
  await workspace.close();
  await edit(again);
  expect(leftovers(root)).toEqual([]);
  await again.close();
  const last = await open();
  expect((await last.history()[Symbol.asyncIterator]().next()).value).toMatchObject({ paths: ["first.txt"] });
  await last.close();
}

describe("The state folder is removed at any call of a commit", () => {
  test.each(commits)("$name: it is refused whole, or finished from memory", async (commit) => {
    const seen: Record<Ending, number> = { refused: 0, finished: 0, open: 0 };
    for (let call = 1; ; call++) {
      const ending = await commitWhile(call, commit, (state) =>
        fs.rmSync(state, { recursive: true, force: true }),
      ).catch((error: unknown) => {
        throw new Error(`removed before call ${call}`, { cause: error });
      });
      if (ending === undefined) break;
      seen[ending] += 1;
    }
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.finished).toBeGreaterThan(5);
    expect(seen.open).toBe(0);
  });

  test.each(commits)("$name: so it is when it is moved away", async (commit) => {
    using away = disposable(temporaryFolder("quick"));
    const seen: Record<Ending, number> = { refused: 0, finished: 0, open: 0 };
    for (let call = 1; ; call++) {
      const ending = await commitWhile(call, commit, (state) => {
        fs.renameSync(state, join(away.path, String(call)));
      }).catch((error: unknown) => {
        throw new Error(`moved before call ${call}`, { cause: error });
      });
      if (ending === undefined) break;
      seen[ending] += 1;
    }
    expect(seen.refused).toBeGreaterThan(20);
    expect(seen.open).toBe(0);
  });
});
