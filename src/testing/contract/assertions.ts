import { equalBytes } from "../../base/bytes.ts";
import type { ErrorCode } from "../../base/error-codes.ts";
import { isHoldfastError } from "../../base/holdfast-error.ts";
import type { CommitOutcome } from "../../storage/storage-adapter.ts";

/** Throws unless a claim holds. */
export function assertTrue(claim: unknown, message: string): asserts claim {
  if (claim !== true) throw new Error(message);
}

/** Throws unless two values have the same structure. */
export function assertEqual<T>(actual: T, expected: T, what: string): void {
  const [got, wanted] = [show(actual), show(expected)];
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, but got ${got}.`);
}

/** Throws unless two byte strings are equal; says where they part. */
export function assertBytes(actual: Uint8Array | undefined, expected: Uint8Array, what: string): void {
  if (actual === undefined) throw new Error(`${what}: expected ${expected.byteLength} bytes, but got none.`);
  if (equalBytes(actual, expected)) return;
  const shorter = Math.min(actual.byteLength, expected.byteLength);
  let at = 0;
  while (at < shorter && actual[at] === expected[at]) at += 1;
  throw new Error(
    `${what}: expected ${expected.byteLength} bytes, but got ${actual.byteLength}; the first difference is at ${at}.`,
  );
}

/** Throws unless a call is refused with a code. */
export async function assertRefused(call: Promise<unknown>, code: ErrorCode, what: string): Promise<void> {
  const thrown = await thrownBy(call, what);
  if (!isHoldfastError(thrown, code))
    throw new Error(`${what}: expected ${code}, but got ${String(thrown)}.`);
}

/** Throws unless a call rejects with this very reason. */
export async function assertRejectsWith(
  call: Promise<unknown>,
  reason: unknown,
  what: string,
): Promise<void> {
  const thrown = await thrownBy(call, what);
  if (thrown !== reason) throw new Error(`${what}: expected the signal's reason, but got ${String(thrown)}.`);
}

/** Throws unless a batch took effect. */
export function assertCommitted(
  outcome: CommitOutcome | undefined,
): asserts outcome is CommitOutcome & { readonly committed: true } {
  if (outcome?.committed === true) return;
  const why =
    outcome === undefined
      ? "there is no outcome for it"
      : "failed" in outcome
        ? `these expectations failed: ${show(outcome.failed)}`
        : `it was refused: ${String(outcome.error)}`;
  throw new Error(`The batch should have been committed, but ${why}.`);
}

/** Throws unless a batch was refused for just these expectations, in any order, given as space and key. */
export function assertFailed(outcome: CommitOutcome | undefined, keys: readonly string[]): void {
  if (outcome === undefined || outcome.committed)
    throw new Error(`The batch should have failed on ${show(keys)}, but it was committed.`);
  if (!("failed" in outcome))
    throw new Error(
      `The batch should have failed on ${show(keys)}, but got the error ${String(outcome.error)}.`,
    );
  const failed = outcome.failed.map(({ space, key }) => `${space} ${key}`);
  assertEqual(failed.sort(), [...keys].sort(), "The failed expectations");
}

/** Throws unless a batch did not take effect, for whatever reason. */
export function assertNotCommitted(outcome: CommitOutcome | undefined, what: string): void {
  if (outcome?.committed === true) throw new Error(`${what} was committed.`);
  if (outcome !== undefined && "written" in outcome && outcome.written === "unknown")
    throw new Error(`${what} may have been written: ${String(outcome.error)}.`);
}

async function thrownBy(call: Promise<unknown>, what: string): Promise<unknown> {
  try {
    await call;
  } catch (thrown) {
    return thrown;
  }
  throw new Error(`${what}: expected a refusal, but the call went through.`);
}

function show(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (part instanceof Uint8Array) return `bytes ${[...part].join(" ")}`;
      if (part instanceof Map) return [...part].sort();
      if (typeof part === "object" && part !== null && !Array.isArray(part))
        return Object.fromEntries(Object.entries(part).sort());
      return part === undefined ? "undefined" : part;
    }) ?? "undefined"
  );
}
