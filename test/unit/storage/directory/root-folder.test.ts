import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { obstructedError, RootFolder } from "../../../../src/storage/directory/root-folder.ts";
import { writeTree } from "../../../support/directory-tree.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
let root: RootFolder;
const open = new Set<number>();

/** Counts what is open. */
const counted = {
  ...nodeFileSystem,
  open: (at: string, how: "read" | "folder" | "update") => {
    const descriptor = nodeFileSystem.open(at, how);
    open.add(descriptor);
    return descriptor;
  },
  close: (descriptor: number) => {
    open.delete(descriptor);
    nodeFileSystem.close(descriptor);
  },
};

beforeEach(() => {
  folder = temporaryFolder("quick");
  path = join(folder.path, "root");
  fs.mkdirSync(path);
  writeTree(path, { "top.txt": "top", "a/b/c.txt": "deep" });
  writeTree(folder.path, { "outside/b/c.txt": "outside", "outside/secret.txt": "secret" });
  root = new RootFolder(counted, path, true);
});
afterEach(() => {
  root.close();
  expect(open.size).toBe(0);
  folder.remove();
});

const textAt = (at: string) => {
  const located = root.locate(at);
  return "at" in located && located.kind === "file" ? fs.readFileSync(located.at, "utf8") : located.kind;
};

describe("Finds", () => {
  test("files, folders, links and nothing, at any depth", () => {
    fs.symlinkSync("top.txt", join(path, "link"));
    fs.symlinkSync("nowhere", join(path, "a/dangling"));
    expect(textAt("top.txt")).toBe("top");
    expect(textAt("a/b/c.txt")).toBe("deep");
    expect(root.locate("a/b").kind).toBe("directory");
    expect(root.locate("link").kind).toBe("symlink");
    expect(root.locate("a/dangling").kind).toBe("symlink");
    expect(root.locate("a/none")).toMatchObject({ kind: "absent", folder: { path: "a" } });
    expect(root.locate("a/none/deeper")).toEqual({ kind: "absent", folder: undefined });
    expect(root.find("a/b")).toBeUndefined();
    expect(root.find("top.txt")?.status.size).toBe(3);
  });

  test.runIf(process.platform !== "win32")("what is neither file, folder nor link", () => {
    execFileSync("mkfifo", [join(path, "pipe")]);
    expect(root.locate("pipe").kind).toBe("other");
    expect(root.find("pipe")).toBeUndefined();
  });

  test("what was made, removed or replaced since the last look", () => {
    expect(root.locate("a/b/new.txt").kind).toBe("absent");
    fs.writeFileSync(join(path, "a/b/new.txt"), "new");
    expect(textAt("a/b/new.txt")).toBe("new");
    fs.rmSync(join(path, "a/b/new.txt"));
    expect(root.locate("a/b/new.txt").kind).toBe("absent");
  });
});

describe("A link in the place of a folder", () => {
  test.each([
    ["to the outside", "../outside"],
    ["to a folder inside", "a"],
    ["to nothing", "nowhere"],
    ["to itself", "link"],
  ])("%s is not followed", (_where, target) => {
    fs.symlinkSync(target, join(path, "link"));
    for (const at of ["link/secret.txt", "link/b/c.txt"]) {
      const located = root.locate(at);
      expect(located).toEqual({ kind: "obstructed", by: "link", what: "symlink" });
      if (located.kind === "obstructed")
        expect(obstructedError(at, located)).toMatchObject({
          code: "SYMLINK_ESCAPE",
          problems: [{ path: at }],
        });
    }
  });

  test("in the middle of a path is named", () => {
    fs.symlinkSync("../../outside", join(path, "a/link"));
    expect(root.locate("a/link/b/c.txt")).toEqual({ kind: "obstructed", by: "a/link", what: "symlink" });
  });

  test("that is swapped in while the folder is opened is not entered", () => {
    const swapping = {
      ...counted,
      open: (at: string, how: "read" | "folder" | "update") => {
        if (at.endsWith("/a")) {
          fs.renameSync(join(path, "a"), join(path, "moved"));
          fs.symlinkSync("../outside", join(path, "a"));
        }
        return counted.open(at, how);
      },
    };
    const swapped = new RootFolder(swapping, path, true);
    expect(swapped.locate("a/b/c.txt")).toMatchObject({ kind: "obstructed", what: "symlink" });
    swapped.close();
  });

  test.runIf(process.platform === "linux")(
    "that is swapped in after the folder was opened changes nothing",
    () => {
      expect(textAt("a/b/c.txt")).toBe("deep");
      fs.renameSync(join(path, "a"), join(path, "moved"));
      fs.symlinkSync("../outside", join(path, "a"));
      expect(textAt("a/b/c.txt")).toBe("deep");
      root.forget("a");
      expect(root.locate("a/b/c.txt")).toMatchObject({ kind: "obstructed", by: "a" });
    },
  );
});

