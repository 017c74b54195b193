import * as fs from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { timeSlice } from "../../../../src/base/clock.ts";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { openStateFolder, stateFile } from "../../../../src/storage/directory/state-folder.ts";
import { logFormat } from "../../../../src/storage/log/frame.ts";
import { readTree } from "../../../support/directory-tree.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let path: string;
beforeEach(() => {
  folder = temporaryFolder("quick");
  path = join(folder.path, "state");
});
afterEach(() => folder.remove());

function open(
  options: {
    readonly readOnly?: boolean;
    readonly fileSystem?: Partial<FileSystem>;
    readonly rootDevice?: bigint;
  } = {},
) {
  const {
    readOnly = false,
    fileSystem = {},
    rootDevice = nodeFileSystem.lstat(folder.path)?.dev ?? 0n,
  } = options;
  return openStateFolder({ ...nodeFileSystem, ...fileSystem }, path, {
    readOnly,
    rootDevice,
    flush: true,
    token: "token",
    pause: timeSlice(),
  });
}

const names = () => fs.readdirSync(path, { recursive: true }).map(String).sort();

test("is made with its folders, its format and a rule for git, readable by its owner alone", async () => {
  process.umask(0o022);
  const state = await open();
  expect(state).toMatchObject({ path, links: true });
  expect(names()).toEqual([
    ".gitignore",
    "conflicts",
    "format",
    "images",
    "lock",
    "log",
    "pre",
    "probe-link",
    "probe-\u00e4",
    "staged",
    "tmp",
    "tmp/0",
    "tmp/1",
    "tmp/2",
    "tmp/3",
  ]);
  expect(fs.readFileSync(join(path, "format"), "utf8")).toBe(`${logFormat}\n`);
  expect(fs.readFileSync(join(path, ".gitignore"), "utf8")).toBe("*\n");
  expect(fs.statSync(path).mode & 0o777).toBe(0o700);
  expect(stateFile(state ?? Object.assign({}, state), "preImages", "1-0")).toBe(`${path}/pre/1-0`);
});

test("is found again and completed, and what is in it stays", async () => {
  await open();
  const before = names();
  fs.writeFileSync(join(path, "log", "00000001.log"), "kept");
  fs.rmdirSync(join(path, "images"));
  await open();
  expect(names()).toEqual([...before, "log/00000001.log"].sort());
  expect(fs.readFileSync(join(path, "log", "00000001.log"), "utf8")).toBe("kept");
});

describe("Opened for reading only", () => {
  test("is not made", async () => {
    expect(await open({ readOnly: true })).toBeUndefined();
    expect(fs.readdirSync(folder.path)).toEqual([]);
  });

  test("is neither completed nor tried", async () => {
    await open();
    fs.rmdirSync(join(path, "images"));
    const before = names();
    const refuse = () => {
      throw new Error("written");
    };
    const fileSystem = {
      create: refuse,
      mkdir: refuse,
      unlink: refuse,
      rename: refuse,
      link: refuse,
      write: refuse,
      symlink: refuse,
    };
    expect(await open({ readOnly: true, fileSystem })).toMatchObject({ path, caseSensitive: true });
    expect(names()).toEqual(before);
  });
});

