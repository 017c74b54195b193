import type { Inode } from "./inode.ts";

/** Names the place in the code that flushes: the functions on the way there, and what is flushed. */
export function flushSite(kind: Inode["kind"], stack: string): string {
  const names: string[] = [];
  for (const line of stack.split("\n")) {
    const match = /at (?:async )?(?:[\w$]+\.)?([#\w$]+) \(.*storage\/directory\/[\w-]+\.ts/.exec(line);
    const name = match?.[1];
    if (name !== undefined && !passing.has(name)) names.push(name);
  }
  return `${names.slice(0, 3).reverse().join(" → ")}: ${kind}`;
}

/** Functions that flush whatever they are told to. */
const passing: ReadonlySet<string> = new Set(["flushPath", "<anonymous>", "inProcessQueue", "logTurn", "run", "exclusiveWork"]);

/** Leaves out the flushes of one place. @param seen - Collects the places that are met. */
export function skipping(site: string | undefined, seen?: Map<string, number>): (path: string, kind: Inode["kind"]) => boolean {
  return (_path, kind) => {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 30;
    const here = flushSite(kind, new Error().stack ?? "");
    Error.stackTraceLimit = limit;
    seen?.set(here, (seen.get(here) ?? 0) + 1);
    return here === site;
  };
}
