import type { ApplyResult } from "./apply-result.ts";
import type { CommitResult } from "./commit-result.ts";
import type { RevertResult } from "./revert-result.ts";

/** What a call that is recorded under its key returned. */
export type RecordedAnswer = ApplyResult | CommitResult | RevertResult;

/** What became of an idempotency key. */
export type Outcome =
  | {
      /** The key's call took effect. */
      readonly known: true;
      /** The workspace revision that it left. */
      readonly workspaceRevision: string;
      /** When, RFC 3339. */
      readonly time: string;
      /** Which call. */
      readonly operation: string;
      /** What it returned. */
      readonly result: RecordedAnswer;
    }
  | {
      /** No call with this key is recorded. */
      readonly known: false;
      /** Keys are kept since then, RFC 3339: a call before it may have taken effect all the same. */
      readonly recordedSince: string;
    };
