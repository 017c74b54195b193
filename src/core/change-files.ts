import { systemClock } from "../base/clock.ts";
import { HoldfastError, isHoldfastError, throwProblems } from "../base/holdfast-error.ts";
import type { Idempotency } from "../history/idempotency.ts";
import type { ApplyOptions, UpdateOptions } from "../schema/apply-options.ts";
import type { ApplyResult } from "../schema/apply-result.ts";
import type { TextFile } from "../schema/read-results.ts";
import type { Change, PlannedChange } from "../tree/change.ts";
import { namedPaths } from "../tree/named-paths.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import type { CallOrder } from "./call-order.ts";
import { claimsOf } from "./claims.ts";
import type { CommitRequest, Committer, TryResult } from "./committer.ts";
import type { Updated } from "./editable-view.ts";
import type { ChangeTarget } from "./file-editor.ts";
import { runOnce } from "./run-once.ts";
import { significantChanges, significantOptions } from "./significant-arguments.ts";
import { readForUpdate, updateChange } from "./update-change.ts";
import { waitForNextTry } from "./wait-for-next-try.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** How often a call is planned again when others were quicker. */
export const mostAttempts = 8;

/** The machine's own: no result depends on how long a call waits to try again, and one that stands still would keep it waiting. */
export const retryClock = systemClock;

/** Runs the calls that change files: in their order, once for each key, and again when they lose a race that they may win. */
export class ChangeFiles implements ChangeTarget {
  readonly #context: WorkspaceContext;
  readonly #order: CallOrder;
  readonly #committer: Committer;
  readonly #idempotency: Idempotency;

  constructor(parts: {
    readonly context: WorkspaceContext;
    readonly order: CallOrder;
    readonly committer: Committer;
    readonly idempotency: Idempotency;
  }) {
    this.#context = parts.context;
    this.#order = parts.order;
    this.#committer = parts.committer;
    this.#idempotency = parts.idempotency;
  }

  /** Applies checked changes. */
  async apply(changes: readonly Change[], options: ApplyOptions): Promise<ApplyResult> {
    const args = () => ({ changes: significantChanges(changes), options: significantOptions(options) });
    return await this.#applyLocated("apply", changes, { args, options });
  }

  /** Applies a patch: reads it to changes, which go the way of all others. */
  async applyPatch(patch: string, options: ApplyOptions): Promise<ApplyResult> {
    const args = () => ({ patch, options: significantOptions(options) });
    const { readPatch } = await import("./read-patch.ts");
    const parsed = await readPatch(this.#context, patch, options);
    if (parsed.problems === undefined)
      return await this.#applyLocated("applyPatch", parsed.changes, { args, options });
    const call = { operation: "applyPatch", arguments: args, options };
    return await this.#run(call, [], async () => throwProblems(parsed.problems));
  }

  async #applyLocated(
    operation: "apply" | "applyPatch",
    changes: readonly PlannedChange[],
    { args, options }: { readonly args: () => object; readonly options: ApplyOptions },
  ): Promise<ApplyResult> {
    const call = { operation, arguments: args, options };
    const paths = changes.flatMap(namedPaths);
    return await this.#run(call, paths, async (keyed) => {
      // After a lost race the call is planned against what is there by then: changes located by text are located anew, and those whose
      // guard no longer holds are refused by it, with everything that is wrong.
      for (let attempt = 0; attempt < mostAttempts; attempt++) {
        if (attempt > 0) await waitForNextTry(attempt - 1, retryClock, options);
        const cause = operation === "applyPatch" ? "patch" : "apply";
        const tried = await this.#committer.try({ operation, cause, changes, options, keyed });
        if (tried.result !== undefined) return tried.result;
        refuseLostKey(tried);
      }
      throw busy(paths, mostAttempts);
    });
  }

  /** Changes one file by a function of what it holds. */
  async update(
    path: WorkspacePath,
    change: (current: TextFile | undefined) => Updated | Promise<Updated>,
    { attempts = mostAttempts, onStale: _always, ...options }: UpdateOptions,
  ): Promise<ApplyResult> {
    const bound = attempts === mostAttempts ? undefined : attempts;
    const args = () => ({ path, attempts: bound, options: significantOptions(options) });
    const call = { operation: "update", arguments: args, options };
    return await this.#run(call, [path], async (keyed) => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (attempt > 0) await waitForNextTry(attempt - 1, retryClock, options);
        const current = await readForUpdate(this.#context, path, options);
        const next = await change(current);
        options.signal?.throwIfAborted();
        const request: CommitRequest = {
          operation: "update",
          cause: "apply",
          changes: [updateChange(path, current, next)],
          options,
          keyed,
        };
        const result = await this.#tryUpdate(request, path, current);
        if (result !== undefined) return result;
      }
      throw busy([path], attempts);
    });
  }

  async #run(
    call: Parameters<typeof runOnce>[1],
    paths: readonly string[],
    work: (keyed: CommitRequest["keyed"]) => Promise<ApplyResult>,
  ): Promise<ApplyResult> {
    const { idempotencyKey, signal } = call.options;
    const folds = !this.#context.files.capabilities.caseSensitive;
    const claims = {
      paths: paths.flatMap((path) => claimsOf(path, folds)),
      names: idempotencyKey === undefined ? [] : [`key:${this.#idempotency.hashOf(idempotencyKey)}`],
    };
    const { hashing } = this.#context;
    const once = () => runOnce({ idempotency: this.#idempotency, hashing }, call, work);
    return await this.#order.run(claims, once, signal);
  }

  /** Tries once; `undefined` when the file is no longer what the function was given. */
  async #tryUpdate(
    request: CommitRequest,
    path: WorkspacePath,
    current: TextFile | undefined,
  ): Promise<ApplyResult | undefined> {
    try {
      const tried = await this.#committer.try(request);
      if (tried.result === undefined) refuseLostKey(tried);
      return tried.result;
    } catch (error) {
      if (!isHoldfastError(error) || error.written !== "no") throw error;
      if (error.code === "TARGET_BUSY") throw error;
      const now = await readForUpdate(this.#context, path, request.options);
      if (now?.revision === current?.revision && now?.executable === current?.executable) throw error;
      return undefined;
    }
  }
}

/** Refuses a call whose idempotency key another one took while it ran. */
export function refuseLostKey(tried: TryResult & { readonly result?: undefined }): void {
  if (tried.lost.some(({ space }) => space === "records"))
    throw new HoldfastError("TARGET_BUSY", { message: "Another call took the idempotency key meanwhile." });
}

/** Says that others were quicker every time. */
export function busy(paths: readonly string[], attempts: number): HoldfastError {
  const path = paths[0] ?? "";
  return new HoldfastError("TARGET_BUSY", {
    message: `Others changed ${quotePath(path)} ${attempts} times while the call tried to.`,
  });
}
