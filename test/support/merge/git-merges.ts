import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf, type TreeTriple, type TripleTree } from "./tree-triples.ts";

/** What git makes of a triple. */
export interface GitMerge {
  readonly clean: boolean;
  /** Its tree. */
  readonly treeId: string;
  /** Paths that it leaves in conflict; names that it made up are cut back to those of the trees. */
  readonly conflicts: readonly string[];
  /** The tree's files: mode and object id by path. Asked for once it is needed. */
  files(): ReadonlyMap<string, string>;
}

/** Renames are found with git's own threshold of one half; folders that were renamed take no others with them, as ours do not. */
const configuration = ["-c", "merge.directoryRenames=false", "-c", "merge.renames=true"];

/** Merges triples with `git merge-tree --write-tree`, all in one repository, and hands what came of it to `use`. */
export function withGitMerges<T>(triples: readonly TreeTriple[], use: (merges: readonly GitMerge[]) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-merges-"));
  try {
    const git = (args: readonly string[], input = "") =>
      execFileSync("git", [...configuration, "--git-dir", folder, ...args], {
        input: Buffer.from(input, "latin1"),
        encoding: "latin1",
        env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
        maxBuffer: 1024 * 1024 * 1024,
      });
    execFileSync("git", ["init", "-q", "--bare", folder]);
    git(["fast-import", "--quiet", `--export-marks=${join(folder, "marks")}`], importOf(triples));
    const marks = new Map(
      readFileSync(join(folder, "marks"), "utf8")
        .split("\n")
        .map((line) => line.slice(1).split(" ") as [string, string]),
    );
    const pairs = triples.map(
      (_, index) => `${marks.get(`${3 * index + 2}`)} ${marks.get(`${3 * index + 3}`)}\n`,
    );
    const told = git(
      ["merge-tree", "--write-tree", "--stdin", "--name-only", "--no-messages"],
      pairs.join(""),
    );
    return use(readMerges(told, (treeId) => filesOf(git(["ls-tree", "-r", "-z", treeId]))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All commits as one stream: base, current and incoming of triple n have the marks 3n + 1 to 3n + 3. */
function importOf(triples: readonly TreeTriple[]): string {
  const lines: string[] = [];
  for (const [index, { base, current, incoming }] of triples.entries()) {
    for (const [side, tree] of [base, current.files, incoming.files].entries()) {
      lines.push(`commit refs/heads/${index}-${side}`, `mark :${3 * index + side + 1}`);
      lines.push("committer a <a@example.com> 1 +0000", "data 0");
      if (side > 0) lines.push(`from :${3 * index + 1}`);
      lines.push("deleteall");
      for (const [path, file] of tree) {
        lines.push(`M ${modeOf(file)} inline ${path}`, `data ${bytesOf(file).byteLength}`, file.content);
      }
      lines.push("");
    }
  }
  return lines.join("\n");
}

function modeOf({ kind, executable }: { readonly kind: string; readonly executable: boolean }): string {
  return kind === "symlink" ? "120000" : executable ? "100755" : "100644";
}

function readMerges(
  told: string,
  filesOfTree: (treeId: string) => ReadonlyMap<string, string>,
): readonly GitMerge[] {
  const merges: GitMerge[] = [];
  const fields = told.split("\0");
  for (let at = 0; at + 1 < fields.length; ) {
    const clean = fields[at++] === "1";
    const treeId = fields[at++] ?? "";
    const conflicts = new Set<string>();
    for (; at < fields.length && fields[at] !== ""; at++)
      conflicts.add((fields[at] ?? "").replace(/~.*$/, ""));
    at++;
    merges.push({ clean, treeId, conflicts: [...conflicts], files: () => filesOfTree(treeId) });
  }
  return merges;
}

function filesOf(listed: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const entry of listed.split("\0")) {
    const [, mode, id, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (path !== undefined) files.set(path, `${mode} ${id}`);
  }
  return files;
}

/** How git names a file: mode and object id. */
export function gitEntryOf(
  bytes: Uint8Array,
  file: { readonly kind: "file" | "symlink"; readonly executable: boolean },
): string {
  const id = createHash("sha1").update(`blob ${bytes.byteLength}\0`).update(bytes).digest("hex");
  return `${modeOf(file)} ${id}`;
}

/** A generated tree as git would list it. */
export function gitEntriesOf(tree: TripleTree): ReadonlyMap<string, string> {
  return new Map([...tree].map(([path, file]) => [path, gitEntryOf(bytesOf(file), file)]));
}
