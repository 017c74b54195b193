import { randomIds } from "./clock.ts";
import {
  type ErrorCategory,
  type ErrorCodeEntry,
  type ErrorRetry,
  errorCategories,
} from "./error-code-entry.ts";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import type { ErrorDetails } from "./error-details.ts";
import type { Json } from "./json.ts";

/** One thing that is wrong with a call. */
export interface Problem {
  /** Which refusal. */
  readonly code: ErrorCode;
  /** What is wrong, with the actual values. */
  readonly message: string;
  /** Index of the change in the call, from 0. */
  readonly changeIndex?: number;
  /** Index of the edit in its change, from 0. */
  readonly editIndex?: number;
  /** The path concerned. */
  readonly path?: string;
  /** Typed data of the code; the error takes over that of its first problem. */
  readonly details?: unknown;
}

/** The next step as data. */
export type Continuation =
  | {
      readonly kind: "callTool";
      readonly tool: string;
      readonly instruction: string;
    }
  | {
      readonly kind: "chooseTool";
      readonly tools: readonly string[];
      readonly instruction: string;
    }
  | {
      readonly kind: "retryRequest" | "reviseRequest" | "resolveExternally";
      readonly instruction: string;
    };

/** What a {@link HoldfastError} is made from. */
export interface HoldfastErrorOptions<C extends ErrorCode> {
  /** One sentence with the actual values. Default: the code's meaning. */
  readonly message?: string | undefined;
  /** Typed data of the code. */
  readonly details?: (C extends keyof ErrorDetails ? ErrorDetails[C] : unknown) | undefined;
  /** All that is wrong with the call. Default: this error alone. */
  readonly problems?: readonly Problem[] | undefined;
  /** What the storage or the platform threw. */
  readonly cause?: unknown;
  /** Whether anything was written. Default: `"no"`. */
  readonly written?: "no" | "yes" | "unknown" | undefined;
  /** Ties the error to a log line. Default: a new id. */
  readonly correlationId?: string | undefined;
}

const brand = Symbol.for("holdfast.HoldfastError");

/**
 * A refusal of the library: a stable code, every problem of the call at once, and the next step as data.
 */
export class HoldfastError<C extends ErrorCode = ErrorCode> extends Error {
  /** The stable code. */
  readonly code: C;
  /** What kind of trouble it is. */
  readonly category: ErrorCategory;
  /** Whether and how the call may be tried again. */
  readonly retry: ErrorRetry;
  /** Typed data of the code. */
  readonly details: C extends keyof ErrorDetails ? ErrorDetails[C] : unknown;
  /** Everything that is wrong with the call, in the order of its changes; never empty, and at most 1,000: `message` counts them all. */
  readonly problems: readonly Problem[];
  /** What to do next. */
  readonly continuation?: Continuation;
  /** Ties the error to a log line. */
  readonly correlationId: string;
  /** Whether the call wrote anything. */
  readonly written: "no" | "yes" | "unknown";

  /** Makes an error of the given code; category, retry rule and next step come from the table of codes. */
  constructor(code: C, options: HoldfastErrorOptions<C> = {}) {
    const entry: ErrorCodeEntry = errorCodes[code];
    const message = options.message ?? entry.meaning;
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "HoldfastError";
    Object.defineProperty(this, brand, { value: true });
    this.code = code;
    this.category = entry.category;
    this.retry = entry.retry;
    this.details = (options.details ?? {}) as typeof this.details;
    this.problems = options.problems ?? [{ code, message }];
    this.continuation = continuationOf(entry);
    this.correlationId = options.correlationId ?? randomIds("corr");
    this.written = options.written ?? "no";
  }

  /** All public fields but `cause` and `stack`, as plain data: what is sent to another process. */
  toJSON(): Json {
    const { code, category, message, retry, details, problems, continuation, correlationId, written } = this;
    return JSON.parse(
      JSON.stringify({
        name: "HoldfastError",
        code,
        category,
        message,
        retry,
        details,
        problems,
        continuation,
        correlationId,
        written,
      }),
    ) as Json;
  }
}

function continuationOf(entry: ErrorCodeEntry): Continuation {
  const { kind, tools = [], instruction } = entry.next;
  if (kind === "callTool") return { kind, tool: tools[0] ?? "", instruction };
  if (kind === "chooseTool") return { kind, tools, instruction };
  return { kind, instruction };
}

/**
 * Says whether a value is a {@link HoldfastError}, also one made by another copy of the package, and narrows it to the given codes.
 *
 * @param value - Anything.
 * @param codes - The codes to accept. Default: all.
 */
export function isHoldfastError<C extends ErrorCode = ErrorCode>(
  value: unknown,
  ...codes: readonly C[]
): value is HoldfastError<C> {
  if (typeof value !== "object" || value === null || !(brand in value)) return false;
  return (
    codes.length === 0 || (codes as readonly string[]).includes((value as unknown as HoldfastError).code)
  );
}

/** Problems that one error keeps. */
const mostProblems = 1000;

/** Throws one error for all problems; its code is the first by category. The list must not be empty; of a long one the first 1,000 are kept. */
export function throwProblems(
  problems: readonly Problem[],
  options: {
    readonly written?: "no" | "unknown" | undefined;
    readonly cause?: unknown;
  } = {},
): never {
  const rank = (problem: Problem) => errorCategories.indexOf(errorCodes[problem.code].category);
  const first = problems.reduce((best, problem) => (rank(problem) < rank(best) ? problem : best));
  const kept = problems.slice(0, mostProblems);
  if (!kept.includes(first)) kept.splice(-1, 1, first);
  throw new HoldfastError(first.code, {
    message: first.message + sayOthers(problems.length - 1, kept.length - 1),
    details: first.details as never,
    problems: kept.map(({ details: _details, ...problem }) => problem),
    ...options,
  });
}

function sayOthers(others: number, listed: number): string {
  if (others === 0) return "";
  const rest = listed < others ? `, of which ${listed} are listed` : "";
  return ` (and ${others} more ${others === 1 ? "problem" : "problems"}${rest})`;
}

/** Holds the library to its own rules: throws `INTERNAL` when a claim that no input can break is false. */
export function invariant(claim: unknown, message: string | (() => string)): asserts claim {
  if (claim === false || claim === undefined || claim === null)
    throw new HoldfastError("INTERNAL", { message: typeof message === "string" ? message : message() });
}
