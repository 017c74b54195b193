import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import type { WriterTask } from "./killed-writer.ts";
import { compileProgram } from "./programs.ts";

let program: string | undefined;

/** A writer in another process. */
interface Writer {
  /** Milliseconds since its call began; `undefined` before. */
  elapsed(): number | undefined;
  /** Whether its call has returned. */
  isDone(): boolean;
  /** Whether the process has ended by itself. */
  isGone(): boolean;
  /** Ends it without warning, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts a writer, and gives it when its call begins. */
async function startWriter(task: WriterTask): Promise<Writer> {
  program ??= compileProgram("killed-writer");
  const child = spawn(process.execPath, [program, JSON.stringify(task)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let said = "";
  let began: number | undefined;
  child.stdout.on("data", (text: Buffer) => {
    said += text.toString();
    began ??= performance.now();
  });
  while (began === undefined && isRunning(child)) await setImmediate();
  if (!said.startsWith("begins")) throw new Error("The writer did not begin.");
  return {
    elapsed: () => (began === undefined ? undefined : performance.now() - began),
    isDone: () => said.includes("done"),
    isGone: () => !isRunning(child),
    kill: async () => {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

/** Starts a writer and kills it when it is time, given the milliseconds since its call began; at the latest when its call has returned. */
export async function killWhen(task: WriterTask, isTime: (elapsed: number) => boolean): Promise<void> {
  const writer = await startWriter(task);
  while (!isTime(writer.elapsed() ?? 0) && !writer.isDone() && !writer.isGone()) await setImmediate();
  await writer.kill();
}

/** Lets a writer finish, and gives how many milliseconds its call took. */
export async function timeOf(task: WriterTask): Promise<number> {
  const writer = await startWriter(task);
  while (!writer.isDone() && !writer.isGone()) await setImmediate();
  if (!writer.isDone()) throw new Error("The writer failed.");
  const milliseconds = writer.elapsed() ?? 0;
  await writer.kill();
  return milliseconds;
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
