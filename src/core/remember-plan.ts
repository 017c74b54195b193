import type { AppliedFile } from "../schema/apply-result.ts";
import type { Plan } from "../tree/plan.ts";
import type { ReadCache } from "./read-cache.ts";

/** Keeps what a committed plan found and what it left, as far as it holds the bytes; `results` tells the revisions, in the order of its files. */
export function rememberPlan(
  reads: ReadCache | undefined,
  plan: Plan,
  results: readonly AppliedFile[],
): void {
  if (reads === undefined) return;
  for (const [path, file] of plan.relies) {
    if (file?.bytes === undefined) continue;
    const { kind, executable, bytes, revision } = file;
    reads.remember(path, revision, { kind, executable, bytes });
  }
  for (const [index, { path, bytes }] of plan.files.entries()) {
    const revision = results[index]?.revision;
    const after = plan.delta.changes.get(path)?.after;
    if (bytes === undefined || revision === undefined || after === undefined) continue;
    const { kind, executable } = after;
    reads.remember(path, revision, { kind, executable, bytes });
  }
}
