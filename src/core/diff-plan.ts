import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { diffDelta } from "../tree/diff-delta.ts";
import type { Plan } from "../tree/plan.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import type { KeptContents } from "./kept-contents.ts";
import type { WantedDiff } from "./wanted-diff.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Shows what a plan does, from the bytes that it was made with. */
export function* diffPlan(
  { hashing, limits }: ViewContext,
  plan: Plan,
  {
    kept,
    ...wanted
  }: WantedDiff & {
    /** Where the bytes are that planning did not keep. */
    readonly kept: KeptContents | undefined;
  },
): Steps<TreeDiff> {
  const due = workCounter();
  const contents = new Map<string, Uint8Array>();
  for (const file of plan.relies.values()) {
    if (due()) yield;
    if (file?.bytes !== undefined) contents.set(file.contentId, file.bytes);
  }
  for (const { path, bytes } of plan.files) {
    if (due()) yield;
    const after = plan.delta.changes.get(path)?.after;
    if (bytes !== undefined && after !== undefined) contents.set(after.contentId, bytes);
  }
  return yield* diffDelta(plan.delta, {
    ...wanted,
    hashing,
    textBytes: limits.textBytes,
    contentOf: (contentId) => contents.get(contentId) ?? kept?.get(contentId),
    stateOf: (path) => plan.relies.get(path),
  });
}
