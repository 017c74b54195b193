import * as fs from "node:fs";
import { join } from "node:path";
import { isHoldfastError } from "holdfast";
import { DirectoryStorage, openDirectory } from "holdfast/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refusalOf } from "../../../support/refusal.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

type Options = ConstructorParameters<typeof DirectoryStorage>[0];

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder("quick");
});
afterEach(() => folder.remove());

describe("The options of a directory storage", () => {
  test.each([
    [{ root: 5 }, ["root"]],
    [{ root: "" }, ["root"]],
    [{}, ["root"]],
    [{ root: "x", durability: "powr" }, ["durability"]],
    [{ root: "x", hardLinks: 1, stateDir: "" }, ["stateDir", "hardLinks"]],
    [{ root: "x", durabilty: "power" }, ["durabilty"]],
  ])("%j are refused, each wrong one by name", (options, names) => {
    let refusal: unknown;
    try {
      new DirectoryStorage(options as unknown as Options);
    } catch (error) {
      refusal = error;
    }
    if (!isHoldfastError(refusal, "INVALID_ARGUMENT")) throw new Error("not refused", { cause: refusal });
    expect(refusal.problems.map(({ message }) => /"(\w+)"/.exec(message)?.[1])).toEqual(names);
  });

  test("that are no object are refused", async () => {
    expect(() => new DirectoryStorage(null as unknown as Options)).toThrow(/must be an object/);
    expect(await refusalOf(openDirectory(folder.path, null as never))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("A state folder", () => {
  test.each([".", "src", ".state"])(
    "at %j inside the root is refused, and nothing is made or changed",
    async (name) => {
      fs.mkdirSync(join(folder.path, "src"));
      fs.writeFileSync(join(folder.path, ".gitignore"), "node_modules\n");
      const before = fs.readdirSync(folder.path, { recursive: true });
      const opening = openDirectory(folder.path, { stateDir: join(folder.path, name) });
      expect(await refusalOf(opening)).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(fs.readdirSync(folder.path, { recursive: true })).toEqual(before);
      expect(fs.readFileSync(join(folder.path, ".gitignore"), "utf8")).toBe("node_modules\n");
    },
  );

  test.each([
    [".gitignore", "dist\n"],
    ["notes.txt", "mine"],
  ])("elsewhere that holds %s of somebody else is refused, and keeps it", async (name, text) => {
    const root = join(folder.path, "root");
    const stateDir = join(folder.path, "state");
    fs.mkdirSync(root);
    fs.mkdirSync(stateDir);
    fs.writeFileSync(join(stateDir, name), text);
    expect(await refusalOf(openDirectory(root, { stateDir }))).toMatchObject({ code: "NOT_SUPPORTED" });
    expect(fs.readdirSync(stateDir)).toEqual([name]);
    expect(fs.readFileSync(join(stateDir, name), "utf8")).toBe(text);
  });

  test("elsewhere that is empty, or was begun and not finished, is used", async () => {
    const root = join(folder.path, "root");
    const stateDir = join(folder.path, "state");
    fs.mkdirSync(root);
    fs.mkdirSync(join(stateDir, "log"), { recursive: true });
    fs.writeFileSync(join(stateDir, ".gitignore"), "\u0000");
    await using workspace = await openDirectory(root, { stateDir });
    await workspace.apply({ action: "create", path: "a", content: "a" });
    expect(fs.readdirSync(root)).toEqual(["a"]);
  });
});
