import { utf8LengthInSteps } from "../base/byte-steps.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { Problem } from "../base/holdfast-error.ts";
import { driveSteps, type Steps } from "../base/steps.ts";
import { parsePatch } from "../text/patch/parse-patch.ts";
import type { PatchSection } from "../text/patch/patch-section.ts";
import type { PlannedChange } from "../tree/change.ts";
import { exceededLimit } from "../tree/exceeded-limit.ts";
import type { ViewContext } from "./workspace-context.ts";

/** The changes that a patch comes to, or what is wrong with it. */
export type ReadPatch =
  | { readonly changes: readonly PlannedChange[]; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

/** Reads a patch of any number of files: one change for each. */
export async function readPatch(
  context: ViewContext,
  patch: string,
  { signal }: CancelOptions,
): Promise<ReadPatch> {
  return await driveSteps(readInSteps(context, patch), timeSlice({ signal }));
}

function* readInSteps({ limits }: ViewContext, patch: string): Steps<ReadPatch> {
  const { requestBytes: maximum } = limits;
  const actual = patch.length > maximum ? patch.length : yield* utf8LengthInSteps(patch);
  if (actual > maximum) {
    const details = { limit: "requestBytes", maximum, actual } as const;
    return { problems: [exceededLimit(details, { subject: "The patch has", unit: "bytes" })] };
  }
  const { value, problem } = yield* parsePatch(patch);
  return problem === undefined ? { changes: value.map(toChange) } : { problems: [problem] };
}

function toChange(section: PatchSection): PlannedChange {
  const { path, destination } = section;
  return { action: "patch", path, section, ...(destination !== undefined && { destination }) };
}
