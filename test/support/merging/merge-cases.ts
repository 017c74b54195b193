import { seededRandom } from "../../../src/testing/seeded-random.ts";

/** What the lines of a case look like: all different, like source code, or out of a small alphabet. */
export const mergeShapes = ["unique", "source", "alpha8", "alpha3"] as const;
export type MergeShape = (typeof mergeShapes)[number];

/** How the edits of two sides lie to each other: with an untouched line between them, side by side, or on the same lines. */
export const mergeRelations = ["separable", "adjacent", "overlapping"] as const;
export type MergeRelation = (typeof mergeRelations)[number];

/** Three texts as lines, made from a base and two lists of edits. */
export interface MergeCase {
  readonly shape: MergeShape;
  readonly relation: MergeRelation;
  readonly base: readonly string[];
  readonly current: readonly string[];
  readonly incoming: readonly string[];
  /** The text with the edits of both sides; known where no edit is on the lines of one of the other side. Where edits lie side by side a conflict is right, too. */
  readonly truth: readonly string[] | undefined;
}

interface ScriptEdit {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly side: "current" | "incoming";
}

type Chance = (count: number) => number;

/** Makes a case that is the same for the same seed. */
export function makeMergeCase(seed: number, shape: MergeShape, relation: MergeRelation): MergeCase {
  const random = seededRandom(seed);
  const chance: Chance = (count) => Math.floor(random() * count);
  const line = lineSource(shape, chance);
  for (;;) {
    const base = Array.from({ length: 6 + chance(40) }, line);
    const edits = makeEdits(base, line, chance, relation);
    const of = (side: ScriptEdit["side"]) => edits.filter((edit) => edit.side === side);
    if (of("current").length === 0 || of("incoming").length === 0) continue;
    return {
      shape,
      relation,
      base,
      current: applyEdits(base, of("current")),
      incoming: applyEdits(base, of("incoming")),
      truth: relation === "overlapping" ? undefined : applyEdits(base, edits),
    };
  }
}

function lineSource(shape: MergeShape, chance: Chance): () => string {
  let made = 0;
  const fresh = () => `line ${made++}\n`;
  if (shape === "unique") return fresh;
  if (shape !== "source") return () => `${"abcdefgh"[chance(shape === "alpha8" ? 8 : 3)]}\n`;
  return () => {
    const kind = chance(100);
    const indent = "  ".repeat(chance(3));
    if (kind < 15) return "\n";
    if (kind < 33) return `${indent}}\n`;
    return kind < 36 ? `${indent}return;\n` : `${indent}${fresh()}`;
  };
}

function makeEdits(
  base: readonly string[],
  line: () => string,
  chance: Chance,
  relation: MergeRelation,
): readonly ScriptEdit[] {
  const edits: ScriptEdit[] = [];
  const count = 2 + chance(5);
  /** The pair that meets, when one does. */
  const meeting = relation === "separable" ? -1 : 1 + chance(count - 1);
  let at = chance(Math.max(1, Math.floor(base.length / count)));
  for (let index = 0; index < count && at <= base.length; index++) {
    const before = edits.at(-1);
    const meets = index === meeting && before !== undefined;
    const from = !meets
      ? at
      : relation === "adjacent" || before.to === before.from
        ? before.to
        : before.to - 1 - chance(before.to - before.from);
    const side = meets
      ? before.side === "current"
        ? "incoming"
        : "current"
      : chance(2) === 0
        ? "current"
        : "incoming";
    const edit = makeEdit(base, from, side, line, chance);
    if (edit === undefined) break;
    edits.push(edit);
    at = Math.max(edit.to, before?.to ?? 0) + 1 + chance(Math.max(1, Math.ceil(base.length / count)));
  }
  return edits;
}

/** An edit that changes the text: what goes and what comes differ. */
function makeEdit(
  base: readonly string[],
  from: number,
  side: ScriptEdit["side"],
  line: () => string,
  chance: Chance,
): ScriptEdit | undefined {
  for (let tries = 0; tries < 20; tries++) {
    const kind = chance(3);
    const to = Math.min(base.length, from + (kind === 0 ? 0 : 1 + chance(3)));
    const lines = kind === 1 ? [] : Array.from({ length: 1 + chance(3) }, line);
    if (base.slice(from, to).join("") !== lines.join("")) return { from, to, lines, side };
  }
  return undefined;
}

function applyEdits(base: readonly string[], edits: readonly ScriptEdit[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const edit of edits) {
    lines.push(...base.slice(at, edit.from), ...edit.lines);
    at = edit.to;
  }
  lines.push(...base.slice(at));
  return lines;
}
