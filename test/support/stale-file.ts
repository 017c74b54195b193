import type { ApplyOptions, Edit } from "holdfast";
import { testWorkspace } from "./grounds/test-workspace.ts";

/** The option that stale changes are about. */
export const rebase = { onStale: "rebase" } as const satisfies ApplyOptions;

/** Twelve lines, of which some are others. */
export function lines(changed: Readonly<Record<number, string>> = {}): string {
  return Array.from({ length: 12 }, (_, at) => `${changed[at + 1] ?? `line ${at + 1}`}\n`).join("");
}

/** Puts other lines in the place of one. */
export function replace(startLine: number, content: string): Edit {
  return { op: "replace", startLine, content };
}

/** A file that was read and has moved on since: line 2 is another one by now. */
export async function stale(path = "a", now: string | null = lines({ 2: "theirs" })) {
  const opened = await testWorkspace({ [path]: lines(), other: "other\n" });
  const { revision } = await opened.workspace.read(path);
  opened.storage.writeOutside(path, now);
  return { ...opened, revision };
}
