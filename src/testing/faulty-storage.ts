import type { StorageAdapter, StorageBatch } from "../storage/storage-adapter.ts";
import { interceptStorage } from "./intercept-storage.ts";

/** Which call of a storage goes wrong, and how. Calls are counted from 1; an iteration is one call, made with its first step. */
export interface FaultPlan {
  /** The call that fails; those after it work again. Default: none. */
  readonly failAt?: number | undefined;
  /** The call at which the process is as if killed: it and every later call of any method is rejected. Default: none. */
  readonly crashAt?: number | undefined;
  /** Counts calls of this method only. Default: all methods. */
  readonly method?: keyof StorageAdapter | undefined;
  /** What is thrown. Default: an `Error` that says which call it was. */
  readonly error?: Error | undefined;
  /** Whether the call does its work before it goes wrong, so that only its answer is lost. Default: false. */
  readonly afterEffect?: boolean | undefined;
}

/**
 * Makes a storage in which one call fails, or the process dies at one call. What reached the inner storage stays there and can be looked at
 * through it.
 *
 * A `commit` that fails after its effect answers `written: "unknown"` for each batch, as the contract wants of a storage that does not know;
 * one at which the process dies is rejected like everything else, for nobody is there to hear it.
 *
 * @returns The storage; `calls` says how many calls have been counted.
 */
export function faultyStorage(
  inner: StorageAdapter,
  plan: FaultPlan,
): StorageAdapter & { readonly calls: number } {
  let calls = 0;
  let crashed = false;
  const refuseWhenCrashed = () => {
    if (crashed) throw plan.error ?? new Error("The process is gone.");
  };
  const goWrong = async (crash: boolean, method: string, work: () => Promise<unknown>): Promise<Error> => {
    if (crash) crashed = true;
    if (plan.afterEffect === true) await work();
    return plan.error ?? new Error(`Injected fault in ${method}, call ${calls}.`);
  };
  const storage = interceptStorage(inner, {
    call: async (method, work) => {
      refuseWhenCrashed();
      const counts = plan.method === undefined || plan.method === method;
      if (counts) calls += 1;
      if (counts && (calls === plan.crashAt || calls === plan.failAt))
        throw await goWrong(calls === plan.crashAt, method, work);
      return await answerUnlessCrashed(work);
    },
    step: async (work) => {
      refuseWhenCrashed();
      return await answerUnlessCrashed(work);
    },
  });
  async function answerUnlessCrashed<T>(work: () => Promise<T>): Promise<T> {
    const answer = await work();
    refuseWhenCrashed();
    return answer;
  }
  const { commit } = storage;
  storage.commit = async (batches, options) => {
    try {
      return await commit(batches, options);
    } catch (error) {
      if (crashed || plan.afterEffect !== true) throw error;
      return unknownOutcomes(batches, error);
    }
  };
  return Object.defineProperty(storage, "calls", { get: () => calls }) as StorageAdapter & {
    readonly calls: number;
  };
}

function unknownOutcomes(batches: readonly StorageBatch[], error: unknown) {
  return batches.map(() => ({ committed: false, error, written: "unknown" }) as const);
}
