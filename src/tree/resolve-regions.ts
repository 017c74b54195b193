import { concatInSteps } from "../base/byte-steps.ts";
import { invariant, type Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import type { Edit } from "../text/edit.ts";
import { bytesOfLines, type MergeStretch } from "../text/merge-text.ts";
import { planEdits } from "../text/plan-edits.ts";
import { openDocument } from "../text/text-document.ts";
import type { LineMerge, MergeContext } from "./merge-content.ts";
import { quotePath } from "./quote-path.ts";
import { conflictsIn, regionsOf } from "./regions-of-merge.ts";
import type { RegionResolution } from "./resolution.ts";
import type { GivenBytes } from "./resolve-file.ts";

/** Makes a text of a merge and a resolution of each of its regions. */
export function* resolveRegions(
  context: MergeContext,
  name: string,
  lines: LineMerge | undefined,
  resolutions: Readonly<Record<string, RegionResolution>>,
): Steps<GivenBytes> {
  invariant(lines, "regions are resolved where there are some");
  const regions = yield* regionsOf(context, name, lines);
  const problems: Problem[] = [];
  const chosen = new Map<MergeStretch, RegionResolution>();
  for (const [index, stretch] of conflictsIn(lines.merge.stretches).entries()) {
    const id = regions[index]?.id ?? "";
    const resolution = Object.hasOwn(resolutions, id) ? resolutions[id] : undefined;
    if (resolution !== undefined) chosen.set(stretch, resolution);
    else
      problems.push({
        code: "MERGE_CONFLICT",
        message: `Region ${id} of ${quotePath(name)} is not resolved.`,
      });
  }
  const ids = new Set(regions.map(({ id }) => id));
  for (const id of Object.keys(resolutions))
    if (!ids.has(id))
      problems.push({
        code: "INVALID_ARGUMENT",
        message: `${quotePath(name)} has no region ${quotePath(id)}.`,
      });
  return problems.length > 0 ? { problems } : yield* joinStretches(lines, chosen);
}

/** Joins the stretches; lines that are given take the place of the current ones, as those of an edit do. */
function* joinStretches(
  { texts, merge }: LineMerge,
  chosen: ReadonlyMap<MergeStretch, RegionResolution>,
): Steps<GivenBytes> {
  const due = workCounter();
  const parts: Uint8Array[] = [];
  const edits: Edit[] = [];
  let line = 0;
  for (const stretch of merge.stretches) {
    if (due()) yield;
    const choice = chosen.get(stretch);
    const given = typeof choice === "object" ? choice.content : undefined;
    const side = typeof choice === "string" ? choice : stretch.kind === "incoming" ? "incoming" : "current";
    const { from, to } = stretch[side];
    parts.push(bytesOfLines(texts[side], { from, to }));
    if (given !== undefined) edits.push(editOf(line, to - from, given));
    line += to - from;
  }
  const bytes = yield* concatInSteps(parts);
  if (edits.length === 0) return { bytes };
  const document = yield* openDocument(bytes);
  invariant(document.kind === "text", "lines of texts make a text");
  const edited = yield* planEdits(document, edits);
  return edited.problems === undefined ? { bytes: edited.bytes } : { problems: edited.problems };
}

/** Puts lines in the place of so many that follow the first `line` ones. */
function editOf(line: number, count: number, content: string): Edit {
  if (count === 0) return { op: "insert_after", line, content };
  return { op: "replace", startLine: line + 1, endLine: line + count, content };
}
