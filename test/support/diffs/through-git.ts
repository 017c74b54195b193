import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import type { FileDiff } from "../../../src/tree/tree-diff.ts";
import { loadFile, type ModelFile } from "../planning-view.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { bytesOfText } from "./apply-hunks.ts";
import type { Tree } from "./diff-trees.ts";

const environment = (folder: string) => ({
  ...process.env,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CEILING_DIRECTORIES: join(folder, ".."),
  LC_ALL: "C",
});

/** Runs git in a folder that belongs to no repository. */
export function runGit(folder: string, args: readonly string[], input?: Uint8Array) {
  return spawnSync("git", args, {
    cwd: folder,
    input,
    env: environment(folder),
    maxBuffer: 256 * 1024 * 1024,
  });
}

/** The patch that the files of a diff are together. */
export function patchOf(files: readonly FileDiff[]): Buffer {
  return Buffer.concat(files.map((file) => bytesOfText(file.unified, file)));
}

/** Writes a tree as files. */
export function writeModel(folder: string, tree: Tree): void {
  for (const [path, file] of Object.entries(tree)) writeFile(join(folder, path), file);
}

function writeFile(at: string, file: ModelFile): void {
  const { kind, bytes = new Uint8Array(0), executable } = loadFile(file);
  fs.mkdirSync(join(at, ".."), { recursive: true });
  if (kind === "symlink") fs.symlinkSync(Buffer.from(bytes), at);
  else fs.writeFileSync(at, bytes, { mode: executable ? 0o755 : 0o644 });
}

/** A tree in a form that can be compared: kind, mode and bytes. */
function readModel(folder: string, under = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(join(folder, under), { withFileTypes: true })) {
    const path = under === "" ? entry.name : `${under}/${entry.name}`;
    const at = join(folder, path);
    if (entry.isDirectory()) Object.assign(found, readModel(folder, path));
    else if (entry.isSymbolicLink()) found[path] = `link ${fs.readlinkSync(at, "latin1")}`;
    else found[path] = `${(fs.statSync(at).mode & 0o100) > 0} ${fs.readFileSync(at, "latin1")}`;
  }
  return found;
}

/** The same of a model. */
export function showModel(tree: Tree): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).map(([path, file]) => {
      const { kind, bytes = new Uint8Array(0), executable } = loadFile(file);
      const text = Buffer.from(bytes).toString("latin1");
      return [path, kind === "symlink" ? `link ${text}` : `${executable} ${text}`];
    }),
  );
}

/** Lets `git apply` turn a tree into another one; gives what is there then, or git's complaint. */
export function applyWithGit(before: Tree, patch: Uint8Array): Record<string, string> | string {
  const folder = temporaryFolder("quick");
  try {
    writeModel(folder.path, before);
    if (patch.byteLength > 0) {
      const { status, stderr } = runGit(folder.path, ["apply", "--whitespace=nowarn", "-"], patch);
      if (status !== 0) return stderr.toString();
    }
    return readModel(folder.path);
  } finally {
    folder.remove();
  }
}