describe("Is refused, and nothing is touched, when", () => {
  const outside = () => join(folder.path, "outside");
  test.each<[string, string, () => void]>([
    ["its name is that of a file", "NOT_SUPPORTED", () => fs.writeFileSync(path, "mine")],
    [
      "its name is that of a link to a folder",
      "NOT_SUPPORTED",
      () => {
        fs.mkdirSync(outside());
        fs.symlinkSync("outside", path);
      },
    ],
    ["its name is that of a link to nothing", "NOT_SUPPORTED", () => fs.symlinkSync("nowhere", path)],
    [
      "a part of it is a file",
      "NOT_SUPPORTED",
      () => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, "log"), "mine");
      },
    ],
    [
      "a part of it is a link",
      "NOT_SUPPORTED",
      () => {
        fs.mkdirSync(path);
        fs.mkdirSync(outside());
        fs.symlinkSync("../outside", join(path, "tmp"));
      },
    ],
    [
      "it was written by a newer version",
      "NOT_SUPPORTED",
      () => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, "format"), `${logFormat + 1}\n`);
      },
    ],
    [
      "its format cannot be read",
      "STORAGE_FAILED",
      () => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, "format"), "\0\0");
      },
    ],
    [
      "its format is empty",
      "STORAGE_FAILED",
      () => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, "format"), "");
      },
    ],
    [
      "its format is zero",
      "STORAGE_FAILED",
      () => {
        fs.mkdirSync(path);
        fs.writeFileSync(join(path, "format"), "0\n");
      },
    ],
  ])("%s", async (_why, code, prepare) => {
    prepare();
    const before = readTree(folder.path);
    const error = await refusalOf(open());
    expect(error.code).toBe(code);
    expect(error.message).not.toContain(folder.path);
    const files = Object.entries(before).filter(([name]) => !name.endsWith("/"));
    expect(readTree(folder.path)).toMatchObject(Object.fromEntries(files));
    if (fs.existsSync(outside())) expect(fs.readdirSync(outside())).toEqual([]);
  });

  test("it is on another file system than the root", async () => {
    expect(await refusalOf(open({ rootDevice: 4711n }))).toMatchObject({ code: "NOT_SUPPORTED" });
  });
});

describe("Tells of a disk", () => {
  /** Finds a name under another spelling, as a folding disk does. */
  const folding = (fold: (name: string) => string): Partial<FileSystem> => ({
    lstat: (at) => {
      const exact = nodeFileSystem.lstat(at);
      const slash = at.lastIndexOf("/");
      if (exact !== undefined || fs.existsSync(at) || slash < path.length) return exact;
      const like = nodeFileSystem
        .readdir(at.slice(0, slash))
        .find(({ name }) => fold(name) === fold(at.slice(slash + 1)));
      return like === undefined ? undefined : nodeFileSystem.lstat(`${at.slice(0, slash)}/${like.name}`);
    },
  });

  test.each<[string, boolean, Partial<FileSystem>]>([
    ["keeps all names apart", true, {}],
    ["folds case", false, folding((name) => name.toLowerCase())],
    [
      "folds the case of plain letters only",
      false,
      folding((name) => name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())),
    ],
    ["folds forms of Unicode", false, folding((name) => name.normalize("NFC"))],
    ["folds both", false, folding((name) => name.normalize("NFC").toLowerCase())],
  ])("that %s: case-sensitive is %s", async (_how, caseSensitive, fileSystem) => {
    expect(await open({ fileSystem })).toMatchObject({ caseSensitive });
    expect(fs.readdirSync(join(path, "tmp")).sort()).toEqual(["0", "1", "2", "3"]);
  });

  test.each(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])(
    "that it has no links when they fail with %s",
    async (code) => {
      const link = () => {
        throw Object.assign(new Error("no links"), { code });
      };
      expect(await open({ fileSystem: { link } })).toMatchObject({ links: false });
      expect(fs.readdirSync(join(path, "tmp")).sort()).toEqual(["0", "1", "2", "3"]);
    },
  );

  test("nothing when it fails in another way, and leaves nothing behind", async () => {
    const link = () => {
      throw Object.assign(new Error("broken"), { code: "EIO" });
    };
    await expect(open({ fileSystem: { link } })).rejects.toMatchObject({ code: "EIO" });
    expect(fs.readdirSync(join(path, "tmp")).sort()).toEqual(["0", "1", "2", "3"]);
  });
});

test.each([
  ["looks for its format", "open"],
  ["looks at what lies in it", "readdir"],
] as const)("is opened by one that, before it %s, another has finished making it", async (_name, at) => {
  const other = join(folder.path, "other");
  fs.mkdirSync(path);
  const whole = await open();
  fs.renameSync(path, other);
  fs.mkdirSync(path);
  let isMade = false;
  const wrapped = (...args: Parameters<FileSystem[typeof at]>) => {
    if (!isMade) fs.cpSync(other, path, { recursive: true });
    isMade = true;
    return (nodeFileSystem[at] as (...args: unknown[]) => unknown)(...args);
  };
  const fileSystem: Partial<FileSystem> = { [at]: wrapped };
  expect(await open({ fileSystem })).toEqual({ ...whole, device: expect.anything() });
  expect(isMade).toBe(true);
});
