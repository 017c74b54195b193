/** What a reported failure needs before the library can be tried with it. */
export type Feature =
  | "documents in parts"
  | "working copies and changesets"
  | "rebase and merge"
  | "git storage"
  | "watching a storage"
  | "a run on Windows";

/** A reported failure that waits for a feature. */
export interface WaitingCase {
  /** Its number. */
  readonly number: number;
  /** What it waits for. */
  readonly feature: Feature;
  /** What of it is tried already; left out when nothing is. */
  readonly tried?: string;
}

/** Reported failures that cannot be tried yet, or not wholly. */
export const waitingCases: readonly WaitingCase[] = [
  { number: 2, feature: "rebase and merge", tried: "the refusal" },
  { number: 7, feature: "documents in parts" },
  { number: 11, feature: "documents in parts" },
  { number: 85, feature: "documents in parts", tried: "the indentation" },
  { number: 107, feature: "watching a storage", tried: "the events of commits" },
  { number: 122, feature: "a run on Windows", tried: "a simulated one" },
  { number: 124, feature: "a run on Windows", tried: "a simulated one" },
  { number: 125, feature: "a run on Windows", tried: "a simulated one" },
  { number: 143, feature: "git storage", tried: "a directory that git works in" },
  { number: 148, feature: "working copies and changesets", tried: "errors of looking" },
  { number: 149, feature: "working copies and changesets", tried: "transactions that nobody ended" },
  { number: 151, feature: "working copies and changesets", tried: "results of commits" },
  { number: 161, feature: "git storage" },
  { number: 163, feature: "git storage" },
  { number: 164, feature: "git storage", tried: "the bit on a disk" },
  { number: 169, feature: "git storage", tried: "the name on a disk and in memory" },
  { number: 170, feature: "git storage", tried: "names in memory and on a disk" },
  { number: 188, feature: "git storage", tried: "the name as a path of a call" },
];
