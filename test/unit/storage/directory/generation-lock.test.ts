import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { timeSlice } from "../../../../src/base/clock.ts";
import { encodeLockRecord, readLockFile } from "../../../../src/storage/directory/lock-record.ts";
import type { LogPosition } from "../../../../src/storage/directory/log-position.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { fixedClock } from "../../../../src/testing/fixed-clock.ts";
import { countingFileSystem } from "../../../support/crashing-host.ts";
import {
  type HandleOptions,
  type LockFolder,
  lockFolder,
  someProcess,
} from "../../../support/lock-handles.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const hashing = await loadNodeHashing();
const first: LogPosition = { segment: 1, end: 100, flushed: 90, applied: 3 };
const second: LogPosition = { segment: 2, end: 50, flushed: 50, applied: 9 };
const other = { pid: 200, realm: "other realm" } as const;
const noLinks = {
  ...nodeFileSystem,
  link: () => {
    throw Object.assign(new Error("no links here"), { code: "EPERM" });
  },
};

let temporary: ReturnType<typeof temporaryFolder>;
let folder: LockFolder;
beforeEach(() => {
  temporary = temporaryFolder("quick");
  folder = lockFolder(temporary.path);
});
afterEach(() => temporary.remove());

const readRecord = (number: number) =>
  readLockFile(nodeFileSystem, hashing, join(folder.path, String(number)), timeSlice());

/** Tries to take the lock for a second, by a clock that nobody waits for. */
async function tryAcquire(options: HandleOptions) {
  const clock = fixedClock();
  let waiting = true;
  const attempt = folder
    .handle({ ...options, clock })
    .acquire({ timeoutMs: 1000 })
    .finally(() => {
      waiting = false;
    });
  attempt.catch(() => undefined);
  while (waiting) await clock.advance(50);
  return attempt;
}

describe.each([
  ["with links", { links: true, fileSystem: nodeFileSystem }],
  ["where links fail", { links: false, fileSystem: noLinks }],
])("A lock on a file system %s", (_name, disk) => {
  test("is taken at once when nobody has it, and hands on how far the log is", async () => {
    const one = folder.handle(disk);
    const held = await one.acquire({ timeoutMs: 0 });
    expect(held.position).toEqual({ segment: 0, end: 0, flushed: 0, applied: 0 });
    await held.release(first);
    const two = folder.handle({ ...disk, self: other });
    expect(await two.position()).toEqual(first);
    const next = await two.acquire({ timeoutMs: 0 });
    expect(next).toMatchObject({ from: "released", position: first });
    await next.release(second);
    const again = await one.acquire({ timeoutMs: 0 });
    expect(again).toMatchObject({ from: "released", position: second });
    await again.release(second);
  });

  test("is never taken from a living owner: the wait ends with its name and token", async () => {
    await folder.handle(disk).acquire({ timeoutMs: 0 });
    const error = await refusalOf(tryAcquire({ ...disk, self: other }));
    expect(error).toMatchObject({ code: "LOCKED", details: { owner: someProcess } });
    expect((error.details as { token: string }).token).toBe((await readRecord(1))?.record?.token);
    expect(error.message).toContain("process 100 on host");
    expect(folder.numbers()).toEqual([1]);
  });

  test("is taken from a dead owner, at the position where the owner took it", async () => {
    const held = await folder.handle(disk).acquire({ timeoutMs: 0 });
    await held.release(first);
    await folder.handle({ ...disk, self: { pid: 300, realm: "dies" } }).acquire({ timeoutMs: 0 });
    folder.running.delete(300);
    expect(await tryAcquire({ ...disk, self: other })).toMatchObject({ from: "dead", position: first });
  });

  test("is taken from an owner of an earlier run of the machine, though its number runs again", async () => {
    await folder.handle({ ...disk, self: { boot: "earlier" } }).acquire({ timeoutMs: 0 });
    expect(await tryAcquire({ ...disk, self: other })).toMatchObject({ from: "reboot" });
  });

  test("that was released in an earlier run of the machine is told apart", async () => {
    const held = await folder.handle({ ...disk, self: { boot: "earlier" } }).acquire({ timeoutMs: 0 });
    await held.release(first);
    expect(await tryAcquire({ ...disk, self: other })).toMatchObject({ from: "reboot", position: first });
  });

  test.each([
    ["another machine", { machine: "elsewhere/far" }],
    ["another machine that was restarted", { machine: "elsewhere/far", boot: "earlier" }],
    ["another namespace of processes", { pidNamespace: "container" }],
  ])("is never taken from an owner on %s, seen or not", async (_where, where) => {
    await folder.handle({ ...disk, self: { ...where, pid: 300, realm: "far" } }).acquire({ timeoutMs: 0 });
    folder.running.delete(300);
    const error = await refusalOf(tryAcquire({ ...disk, self: other }));
    expect(error).toMatchObject({ code: "LOCKED", details: { owner: where } });
  });

  test("is won by exactly one of several that try at once, and by the next when it is let go", async () => {
    const handles = Array.from({ length: 6 }, (_, index) =>
      folder.handle({ ...disk, self: { pid: 400 + index, realm: `realm ${index}` } }),
    );
    let holders = 0;
    let done = 0;
    await Promise.all(
      handles.map(async (handle) => {
        const held = await handle.acquire({ timeoutMs: 10_000 });
        holders += 1;
        expect(holders).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        done += 1;
        holders -= 1;
        await held.release({ ...first, end: done });
      }),
    );
    expect(await handles[0]?.position()).toEqual({ ...first, end: 6 });
  });

  test("leaves one number behind, whoever had it before", async () => {
    const handles = [folder.handle(disk), folder.handle({ ...disk, self: other })];
    for (let turn = 0; turn < 6; turn++)
      await (await handles[turn % 2]?.acquire({ timeoutMs: 0 }))?.release(first);
    expect(folder.numbers()).toEqual([6]);
    for (const handle of handles) handle.close();
    expect(fs.readdirSync(folder.path)).toEqual(["6"]);
    expect(fs.readdirSync(join(temporary.path, "tmp"))).toEqual([]);
    expect(await readRecord(6)).toMatchObject({ letter: "R", record: { position: first } });
  });
});

