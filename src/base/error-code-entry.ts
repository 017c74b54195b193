/** What kind of trouble a code is; problems of one batch are ranked in this order. */
export const errorCategories = [
  "security",
  "permission",
  "validation",
  "notFound",
  "conflict",
  "limit",
  "unavailable",
  "internal",
] as const;

/** What kind of trouble an error is. */
export type ErrorCategory = (typeof errorCategories)[number];

/** Whether and how a call that failed may be tried again: not at all, the same call, after reading anew, or with other arguments. */
export type ErrorRetry = "never" | "same" | "refresh" | "change";

/** The next step, as a program sees it. */
export type ContinuationKind =
  | "callTool"
  | "chooseTool"
  | "retryRequest"
  | "reviseRequest"
  | "resolveExternally";

/** One row of the table of codes. */
export interface ErrorCodeEntry {
  /** What kind of trouble it is. */
  readonly category: ErrorCategory;
  /** Whether and how to try again. */
  readonly retry: ErrorRetry;
  /** What it means, in one sentence; the message of an error that brings none of its own. */
  readonly meaning: string;
  /** What the caller does next. `tools` are method names; tool adapters put their tools' names in their place. */
  readonly next: {
    readonly kind: ContinuationKind;
    readonly tools?: readonly string[];
    readonly instruction: string;
  };
}
