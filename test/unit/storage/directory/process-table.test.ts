import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { nodeProcessTable, type ProcessIdentity } from "../../../../src/storage/directory/process-table.ts";

const onLinux = process.platform === "linux";
const table = nodeProcessTable();

/** Runs a program that waits for ever and tells its own identity first. */
async function startWaiting(): Promise<{ readonly child: ChildProcess; readonly identity: ProcessIdentity }> {
  const child = spawn(process.execPath, ["-e", 'process.stdout.write("up"); setInterval(() => {}, 1000)'], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  const start = onLinux
    ? (execFileSync("cat", [`/proc/${child.pid}/stat`], { encoding: "utf8" })
        .split(") ")[1]
        ?.split(" ")[19] ?? "")
    : "";
  return { child, identity: { ...table.self, pid: child.pid ?? -1, start } };
}

test("this process knows itself, is alive, and is the same for every table", () => {
  expect(table.self.pid).toBe(process.pid);
  expect(table.self.machine).toContain("/");
  expect(table.self.realm).not.toBe("");
  expect(nodeProcessTable().self).toEqual(table.self);
  expect(table.isGone(table.self)).toBe(false);
});

test("tokens are hexadecimal, long, and never the same", () => {
  const tokens = Array.from({ length: 1000 }, () => table.token());
  expect(new Set(tokens).size).toBe(1000);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{24}$/);
});

test("a child is alive until it is killed, and then gone", async () => {
  const { child, identity } = await startWaiting();
  expect(table.isGone(identity)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(table.isGone(identity)).toBe(true);
});

describe.runIf(onLinux)("A process number that was given again", () => {
  test("is told by the time of its start", async () => {
    const { child, identity } = await startWaiting();
    try {
      expect(identity.start).toMatch(/^\d+$/);
      expect(table.isGone({ ...identity, start: String(Number(identity.start) - 1) })).toBe(true);
      expect(table.isGone({ ...identity, start: "" })).toBe(false);
    } finally {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  test("counts as alive when nobody can see when it started", () => {
    // The number of a process that runs and of which the file system of processes tells nothing.
    const hidden = nodeProcessTable((pid) => (pid === "self" ? "1" : ""));
    expect(hidden.isGone({ ...hidden.self, pid: process.ppid, start: "4711" })).toBe(false);
  });
});

test.runIf(onLinux)("machine, run, namespace and start are known", () => {
  expect(table.self.boot).toMatch(/^[0-9a-f-]{36}$/);
  expect(table.self.pidNamespace).toMatch(/^pid:\[\d+\]$/);
  expect(table.self.start).toMatch(/^\d+$/);
});

describe("A process that cannot be seen from here", () => {
  const unseen = { ...table.self, pid: 2 ** 22 + 1, start: "1" };

  test.each([
    ["on this machine is gone", unseen, true],
    [
      "of an earlier run of this machine is gone, whatever runs under its number",
      { ...table.self, boot: "earlier" },
      true,
    ],
    ["on another machine is not known to be gone", { ...unseen, machine: "elsewhere/far" }, false],
    [
      "on another machine that was restarted is not either",
      { ...unseen, machine: "elsewhere/far", boot: "earlier" },
      false,
    ],
    ["in another namespace is not either", { ...unseen, pidNamespace: "pid:[1]" }, false],
    [
      "in another namespace of an earlier run is gone",
      { ...unseen, pidNamespace: "pid:[1]", boot: "earlier" },
      true,
    ],
  ])("%s", (_what, owner, gone) => {
    expect(table.isGone(owner)).toBe(gone);
  });
});
