import { timeSlice } from "../base/clock.ts";
import type { Hashing } from "../base/hashing.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import { argumentDigest } from "../history/argument-digest.ts";
import { describeOutcome, type Idempotency, type KeyState, replayResult } from "../history/idempotency.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import type { RecordedAnswer } from "../schema/outcome.ts";
import type { FoundKey } from "./committer.ts";

/** A call that may have an idempotency key. */
export interface OnceCall {
  /** Which method. */
  readonly operation: string;
  /** Gives what the key is bound to, besides the method. */
  readonly arguments: () => object;
  /** The call's options. */
  readonly options: ApplyOptions;
}

/**
 * Runs a call unless its key says that it took effect before; then its recorded result comes back. Whatever refuses the call, the key is looked up
 * once more before it is told: the refusal may come from the call's own first run.
 *
 * @throws {@link HoldfastError} `IDEMPOTENCY_KEY_REUSED` when the key belongs to other arguments.
 */
export async function runOnce<T extends RecordedAnswer>(
  { idempotency, hashing }: { readonly idempotency: Idempotency; readonly hashing: Hashing },
  call: OnceCall,
  run: (keyed: FoundKey | undefined) => Promise<T>,
): Promise<T> {
  const { idempotencyKey: key, signal, dryRun } = call.options;
  if (key === undefined) return await run(undefined);
  const digest = await driveSteps(argumentDigest(hashing, call.operation, call.arguments()), timeSlice());
  const known = await idempotency.lookUp(key, { signal });
  if (known.recorded) return replayOrRefuse<T>(known, digest);
  try {
    return await run(dryRun === true ? undefined : { claim: known.claim, argumentDigest: digest });
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) throw error;
    const again = await idempotency.lookUp(key, {}).catch(() => undefined);
    if (again?.recorded === true) return replayOrRefuse<T>(again, digest);
    throw error;
  }
}

/** The key is bound to the method too, so what it recorded is what that method returns. */
function replayOrRefuse<T extends RecordedAnswer>(
  known: KeyState & { readonly recorded: true },
  digest: string,
): T {
  if (known.argumentDigest === digest) return replayResult(known.revision) as T;
  const outcome = describeOutcome(known.revision);
  throw new HoldfastError("IDEMPOTENCY_KEY_REUSED", {
    message: `The idempotency key was used at ${outcome.time} by a call with other arguments, which made ${outcome.workspaceRevision}.`,
    details: { outcome },
  });
}
