import type { ContractSession } from "./contract-session.ts";

/** What a case of the contract asks of a storage beyond the contract itself. */
type ContractNeed =
  | "caseSensitive"
  | "caseInsensitive"
  | "symlinks"
  | "modes"
  | "reopen"
  | "watch"
  | "writeOutside";

/** One claim about every storage. */
export interface ContractCheck {
  /** The claim, as a sentence. */
  readonly name: string;
  /** What a storage must be able to do for the claim to concern it. */
  readonly needs?: readonly ContractNeed[];
  /** Throws when the claim does not hold for a fresh storage. */
  check(session: ContractSession): Promise<void>;
}