test("a file in the place of a folder is named", () => {
  const located = root.locate("top.txt/x/y");
  expect(located).toEqual({ kind: "obstructed", by: "top.txt", what: "file" });
  if (located.kind === "obstructed")
    expect(obstructedError("top.txt/x/y", located).code).toBe("ALREADY_EXISTS");
});

test("a folder with a state folder of its own is another workspace, and so is all below it; the root's own is none", () => {
  fs.mkdirSync(join(path, ".holdfast"));
  fs.mkdirSync(join(path, "a/b/.holdfast"));
  expect(textAt("top.txt")).toBe("top");
  const located = root.locate("a/b/c.txt");
  expect(located).toEqual({ kind: "obstructed", by: "a/b", what: "otherWorkspace" });
  if (located.kind === "obstructed")
    expect(obstructedError("a/b/c.txt", located).code).toBe("PROTECTED_PATH");
  expect(root.locate("a/b/deeper/x")).toMatchObject({ kind: "obstructed", by: "a/b" });
  expect(root.locate("a/other").kind).toBe("absent");
});

describe("More folders than are held open", () => {
  test("side by side are all found, and no more than 64 are open", () => {
    for (let round = 0; round < 2; round++) {
      for (let index = 0; index < 200; index++) {
        const name = `folder-${index}/inner`;
        if (round === 0) writeTree(path, { [`${name}/x.txt`]: name });
        expect(textAt(`${name}/x.txt`)).toBe(name);
        expect(open.size).toBeLessThanOrEqual(64);
      }
    }
    expect(textAt("a/b/c.txt")).toBe("deep");
  });

  test("below each other are all found", () => {
    const deep = Array.from({ length: 150 }, (_, index) => `d${index}`).join("/");
    writeTree(path, { [`${deep}/x.txt`]: "deepest" });
    expect(textAt(`${deep}/x.txt`)).toBe("deepest");
    expect(textAt("d0/none")).toBe("absent");
    expect(textAt(`${deep}/x.txt`)).toBe("deepest");
    expect(open.size).toBeLessThanOrEqual(64);
  });
});

describe("A folder that was removed", () => {
  test("is gone with all below it once it is forgotten, and is found when it is made anew", () => {
    expect(textAt("a/b/c.txt")).toBe("deep");
    fs.rmSync(join(path, "a"), { recursive: true });
    root.forget("a");
    expect(root.locate("a/b/c.txt")).toEqual({ kind: "absent", folder: undefined });
    writeTree(path, { "a/b/c.txt": "anew" });
    expect(textAt("a/b/c.txt")).toBe("anew");
  });

  test("is not taken for one whose name begins alike", () => {
    writeTree(path, { "ab/x.txt": "x" });
    expect([textAt("a/b/c.txt"), textAt("ab/x.txt")]).toEqual(["deep", "x"]);
    const held = open.size;
    root.forget("a");
    expect(open.size).toBe(held - 2);
  });
});

test("on a disk that folds names another spelling finds nothing, at the end and in the middle", () => {
  const folding = {
    ...counted,
    lstat: (at: string) =>
      nodeFileSystem.lstat(at) ?? nodeFileSystem.lstat(at.replace(/[^/]+$/, (name) => name.toLowerCase())),
  };
  const folded = new RootFolder(folding, path, false);
  expect(folded.locate("TOP.txt").kind).toBe("absent");
  expect(folded.locate("A/b/c.txt")).toEqual({ kind: "absent", folder: undefined });
  expect(folded.locate("a/b/c.txt").kind).toBe("file");
  folded.close();
});
