import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MergeCase } from "./merge-cases.ts";

/** What `git merge-file -p` made of a case. */
export interface GitMerge {
  readonly conflicts: number;
  readonly text: string;
}

const memoryFolder = "/dev/shm";
const casesPerShell = 250;

/** Merges cases with git: many for one shell, because starting it from here costs more than git does. */
export async function mergeWithGit(cases: readonly MergeCase[]): Promise<readonly GitMerge[]> {
  const folder = mkdtempSync(join(existsSync(memoryFolder) ? memoryFolder : tmpdir(), "merges-"));
  try {
    for (const [number, { base, current, incoming }] of cases.entries()) {
      writeFileSync(join(folder, `b${number}`), base.join(""));
      writeFileSync(join(folder, `c${number}`), current.join(""));
      writeFileSync(join(folder, `i${number}`), incoming.join(""));
    }
    let next = 0;
    const lane = async () => {
      while (next < cases.length) {
        const from = next;
        next = Math.min(cases.length, next + casesPerShell);
        await runShell(folder, from, next);
      }
    };
    await Promise.all([lane(), lane()]);
    return cases.map((_, number) => ({
      conflicts: Number(readFileSync(join(folder, `s${number}`), "utf8")),
      text: readFileSync(join(folder, `o${number}`), "utf8"),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runShell(folder: string, from: number, to: number): Promise<void> {
  const script = `n=${from}; while [ $n -lt ${to} ]; do git merge-file -q -p c$n b$n i$n > o$n; echo $? > s$n; n=$((n+1)); done`;
  return new Promise((resolve, reject) => {
    const child = spawn("sh", ["-c", script], {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", HOME: folder },
    });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`The shell ended with ${code}.`))));
  });
}
