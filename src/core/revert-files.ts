import type { Idempotency } from "../history/idempotency.ts";
import { revertResult } from "../history/revert-result.ts";
import type { LoggedRevision, RevisionLog } from "../history/revision-log.ts";
import type { RevertOptions, RevertTarget } from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import type { CallOrder } from "./call-order.ts";
import { busy, mostAttempts, refuseLostKey, retryClock } from "./change-files.ts";
import { claimsOf } from "./claims.ts";
import type { CommitCall, Committer } from "./committer.ts";
import { parsePath } from "./parse-path.ts";
import { pathsFilter } from "./path-filter.ts";
import type { RevertPlan } from "./plan-revert.ts";
import { runOnce } from "./run-once.ts";
import { significantOptions } from "./significant-arguments.ts";
import { waitForNextTry } from "./wait-for-next-try.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What taking commits back works with. */
export interface RevertFilesParts {
  readonly context: WorkspaceContext;
  readonly log: RevisionLog;
  readonly order: CallOrder;
  readonly committer: Committer;
  readonly idempotency: Idempotency;
  readonly mergePolicy: "content" | "path";
}

/** The commits that a call names, or why they cannot be found; told only once it is known that the call did not take effect before. */
type Found =
  | { readonly revisions: readonly LoggedRevision[] }
  | { readonly revisions?: undefined; readonly error: unknown };

/** Takes commits back: in the order of the calls, once for each key, and again when it loses a race. */
export class RevertFiles {
  readonly #parts: RevertFilesParts;

  constructor(parts: RevertFilesParts) {
    this.#parts = parts;
  }

  /** Takes back what the target names; its arguments have been checked. */
  async revert(target: RevertTarget, options: RevertOptions): Promise<RevertResult> {
    const { context, order, idempotency } = this.#parts;
    const { idempotencyKey, signal, paths, resolutions: _resolutions, ...call } = options;
    const wants = paths === undefined ? () => true : pathsFilter(paths);
    const found = await findTargets(this.#parts.log, target, { signal }).then(
      (revisions): Found => ({ revisions }),
      (error: unknown): Found => ({ error }),
    );
    const folds = !context.files.capabilities.caseSensitive;
    const touched = new Set(found.revisions?.flatMap(({ entry }) => [...entry.delta.changes.keys()]));
    const claims = {
      paths: [...touched].flatMap((path) => claimsOf(path, folds)),
      names: idempotencyKey === undefined ? [] : [`key:${idempotency.hashOf(idempotencyKey)}`],
    };
    const args = () => ({ target, options: significantOptions(options) });
    const work = () =>
      runOnce(
        { idempotency, hashing: context.hashing },
        { operation: "revert", arguments: args, options },
        async (keyed) => {
          if (found.revisions === undefined) throw found.error;
          const { revisions } = found;
          const committing = {
            operation: "revert",
            cause: "revert",
            options: { ...call, idempotencyKey, signal },
            keyed,
          } as const;
          return await this.#attempt(committing, { revisions, wants, options });
        },
      );
    return await order.run(claims, work, signal);
  }

  async #attempt(
    call: CommitCall,
    {
      revisions,
      wants,
      options,
    }: {
      readonly revisions: readonly LoggedRevision[];
      readonly wants: (path: string) => boolean;
      readonly options: RevertOptions;
    },
  ): Promise<RevertResult> {
    const { committer, mergePolicy } = this.#parts;
    const { signal, resolutions } = options;
    const request = { revisions, wants, resolutions, mergePolicy };
    const { planRevert } = await import("./plan-revert.ts");
    for (let attempt = 0; attempt < mostAttempts; attempt++) {
      if (attempt > 0) await waitForNextTry(attempt - 1, retryClock, { signal });
      const plan = await planRevert(this.#parts, request, { signal });
      if (plan.planned === undefined) return await this.#conflicted(revisions, plan, options);
      const tried = await committer.commitPlan(call, plan.planned);
      if (tried.result !== undefined) return revertResult(tried.result);
      refuseLostKey(tried);
    }
    throw busy([...(revisions[0]?.entry.delta.changes.keys() ?? [])], mostAttempts);
  }

  /** What is told when nothing is written because somebody has to decide first. */
  async #conflicted(
    revisions: readonly LoggedRevision[],
    { conflicts, mergedPaths }: RevertPlan & { readonly planned?: undefined },
    { dryRun, signal }: RevertOptions,
  ): Promise<RevertResult> {
    const { log, context } = this.#parts;
    const { workspaceRevision } = await log.head({ signal });
    return revertResult({
      dryRun: dryRun === true,
      alreadyApplied: true,
      idempotentReplay: false,
      workspaceRevision,
      revisionAlgorithm: context.revisionAlgorithm,
      files: [],
      additions: 0,
      removals: 0,
      warnings: [],
      revisions: revisions.map(({ id }) => id),
      mergedPaths,
      conflicts,
    });
  }
}

/** Finds the commits that a target names, the newest first, each once. */
export async function findTargets(
  log: RevisionLog,
  target: RevertTarget,
  { signal }: { readonly signal?: AbortSignal | undefined },
): Promise<readonly LoggedRevision[]> {
  const found = new Map<number, LoggedRevision>();
  if (typeof target === "string" || isList(target)) {
    for (const id of typeof target === "string" ? [target] : target) {
      const revision = await log.revision(id, { signal });
      found.set(revision.sequence, revision);
    }
  } else {
    const path = target.path === undefined ? undefined : parsePath(target.path, { folder: true });
    const filter = { ...target, path: path === "" ? undefined : path, signal };
    for await (const revision of log.find(filter)) found.set(revision.sequence, revision);
  }
  return [...found.values()].sort((a, b) => b.sequence - a.sequence);
}

function isList(target: RevertTarget): target is readonly string[] {
  return Array.isArray(target);
}
