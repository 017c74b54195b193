import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { type HoldfastError, isHoldfastError, type Workspace } from "holdfast";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readTree } from "../support/directory-tree.ts";
import {
  type GrownDirectory,
  growDirectory,
  namesOfState,
  newestLock,
  openQuickly,
} from "../support/grown-state.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let grown: GrownDirectory;
/** What a planted link leads to. */
let outside: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  grown = await growDirectory();
  outside = temporaryFolder("quick");
  fs.writeFileSync(join(outside.path, "file"), "outside\n");
});
afterAll(() => {
  grown[Symbol.dispose]();
  outside.remove();
});

/** What can become of a name in the state folder. */
const damages: Readonly<Record<string, (old: Buffer, at: string) => void>> = {
  "is gone": () => undefined,
  "is empty": (_old, at) => fs.writeFileSync(at, ""),
  "is no file of ours": (_old, at) => fs.writeFileSync(at, noise(3000)),
  "is random from its middle on": (old, at) =>
    fs.writeFileSync(at, Buffer.concat([old.subarray(0, old.length >> 1), noise(old.length)])),
  "is zeros": (old, at) => fs.writeFileSync(at, Buffer.alloc(old.length)),
  "is cut in the middle": (old, at) => fs.writeFileSync(at, old.subarray(0, old.length >> 1)),
  "is cut before its last byte": (old, at) =>
    fs.writeFileSync(
      at,
      old.subarray(
        0,
        old.findLastIndex((byte) => byte !== 0),
      ),
    ),
  "has one byte changed": (old, at) =>
    fs.writeFileSync(
      at,
      old.map((byte, index) => (index === Math.min(200, old.length >> 1) ? byte ^ 255 : byte)),
    ),
  "is a folder": (_old, at) => {
    fs.mkdirSync(at);
    fs.writeFileSync(join(at, "file"), "file\n");
  },
  "is a link to a file": (_old, at) => fs.symlinkSync(join(outside.path, "file"), at),
  "is a link to a folder": (_old, at) => fs.symlinkSync(outside.path, at),
  "is a link to nothing": (_old, at) => fs.symlinkSync("/nowhere/at/all", at),
  "is a pipe": (_old, at) => void execFileSync("mkfifo", [at]),
};

/** What comes to the same for all that is no file. */
const ofContent = new Set([
  "is random from its middle on",
  "is zeros",
  "is cut in the middle",
  "is cut before its last byte",
  "has one byte changed",
]);

function isFile(name: string): boolean {
  return fs.statSync(join(grown.path, ".holdfast", name)).isFile();
}

function noise(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => ((index * 7919 + 13) % 251) + 1));
}

function damage(root: string, name: string, kind: string): void {
  const at = join(root, ".holdfast", name === "lock" || !name.startsWith("lock/") ? name : newestLock(root));
  const old = fs.statSync(at).isFile() ? fs.readFileSync(at) : Buffer.from("some bytes\n");
  fs.rmSync(at, { recursive: true });
  damages[kind]?.(old, at);
}

const codes = ["STORAGE_FAILED", "NOT_SUPPORTED", "LOCKED"];

/** Every refusal has a code of a few, says that nothing was written, what is wrong and what to do, and tells no path of the host. */
function expectClear(error: unknown, where: string): void {
  if (!isHoldfastError(error)) throw new Error(where, { cause: error });
  expect([where, codes.includes(error.code), error.written, error.message.includes("/dev/shm")]).toEqual([
    where,
    true,
    "no",
    false,
  ]);
  expect(error.message, where).toMatch(
    /remove it|open (it|this workspace) again|try again|stateDir|use that version|remove what has its name/,
  );
}

async function attempt<T>(call: () => T | Promise<T>): Promise<T | HoldfastError> {
  try {
    return await call();
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
}

/** Commits, and checks that the file changed if and only if that was said. @returns whether it did. */
async function commit(workspace: Workspace, root: string, where: string): Promise<boolean> {
  const before = readTree(root);
  const text = `${where.replace(/[^ -~]/g, "?")}\n`;
  const result = await attempt(() => workspace.update("a.txt", () => text));
  const refused = isHoldfastError(result);
  if (refused) expectClear(result, where);
  expect(readTree(root), where).toEqual(refused ? before : { ...before, "a.txt": `644 ${text}` });
  return !refused;
}

async function useDamaged(root: string, name: string, kind: string, when: string): Promise<void> {
  const where = `"${name}" ${kind}, ${when}`;
  const damageAt = (moment: string) => moment === when && damage(root, name, kind);
  damageAt("before opening");
  const first = readTree(root);
  const opened = await attempt(() => openQuickly(root));
  if (isHoldfastError(opened)) {
    expectClear(opened, where);
    expect(readTree(root), where).toEqual(first);
  } else {
    damageAt("after opening");
    await commit(opened, root, `${where}, first`);
    damageAt("between two commits");
    await commit(opened, root, `${where}, second`);
    await commit(opened, root, `${where}, third`);
    const reads: (() => Promise<unknown>)[] = [() => opened.info(), () => collectHistory(opened)];
    for (const read of reads) {
      const answer = await attempt(read);
      if (isHoldfastError(answer)) expectClear(answer, where);
    }
    await opened.close();
  }
  await reopen(root, where);
  await startAnew(root, where);
}

async function collectHistory(workspace: Workspace): Promise<number> {
  let count = 0;
  for await (const _ of workspace.history()) count += 1;
  return count;
}

async function reopen(root: string, where: string): Promise<void> {
  const before = readTree(root);
  const again = await attempt(() => openQuickly(root));
  if (isHoldfastError(again)) {
    expectClear(again, where);
    expect(readTree(root), where).toEqual(before);
  } else {
    await commit(again, root, `${where}, reopened`);
    await again.close();
  }
}

/** What the refusals advise in the end. */
async function startAnew(root: string, where: string): Promise<void> {
  fs.rmSync(join(root, ".holdfast"), { recursive: true, force: true });
  const workspace = await openQuickly(root);
  expect(await commit(workspace, root, `${where}, anew`)).toBe(true);
  await workspace.close();
  expect(fs.readFileSync(join(outside.path, "file"), "utf8"), where).toBe("outside\n");
  expect(
    fs.readdirSync(outside.path).filter((name) => name !== "file"),
    where,
  ).toEqual([]);
}

describe("A name in the state folder that", () => {
  for (const kind of Object.keys(damages))
    test(`${kind} is survived or clearly refused, whenever it happens, and no file of the workspace suffers`, async () => {
      const names = ["", ...namesOfState(grown.path)].filter((name) => !ofContent.has(kind) || isFile(name));
      expect(names.length).toBeGreaterThan(7);
      for (const name of names)
        for (const when of ["before opening", "after opening", "between two commits"])
          await grown.copy((root) => useDamaged(root, name, kind, when));
    });
});
