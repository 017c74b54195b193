import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type DiffOptions, defaultContextLines, defaultDiffBytes } from "../schema/diff-options.ts";
import { diffDelta } from "../tree/diff-delta.ts";
import type { Plan } from "../tree/plan.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import type { KeptContents } from "./kept-contents.ts";
import { pathsFilter } from "./path-filter.ts";
import type { ViewContext } from "./workspace-context.ts";

/** A diff that a call asked for. */
export interface WantedDiff {
  readonly wants: (path: string) => boolean;
  readonly contextLines: number;
  readonly maxBytes: number;
}

/**
 * Reads the option `includeDiff`; `undefined` when no diff is wanted.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for a path that is no glob.
 */
export function wantedDiff(includeDiff: boolean | DiffOptions | undefined): WantedDiff | undefined {
  if (includeDiff === undefined || includeDiff === false) return undefined;
  const { paths, contextLines, maxBytes }: DiffOptions = includeDiff === true ? {} : includeDiff;
  return {
    wants: paths === undefined ? () => true : pathsFilter(paths),
    contextLines: contextLines ?? defaultContextLines,
    maxBytes: maxBytes ?? defaultDiffBytes,
  };
}

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
