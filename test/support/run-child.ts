import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { testTarget } from "./test-target.ts";

/** How a child program ended. */
export interface ChildEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A child program that runs. */
export interface RunningChild {
  readonly pid: number;
  readonly ended: Promise<ChildEnd>;
  kill(): void;
  /** Writes a line to its input. */
  say(line: string): void;
  /** Resolves with each line of its output as it comes. */
  onLine(listener: (line: string) => void): void;
}

/** Starts one of the programs in `test/<kind>/children`, built before the run. */
export function startChild(name: string, args: readonly string[]): RunningChild {
  const program = fileURLToPath(new URL(`../../temp/children/${testTarget}/${name}.mjs`, import.meta.url));
  const child = spawn(process.execPath, [program, ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let stderr = "";
  let rest = "";
  const listeners: ((line: string) => void)[] = [];
  child.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  child.stdout.on("data", (data: Buffer) => {
    const lines = (rest + data.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) for (const listener of listeners) listener(line);
  });
  const ended = new Promise<ChildEnd>((resolve) =>
    child.on("close", (code, signal) => resolve({ code, signal, stderr })),
  );
  return {
    pid: child.pid ?? -1,
    ended,
    kill: () => void child.kill("SIGKILL"),
    say: (line) => void child.stdin.write(`${line}\n`),
    onLine: (listener) => void listeners.push(listener),
  };
}
