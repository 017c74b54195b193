import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { type BatchLayout, isKnownAbsent, type LayoutPut, remainingBelow } from "./batch-layout.ts";
import { ancestorsOf } from "./path-parts.ts";
import { type PlanContext, refuse } from "./plan-context.ts";
import { portablePathProblem } from "./portable-name.ts";
import { quotePath } from "./quote-path.ts";

/**
 * Checks that every new file of the batch has a place once all of it has happened: folders where it needs folders, no folder where it is to be,
 * and a name that may be created.
 */
export function* checkPlaces(context: PlanContext, layout: BatchLayout): Steps<void> {
  const due = workCounter();
  const reported = new Set<string>();
  for (const [path, put] of layout.puts) {
    if (due(16)) yield;
    if (!put.isNew) continue;
    checkAncestors(context, layout, reported, path, put);
    checkNoFolder(context, layout, path, put);
    if (context.options.names === "portable") checkName(context, reported, path, put);
  }
}

function checkAncestors(
  context: PlanContext,
  layout: BatchLayout,
  reported: Set<string>,
  path: string,
  put: LayoutPut,
): void {
  for (const folder of ancestorsOf(path)) {
    const putThere = layout.puts.get(folder);
    // A link in the way is refused as such.
    const file = isKnownAbsent(put, folder) ? undefined : context.view.file(folder);
    const stays = file?.kind === "file" && !layout.removed.has(folder);
    if (putThere === undefined && !stays) continue;
    if (!isFirst(reported, `${put.index} file ${folder}`)) return;
    const what = stays ? "is a file" : `is made a file by change ${putThere?.index}`;
    const message = `${quotePath(folder)} ${what}, and ${quotePath(path)} needs a folder there.`;
    refuse(context, put, "ALREADY_EXISTS", path, message);
    return;
  }
}

function checkNoFolder(context: PlanContext, layout: BatchLayout, path: string, put: LayoutPut): void {
  if (isKnownAbsent(put, path)) return;
  const remaining = remainingBelow(context, layout, path);
  if (remaining.length === 0) return;
  const files = remaining.length === 1 ? "1 file" : `${remaining.length} files`;
  const message = `${quotePath(path)} is a folder with ${files} in it (${quotePath(remaining[0] ?? "")}); a file can take its place only when the same call removes them all.`;
  refuse(context, put, "IS_DIRECTORY", path, message);
}

function checkName(context: PlanContext, reported: Set<string>, path: string, put: LayoutPut): void {
  const trouble = portablePathProblem(
    path,
    (folder) => !isKnownAbsent(put, folder) && context.view.below(folder).length > 0,
  );
  if (trouble === undefined || !isFirst(reported, `${put.index} name ${trouble}`)) return;
  refuse(
    context,
    put,
    "INVALID_PATH",
    path,
    `The path ${quotePath(path)} does not work everywhere: ${trouble}.`,
  );
}

/** One change of a folder brings the same trouble for many files; it is told once. */
function isFirst(reported: Set<string>, trouble: string): boolean {
  if (reported.has(trouble)) return false;
  reported.add(trouble);
  return true;
}