test("a lock that its own realm could not release is taken back", async () => {
  const counting = countingFileSystem();
  const one = folder.handle({ fileSystem: counting.fileSystem });
  const held = await one.acquire({ timeoutMs: 0 });
  counting.arm({ failAt: 1, errorNumber: "EIO", sticky: true });
  await held.release(second);
  counting.arm({});
  expect(await readRecord(1)).toMatchObject({ letter: "H" });
  expect((await refusalOf(tryAcquire({ self: other }))).code).toBe("LOCKED");
  expect(await one.acquire({ timeoutMs: 0 })).toMatchObject({ from: "reboot", position: held.position });
});

test("a wait that is cancelled ends with the signal's reason and leaves no number", async () => {
  await folder.handle().acquire({ timeoutMs: 0 });
  const controller = new AbortController();
  const waiting = folder.handle({ self: other }).acquire({ timeoutMs: 60_000, signal: controller.signal });
  controller.abort(new Error("no longer wanted"));
  await expect(waiting).rejects.toThrow("no longer wanted");
  expect(folder.numbers()).toEqual([1]);
});

test("a disk that refuses to publish a number says so, and the lock stays free", async () => {
  const counting = countingFileSystem();
  const one = folder.handle({ fileSystem: counting.fileSystem });
  counting.arm({ only: ["link"], failAt: 1, errorNumber: "EIO" });
  await expect(one.acquire({ timeoutMs: 0 })).rejects.toMatchObject({ code: "EIO" });
  expect(folder.numbers()).toEqual([]);
  expect(await one.acquire({ timeoutMs: 0 })).toMatchObject({ position: { segment: 0 } });
});

describe("Breaking a lock", () => {
  const far = { machine: "elsewhere/far", pid: 300, realm: "far" };

  test("takes it from the owner whose token is given", async () => {
    const held = await folder.handle({ self: other }).acquire({ timeoutMs: 0 });
    await held.release(first);
    await folder.handle({ self: far }).acquire({ timeoutMs: 0 });
    const error = await refusalOf(tryAcquire({}));
    const one = folder.handle();
    const broken = await one.break((error.details as { token: string }).token);
    expect(broken.position).toEqual(first);
    expect((await refusalOf(tryAcquire({ self: other }))).details).toMatchObject({ owner: someProcess });
    await broken.release(second);
    expect(await tryAcquire({ self: other })).toMatchObject({ from: "released", position: second });
  });

  test("of another machine counts as left by a restart, for nobody knows whether its power was cut", async () => {
    await folder.handle({ self: far }).acquire({ timeoutMs: 0 });
    const token = (await readRecord(1))?.record?.token ?? "";
    expect(await folder.handle().break(token)).toMatchObject({ from: "reboot" });
  });

  test("is refused with another token, with that of a released lock, and with none held", async () => {
    expect(await refusalOf(folder.handle().break(""))).toMatchObject({ code: "NOT_FOUND" });
    const held = await folder.handle({ self: far }).acquire({ timeoutMs: 0 });
    const token = (await readRecord(1))?.record?.token ?? "";
    expect(await refusalOf(folder.handle().break(`${token}0`))).toMatchObject({ code: "NOT_FOUND" });
    expect(folder.numbers()).toEqual([1]);
    await held.release(first);
    expect(await refusalOf(folder.handle().break(token))).toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("A lock file that cannot be read", () => {
  const whole = encodeLockRecord(hashing, "H", {
    owner: { ...someProcess, ...other },
    token: "t",
    position: first,
  });
  const damages: Readonly<Record<string, Uint8Array>> = {
    "is empty": new Uint8Array(),
    "is zeros": new Uint8Array(1024),
    "is cut short": whole.slice(0, 200),
  };

  test.each(Object.entries(damages))(
    "since it %s counts as held for ten seconds, then as left behind",
    async (_how, bytes) => {
      const at = join(folder.path, "7");
      fs.writeFileSync(at, bytes);
      const clock = fixedClock();
      const handle = folder.handle({ clock });
      fs.utimesSync(at, new Date(clock.now()), new Date(clock.now() - 9_900));
      expect(await refusalOf(handle.acquire({ timeoutMs: 0 }))).toMatchObject({
        code: "LOCKED",
        details: { owner: {}, token: "" },
      });
      fs.utimesSync(at, new Date(clock.now()), new Date(clock.now() - 10_001));
      expect(await handle.acquire({ timeoutMs: 0 })).toMatchObject({
        from: "reboot",
        position: { segment: 0 },
      });
      expect(folder.numbers()).toEqual([8]);
    },
  );

  test.each(["007", "99999999999999999999999", "0x10", "1e3", "1-1", " 2", "-1"])(
    "since it is named %j is no generation",
    async (name) => {
      fs.writeFileSync(join(folder.path, name), whole);
      expect(await folder.handle().acquire({ timeoutMs: 0 })).toMatchObject({ position: { segment: 0 } });
      expect(folder.numbers()).toContain(1);
    },
  );
});
