import { execFileSync, spawn } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Workspace } from "holdfast";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DirectoryAdapter } from "../../src/storage/directory/directory-adapter.ts";
import { nodeHost } from "../../src/storage/directory/directory-host.ts";
import { nodeProcessTable } from "../../src/storage/directory/process-table.ts";
import { readTree } from "../support/directory-tree.ts";
import { refusalOf } from "../support/refusal.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testTarget } from "../support/test-target.ts";

const namespace = ["unshare", "--pid", "--fork", "--mount-proc"];

function canUnshare(): boolean {
  try {
    execFileSync(namespace[0] ?? "", [...namespace.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const isPermitted = canUnshare();
const program = fileURLToPath(new URL(`../../temp/children/${testTarget}/hold-lock.mjs`, import.meta.url));

/** A child program whose lines can be waited for, one after the other. */
interface ToldChild {
  next(): Promise<string>;
  kill(): void;
  readonly ended: Promise<void>;
}

function startTold(prefix: readonly string[], args: readonly string[]): ToldChild {
  const [command = "", ...rest] = [...prefix, process.execPath, program, ...args];
  const child = spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let text = "";
  const tell = (line: string) => {
    const listener = waiting.shift();
    if (listener === undefined) lines.push(line);
    else listener(line);
  };
  child.stdout.on("data", (data: Buffer) => {
    const parts = (text + data.toString()).split("\n");
    text = parts.pop() ?? "";
    for (const line of parts) tell(line);
  });
  const ended = new Promise<void>((resolve) =>
    child.on("close", () => {
      tell("ended");
      resolve();
    }),
  );
  return {
    ended,
    kill: () => void child.kill("SIGKILL"),
    next: () => {
      const line = lines.shift();
      return line === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(line);
    },
  };
}

let folder: ReturnType<typeof temporaryFolder>;
let root: string;
let go: string;
const children: ToldChild[] = [];

beforeEach(() => {
  folder = temporaryFolder("quick");
  root = join(folder.path, "root");
  go = join(folder.path, "go");
  fs.mkdirSync(root);
});
afterEach(async () => {
  fs.writeFileSync(go, "");
  for (const child of children.splice(0)) {
    child.kill();
    await child.ended;
  }
  folder.remove();
});

function start(prefix: readonly string[], how: "hold" | "try", lockTimeoutMs = 0): ToldChild {
  const child = startTold(prefix, [root, how, go, String(lockTimeoutMs)]);
  children.push(child);
  return child;
}

function openHere(processes = nodeProcessTable()): { storage: DirectoryAdapter; open(): Promise<Workspace> } {
  const storage = new DirectoryAdapter({ ...nodeHost(), processes, idleMs: undefined }, { root });
  return { storage, open: () => Workspace.open(storage, { lockTimeoutMs: 20 }) };
}

describe("A process that works in another namespace of process ids", () => {
  test.runIf(isPermitted).each([
    ["the holder is in it", namespace, []],
    ["the other one is in it", [], namespace],
    ["each is in one of its own", namespace, namespace],
  ] as const)("is never taken for dead: %s (needs the right to unshare)", async (_name, holders, others) => {
    const holder = start(holders, "hold");
    expect(await holder.next()).toBe("holding");
    const refused = JSON.parse(await start(others, "try", 30).next());
    expect(refused).toMatchObject({
      code: "LOCKED",
      written: "no",
      details: {
        owner: {
          pid: expect.any(Number),
          machine: expect.any(String),
          pidNamespace: expect.stringMatching(/^pid:/),
        },
      },
    });
    expect(refused.details.token).toMatch(/^[0-9a-f]+$/);
    fs.writeFileSync(go, "");
    expect(await holder.next()).toBe("committed");
    await holder.ended;
    expect(await start(others, "try", 10_000).next()).toBe("committed");
    expect(readTree(root)).toEqual({ "hold.txt": "644 hold\n", "try.txt": "644 try\n" });
  });

  test.runIf(isPermitted)(
    "that was killed there is not judged from here, and its lock can be broken (needs the right to unshare)",
    async () => {
      const { storage, open } = openHere();
      const workspace = await open();
      const holder = start(namespace, "hold");
      expect(await holder.next()).toBe("holding");
      const error = await refusalOf(workspace.write("a.txt", "a\n"));
      expect(error).toMatchObject({ code: "LOCKED", written: "no" });
      const { token } = error.details as { token: string };
      expect(await refusalOf(storage.breakLock({ token: `${token}0` }))).toMatchObject({ code: "NOT_FOUND" });
      expect(await refusalOf(workspace.write("a.txt", "a\n"))).toMatchObject({ code: "LOCKED" });
      await storage.breakLock({ token });
      await workspace.write("a.txt", "a\n");
      const tree = readTree(root);
      // The entry was in the log when the lock was broken, so it was finished from here.
      expect(tree).toEqual({ "a.txt": "644 a\n", "hold.txt": "644 hold\n" });
      await workspace.update("hold.txt", () => "changed\n");
      fs.writeFileSync(go, "");
      expect(JSON.parse(await holder.next())).toMatchObject({ written: "unknown" });
      await holder.ended;
      expect(readTree(root)).toEqual({ ...tree, "hold.txt": "644 changed\n" });
      await workspace.update("hold.txt", () => "changed again\n");
      await workspace.close();
      const again = await openHere().open();
      const paths: string[] = [];
      for await (const revision of again.history()) paths.push(...revision.paths);
      expect(paths.sort()).toEqual(["a.txt", "hold.txt", "hold.txt", "hold.txt"]);
      await again.close();
    },
  );
});

describe("A holder that is gone", () => {
  const own = nodeProcessTable();

  async function killHolder(): Promise<void> {
    const holder = start([], "hold");
    expect(await holder.next()).toBe("holding");
    expect(await refusalOf(openHere().open())).toMatchObject({ code: "LOCKED" });
    holder.kill();
    await holder.ended;
  }

  test("in this namespace gives way at once", async () => {
    await killHolder();
    const workspace = await openHere().open();
    await workspace.write("a.txt", "a\n");
    expect(readTree(root)["a.txt"]).toBe("644 a\n");
    await workspace.close();
  });

  test.each([
    [
      "whose process id another process has by now",
      (self: typeof own.self) => ({ ...self, pid: process.pid, start: "1" }),
      "dead",
    ],
    ["of another run of this machine", (self: typeof own.self) => ({ ...self, boot: "another" }), "dead"],
    [
      "of another machine",
      (self: typeof own.self) => ({ ...self, machine: "another", pid: 2 ** 22 + 1 }),
      "unknown",
    ],
    [
      "of another namespace",
      (self: typeof own.self) => ({ ...self, pidNamespace: "pid:[1]", pid: 2 ** 22 + 1 }),
      "unknown",
    ],
  ] as const)("%s is judged by what can be known", async (_name, identify, verdict) => {
    const other = { ...own, self: { ...identify(own.self), realm: "another" }, isGone: () => false };
    const holding = openHere(other as ReturnType<typeof nodeProcessTable>);
    const workspace = await holding.open();
    await workspace.write("a.txt", "a\n");
    leaveHeld(root);
    const opening = openHere();
    if (verdict === "unknown") {
      expect(await refusalOf(opening.open())).toMatchObject({
        code: "LOCKED",
        details: { owner: { realm: "another" } },
      });
    } else {
      const taken = await opening.open();
      await taken.write("b.txt", "b\n");
      await taken.close();
      expect(readTree(root)).toEqual({ "a.txt": "644 a\n", "b.txt": "644 b\n" });
    }
    await workspace.close().catch(() => undefined);
  });
});

/** Makes the newest lock look as it does while its owner is at work. */
function leaveHeld(at: string): void {
  const locks = join(at, ".holdfast/lock");
  const newest = Math.max(
    ...fs
      .readdirSync(locks)
      .filter((name) => /^\d+$/.test(name))
      .map(Number),
  );
  const descriptor = fs.openSync(join(locks, String(newest)), "r+");
  fs.writeSync(descriptor, "H", 0);
  fs.closeSync(descriptor);
}
