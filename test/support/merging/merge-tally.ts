import { runSteps } from "../../../src/base/steps.ts";
import { mergedBytes, mergeText } from "../../../src/text/merge-text.ts";
import { openDocument, type TextDocument } from "../../../src/text/text-document.ts";
import { mergeWithGit } from "./git-merge-file.ts";
import {
  type MergeCase,
  type MergeRelation,
  type MergeShape,
  makeMergeCase,
  mergeRelations,
  mergeShapes,
} from "./merge-cases.ts";

/** How often the two merges of a kind of cases agreed, and how they differed. */
export interface MergeTally {
  readonly shape: MergeShape;
  readonly relation: MergeRelation;
  readonly cases: number;
  readonly counts: Readonly<Record<MergeOutcome, number>>;
  /** Seeds of the cases that both sides did not answer alike, by what happened. */
  readonly seeds: Readonly<Record<string, readonly number[]>>;
  readonly falseConflicts: { readonly ours: number; readonly git: number };
  readonly misMerges: { readonly ours: number; readonly git: number };
}

export const mergeOutcomes = [
  "both clean, equal",
  "both conflict",
  "ours conflict, git right",
  "ours conflict, git wrong",
  "ours conflict, git clean",
  "git conflict, ours right",
  "git conflict, ours wrong",
  "git conflict, ours clean",
  "clean and different, ours right",
  "clean and different, git right",
  "clean and different",
] as const;
export type MergeOutcome = (typeof mergeOutcomes)[number];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function openLines(lines: readonly string[]): TextDocument {
  const document = runSteps(openDocument(encoder.encode(lines.join(""))));
  if (document.kind !== "text") throw new Error("The text is binary.");
  return document;
}

/** Our merge of a case; `undefined` when it has conflicts. */
export function mergeOurs({ base, current, incoming }: MergeCase): string | undefined {
  const texts = { base: openLines(base), current: openLines(current), incoming: openLines(incoming) };
  const merge = runSteps(mergeText(texts.base, texts.current, texts.incoming));
  return merge.conflicts > 0 ? undefined : decoder.decode(runSteps(mergedBytes(merge, texts)));
}

/** Merges `cases` cases of each kind with both and counts what became of them. */
export async function tallyMerges(seed: number, cases: number): Promise<readonly MergeTally[]> {
  const tallies: MergeTally[] = [];
  for (const shape of mergeShapes)
    for (const relation of mergeRelations) tallies.push(await tallyKind(seed, cases, shape, relation));
  return tallies;
}

async function tallyKind(
  seed: number,
  cases: number,
  shape: MergeShape,
  relation: MergeRelation,
): Promise<MergeTally> {
  const counts = Object.fromEntries(mergeOutcomes.map((name) => [name, 0])) as Record<MergeOutcome, number>;
  const seeds: Record<string, number[]> = {};
  const falseConflicts = { ours: 0, git: 0 };
  const misMerges = { ours: 0, git: 0 };
  const isConflictFalse = relation === "separable" ? 1 : 0;
  const made = Array.from({ length: cases }, (_, index) => makeMergeCase(seed + index, shape, relation));
  for (const [index, git] of (await mergeWithGit(made)).entries()) {
    const merging = made[index] as MergeCase;
    const ours = mergeOurs(merging);
    const theirs = git.conflicts === 0 ? git.text : undefined;
    const truth = merging.truth?.join("");
    if (truth !== undefined) {
      if (ours === undefined) falseConflicts.ours += isConflictFalse;
      else if (ours !== truth) misMerges.ours++;
      if (theirs === undefined) falseConflicts.git += isConflictFalse;
      else if (theirs !== truth) misMerges.git++;
    }
    const outcome = outcomeOf(ours, theirs, truth);
    counts[outcome]++;
    const note = (name: string) => {
      seeds[name] = [...(seeds[name] ?? []), seed + index];
    };
    if (outcome !== "both conflict" && outcome !== "both clean, equal") note(outcome);
    if (truth !== undefined && outcome === "both clean, equal" && ours !== truth) note("both wrong alike");
  }
  return { shape, relation, cases, counts, seeds, falseConflicts, misMerges };
}

function outcomeOf(
  ours: string | undefined,
  theirs: string | undefined,
  truth: string | undefined,
): MergeOutcome {
  if (ours === theirs) return ours === undefined ? "both conflict" : "both clean, equal";
  if (ours === undefined)
    return truth === undefined
      ? "ours conflict, git clean"
      : theirs === truth
        ? "ours conflict, git right"
        : "ours conflict, git wrong";
  if (theirs === undefined)
    return truth === undefined
      ? "git conflict, ours clean"
      : ours === truth
        ? "git conflict, ours right"
        : "git conflict, ours wrong";
  return ours === truth
    ? "clean and different, ours right"
    : theirs === truth
      ? "clean and different, git right"
      : "clean and different";
}

/** Where this library does worse than git on cases whose right merge is known. */
export function findFaults(tallies: readonly MergeTally[]): readonly string[] {
  return tallies.flatMap(({ shape, relation, falseConflicts, misMerges }) => [
    ...(falseConflicts.ours > falseConflicts.git
      ? [`${shape}, ${relation}: ${falseConflicts.ours} false conflicts, of git ${falseConflicts.git}`]
      : []),
    ...(misMerges.ours > misMerges.git
      ? [`${shape}, ${relation}: ${misMerges.ours} wrong merges without a conflict, of git ${misMerges.git}`]
      : []),
  ]);
}

/** The counts as lines of text, with seeds of some cases of each kind of difference. */
export function formatTallies(tallies: readonly MergeTally[]): string {
  const lines = tallies.flatMap(({ shape, relation, cases, counts, seeds, falseConflicts, misMerges }) => [
    `${shape}, ${relation}: ${cases} cases`,
    ...(relation !== "overlapping"
      ? [
          `  false conflicts: ours ${falseConflicts.ours}, git ${falseConflicts.git}; silent mis-merges: ours ${misMerges.ours}, git ${misMerges.git}`,
        ]
      : []),
    ...mergeOutcomes
      .filter((outcome) => counts[outcome] > 0)
      .map((outcome) => {
        const some = seeds[outcome]?.slice(0, 3).join(", ");
        return `  ${outcome}: ${counts[outcome]}${some === undefined ? "" : ` (seeds ${some})`}`;
      }),
  ]);
  return lines.join("\n");
}
