import type { TreeMerge } from "../../../src/tree/merge.ts";
import { type GitMerge, gitEntriesOf, gitEntryOf, withGitMerges } from "./git-merges.ts";
import { mergeTriple } from "./merge-triple.ts";
import {
  contentsOf,
  makeTriple,
  type TreeTriple,
  type TripleFile,
  type TripleSide,
  type TripleTree,
} from "./tree-triples.ts";

/** How many triples came out how, and those that came out otherwise than git's. */
export interface Comparison {
  readonly counts: ReadonlyMap<string, number>;
  /** Conflicts of ours by kind, in triples that came out alike. */
  readonly kinds: ReadonlyMap<string, number>;
  readonly differences: readonly { readonly seed: number; readonly what: string; readonly why: string }[];
}

/** Merges the triples of so many seeds here and with git, and compares the verdicts, the paths in conflict and the trees. */
export function compareWithGit(firstSeed: number, count: number): Comparison {
  const triples = Array.from({ length: count }, (_, index) => makeTriple(firstSeed + index));
  const counts = new Map<string, number>();
  const kinds = new Map<string, number>();
  const differences: { seed: number; what: string; why: string }[] = [];
  withGitMerges(triples, (merges) => {
    for (const [index, triple] of triples.entries()) {
      const ours = mergeTriple(triple);
      const theirs = merges[index];
      if (theirs === undefined) throw new Error("git left out a merge");
      const what = differenceOf(triple, ours, theirs);
      const outcome =
        what === undefined
          ? theirs.clean
            ? "both clean, one tree"
            : "both conflict, one tree elsewhere"
          : what;
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (what === undefined)
        for (const { kind } of ours.conflicts) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      else differences.push({ seed: firstSeed + index, what, why: reasonFor(triple, ours) });
    }
  });
  return { counts, kinds, differences };
}

function differenceOf(triple: TreeTriple, ours: TreeMerge, theirs: GitMerge): string | undefined {
  if ((ours.conflicts.length === 0) !== theirs.clean)
    return theirs.clean ? "we conflict, git is clean" : "git conflicts, we are clean";
  const open = new Set(
    [...ours.verdicts].filter(([, verdict]) => verdict === "conflict").map(([path]) => path),
  );
  if (theirs.conflicts.some((path) => !open.has(path))) return "git has a path more in conflict";
  const named = new Set(theirs.conflicts);
  for (const { path, base, current, incoming } of ours.conflicts) {
    const paths = [{ path }, base, current, incoming].flatMap((side) =>
      side === undefined
        ? []
        : [side.path, ...("files" in side ? (side.files ?? []).map((file) => file.path) : [])],
    );
    if (!paths.some((one) => named.has(one))) return "we have a conflict more";
  }
  const mine = resultOf(triple, ours);
  const other = theirs.files();
  for (const path of new Set([...mine.keys(), ...other.keys()])) {
    const isLeft = open.has(path) || named.has(path.replace(/~.*$/, ""));
    if (!isLeft && mine.get(path) !== other.get(path)) return "the trees differ";
  }
  return undefined;
}

/** The tree that our merge gives, as git would list it. */
function resultOf(triple: TreeTriple, { delta, contents }: TreeMerge): ReadonlyMap<string, string> {
  const result = new Map(gitEntriesOf(triple.current.files));
  const known = contentsOf(triple);
  for (const [path, { after }] of delta.changes) {
    const bytes = after && (contents.get(after.contentId) ?? known.get(after.contentId));
    if (after === undefined || bytes === undefined) result.delete(path);
    else result.set(path, gitEntryOf(bytes, after));
  }
  return result;
}

const untoldMove = "a file was moved and edited and nobody told: git goes by likeness, we by what is known";
const toldMove =
  "a file was moved and rewritten and we were told: git sees no likeness, and takes it for another file";
const droppedFile =
  "two files came to one name and one had become a link: git drops what is brought, we give a conflict";

/** Why a triple came out otherwise, as far as it is known. */
function reasonFor(triple: TreeTriple, ours: TreeMerge): string {
  if ([triple.current, triple.incoming].some((side) => hasUntoldMove(triple.base, side))) return untoldMove;
  if ([triple.current, triple.incoming].some((side) => hasUnlikeMove(triple.base, side))) return toldMove;
  const becameLink = [...triple.base].some(([path, { kind }]) =>
    [triple.current, triple.incoming].some(
      ({ files }) => kind === "file" && files.get(path)?.kind === "symlink",
    ),
  );
  const meets = ours.conflicts.some(({ kind, current, incoming }) =>
    [current, incoming].some((side) => kind === "addAdd" && side?.files !== undefined),
  );
  return becameLink && meets ? droppedFile : "not known";
}

function hasUntoldMove(base: TripleTree, { files, origins }: TripleSide): boolean {
  const left = [...base].filter(([path]) => !files.has(path));
  const came = [...files].filter(([path]) => !base.has(path) && !origins.has(path));
  return left.some(([, before]) =>
    came.some(([, after]) => before.content !== after.content && isLike(before, after)),
  );
}

function hasUnlikeMove(base: TripleTree, { files, origins }: TripleSide): boolean {
  return [...origins].some(([path, origin]) => {
    const before = base.get(origin.path);
    const after = files.get(path);
    return before !== undefined && after !== undefined && !isLike(before, after);
  });
}

/** Whether half of the lines are the same, which is about what git asks for. */
function isLike(before: TripleFile, after: TripleFile): boolean {
  const lines = new Set(before.content.split("\n"));
  return after.content.split("\n").filter((line) => lines.has(line)).length * 2 >= lines.size;
}

/** The comparison as a table, one line for each way that triples came out. */
export function tableOf({ counts, kinds, differences }: Comparison): string {
  const reasons = new Map<string, number>();
  for (const { what, why } of differences) {
    const key = `${what}: ${why}`;
    reasons.set(key, (reasons.get(key) ?? 0) + 1);
  }
  const rows = [
    ...[...counts].filter(([what]) => !differences.some((difference) => difference.what === what)),
    ...reasons,
    ...[...kinds].map(([kind, count]) => [`conflicts of kind ${kind}, where both conflict`, count] as const),
  ];
  return rows.map(([what, count]) => `${String(count).padStart(6)}  ${what}`).join("\n");
}
