import { describe, expect, test } from "vitest";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { isAbandoned, ownerName } from "../../../../src/storage/directory/owner-name.ts";
import type { ProcessIdentity, ProcessTable } from "../../../../src/storage/directory/process-table.ts";
import { someProcess } from "../../../support/lock-handles.ts";

const hashing = await loadNodeHashing();

/** Judges as the real table does, by the starts of the processes that run. */
function table(running: Readonly<Record<number, string>>, own: Partial<ProcessIdentity> = {}): ProcessTable {
  const self = { ...someProcess, ...own };
  return {
    self,
    token: () => "",
    isGone: (owner) => {
      if (owner.machine !== self.machine) return false;
      if (owner.boot !== self.boot) return true;
      if (owner.pidNamespace !== self.pidNamespace) return false;
      const start = running[owner.pid];
      return start === undefined || (owner.start !== "" && owner.start !== start);
    },
  };
}

const owner: ProcessIdentity = { ...someProcess, pid: 77, start: "4000" };
const name = `${ownerName(hashing, owner, "0123456789abcdef")}-12`;

describe("A file that a process made", () => {
  test.each([
    ["still runs", true, table({ 77: "4000" })],
    ["is this one", true, table({ 77: "4000" }, owner)],
    ["is gone", false, table({ 78: "4000" })],
    ["is gone, and another has its number", false, table({ 77: "9999" })],
    ["ran before the machine was restarted", false, table({ 77: "4000" }, { boot: "later" })],
    ["ran on another machine", true, table({}, { machine: "other/host" })],
    [
      "ran on another machine before that was restarted",
      true,
      table({}, { machine: "other/host", boot: "later" }),
    ],
    ["runs in another namespace of processes", true, table({}, { pidNamespace: "container" })],
  ])("that %s is in use: %s", (_what, inUse, processes) => {
    expect(isAbandoned(hashing, processes, name)).toBe(!inUse);
  });

  test("where the platform does not tell when a process started is judged by its number", () => {
    const unknown = `${ownerName(hashing, { ...owner, start: "" }, "abc")}-1`;
    expect(isAbandoned(hashing, table({ 77: "9999" }), unknown)).toBe(false);
    expect(isAbandoned(hashing, table({}), unknown)).toBe(true);
  });

  test("is one whatever comes after the mark", () => {
    for (const rest of ["1", "format", "probe-ä", "1.second"])
      expect(isAbandoned(hashing, table({}), `${name.replace(/-12$/, "")}-${rest}`)).toBe(true);
  });
});

test("a name tells its owner apart from each other owner, and from its own other openings", () => {
  const names = [
    owner,
    { ...owner, machine: "other/host" },
    { ...owner, boot: "later" },
    { ...owner, pidNamespace: "container" },
    { ...owner, pid: 78 },
    { ...owner, start: "4001" },
  ].map((one) => ownerName(hashing, one, "0123456789abcdef"));
  expect(new Set([...names, ownerName(hashing, owner, "fedcba9876543210")]).size).toBe(7);
});

test("a name says nothing of the machine in the clear, and is fit for every file system", () => {
  const secret = { ...owner, machine: "4f2a/the host", boot: "a boot", pidNamespace: "pid:[4026531836]" };
  expect(ownerName(hashing, secret, "0123456789abcdef")).toMatch(
    /^[0-9a-f]{8}\.[0-9a-f]{8}\.[0-9a-f]{8}\.77\.4000\.0123456789ab$/,
  );
});

test.each([
  "",
  "notes.txt",
  "1",
  "7-3",
  `x${name}`,
  name.replace("-12", ""),
  name.replace(/^......../, "zzzzzzzz"),
  name.replace(".77.", ".-77."),
  ".gitignore",
])("a name of another form is nobody's to remove: %j", (text) => {
  expect(isAbandoned(hashing, table({}), text)).toBe(false);
});
