import { concatBytes, utf8 } from "../base/bytes.ts";
import type { Steps } from "../base/steps.ts";
import { bytesOfLines, type LineRange, type MergeStretch } from "../text/merge-text.ts";
import type { ConflictRegion } from "./conflict.ts";
import type { LineMerge, MergeContext } from "./merge-content.ts";

/** Hexadecimal digits of a region's name. */
const idLength = 16;

/** Lists the stretches of a merge in which both sides changed lines. */
export function* regionsOf(
  { options }: MergeContext,
  name: string,
  { texts, merge }: LineMerge,
): Steps<readonly ConflictRegion[]> {
  const seen = new Map<string, number>();
  const regions: ConflictRegion[] = [];
  for (const stretch of conflictsIn(merge.stretches)) {
    const { base, current, incoming } = stretch;
    const parts = [
      bytesOfLines(texts.base, base),
      bytesOfLines(texts.current, current),
      bytesOfLines(texts.incoming, incoming),
    ];
    const lengths = parts.map(({ byteLength }) => byteLength).join(" ");
    const alike = yield* options.contentId(concatBytes([utf8(`${lengths} ${name}\0`), ...parts]));
    // Equal regions of one file are told apart by their order.
    const count = seen.get(alike) ?? 0;
    seen.set(alike, count + 1);
    const id = `${alike.slice(0, idLength)}${count === 0 ? "" : `-${count + 1}`}`;
    regions.push({ id, base: linesOf(base), current: linesOf(current), incoming: linesOf(incoming) });
    yield;
  }
  return regions;
}

/** The stretches of a merge that are in conflict, in order. */
export function conflictsIn(stretches: readonly MergeStretch[]): readonly MergeStretch[] {
  return stretches.filter(({ kind }) => kind === "conflict");
}

function linesOf({ from, to }: LineRange): readonly [number, number] {
  return [from + 1, to];
}
