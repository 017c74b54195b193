import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError, type Workspace } from "holdfast";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { readTree, writeTree } from "../support/directory-tree.ts";
import { openQuickly } from "../support/grown-state.ts";
import { startChild } from "../support/run-child.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let root: string;
let remove: () => void;
beforeEach(async () => {
  ({ path: root, remove } = temporaryFolder("quick"));
  writeTree(root, { "a.txt": "a\n" });
  const workspace = await openQuickly(root);
  await workspace.write("b.txt", "b\n");
  await workspace.close();
});
afterEach(() => remove());

/** Denies what concerns a part of the state folder, once it is told to. */
function denying(part: string): { readonly fileSystem: Partial<FileSystem>; deny(denied: boolean): void } {
  let isDenied = false;
  const at = join(root, ".holdfast", part);
  const names = ["open", "create", "lstat", "readdir", "mkdir", "unlink", "rename", "link"] as const;
  const fileSystem = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => {
        const met = args.find((arg) => typeof arg === "string" && `${arg}/`.startsWith(`${at}/`));
        if (isDenied && met !== undefined && !(name === "lstat" && met === at))
          throw Object.assign(new Error("denied"), { code: "EACCES", path: met, syscall: name });
        return (nodeFileSystem[name] as (...args: unknown[]) => unknown)(...args);
      },
    ]),
  );
  return { fileSystem, deny: (denied) => (isDenied = denied) };
}

async function expectDenied(call: Promise<unknown>, part: string): Promise<void> {
  const before = readTree(root);
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  // What is open already can still be written.
  if (error === undefined && part === "log") return;
  if (!isHoldfastError(error)) throw new Error("not refused", { cause: error });
  expect(error).toMatchObject({ code: "READ_ONLY", written: "no" });
  expect(error.message).toMatch(/access is denied \(EACCES\)/);
  expect(error.message).not.toContain(root);
  expect(readTree(root)).toEqual(before);
}

test.each(["", "lock", "log", "tmp", "pre"])(
  "access to %o is denied: a clear refusal, and all works once it is allowed",
  async (part) => {
    for (const when of ["before opening", "after opening", "between two commits"]) {
      const { fileSystem, deny } = denying(part);
      const change = (on: Workspace) => on.update("a.txt", (file) => `${file?.text}${when}\n`);
      if (when === "before opening") {
        deny(true);
        // A folder that opening does not look into is missed by the first commit.
        const opened: unknown = await openQuickly(root, fileSystem).catch((error: unknown) => error);
        if (opened instanceof Error) expect(isHoldfastError(opened, "READ_ONLY")).toBe(true);
        else {
          await expectDenied(change(opened as Workspace), part);
          await (opened as Workspace).close();
        }
        deny(false);
      }
      const workspace = await openQuickly(root, fileSystem);
      if (when === "between two commits") await change(workspace);
      deny(true);
      await expectDenied(change(workspace), part);
      expect((await workspace.read("b.txt")).text).toBe("b\n");
      deny(false);
      await change(workspace);
      expect(readTree(root)["a.txt"]).toMatch(new RegExp(`${when}\n$`));
      await workspace.close();
    }
  },
);

test.runIf(process.getuid?.() === 0)(
  "another user, who may enter the root and not the state folder, is told so",
  async () => {
    fs.chmodSync(root, 0o777);
    const before = readTree(root);
    const child = startChild("use-as-other-user", [root]);
    const lines: string[] = [];
    child.onLine((line) => lines.push(line));
    const end = await child.ended;
    expect(end, end.stderr).toMatchObject({ code: 0 });
    const told = JSON.parse(lines[0] ?? "{}");
    expect(told).toMatchObject({ code: "READ_ONLY", written: "no" });
    expect(told.message).toMatch(/denied/);
    expect(told.message).not.toContain(root);
    expect(readTree(root)).toEqual(before);
  },
);
