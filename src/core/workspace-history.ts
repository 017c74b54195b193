import type { CancelOptions } from "../base/clock.ts";
import { describeRevision, type LoggedRevision } from "../history/revision-log.ts";
import type { HistoryReport } from "../history/verify-history.ts";
import type { ApplyOptions } from "../schema/apply-options.ts";
import { idempotencyKeySchema } from "../schema/apply-options.ts";
import { parseInput } from "../schema/check-input.ts";
import type { Outcome, RecordedAnswer } from "../schema/outcome.ts";
import { type Retention, retentionSchema } from "../schema/retention.ts";
import {
  type RevertOptions,
  type RevertTarget,
  revertOptionsSchema,
  revertTargetSchema,
} from "../schema/revert-options.ts";
import type { RevertResult } from "../schema/revert-result.ts";
import {
  type EventOptions,
  eventOptionsSchema,
  type HistoryOptions,
  historyOptionsSchema,
  type RevisionInfo,
  workspaceRevisionSchema,
} from "../schema/revision-info.ts";
import { cancelOptionsSchema } from "../schema/signal.ts";
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import type { WorkspaceInfo } from "../schema/workspace-info.ts";
import { describeWorkspace } from "./describe-workspace.ts";
import type { FileHistory } from "./file-history.ts";
import type { FileView } from "./file-view.ts";
import type { PruneResult } from "./history-pruner.ts";
import { knownContent } from "./known-content.ts";
import type { WorkspaceParts } from "./open-workspace.ts";
import { parsePath } from "./parse-path.ts";
import { PastView, type PastViewParts } from "./past-view.ts";
import { runRecorded } from "./run-recorded.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What the history of a workspace works with. */
export interface WorkspaceHistoryParts {
  readonly parts: WorkspaceParts;
  readonly views: PastViewParts;
  /** Lets a call in that changes files, or refuses it; its options have not been checked yet. */
  readonly enter: <T>(options: ApplyOptions, work: () => Promise<T>) => Promise<T>;
}

/** The half of a workspace that is about its past: checks the arguments and hands on what they come to. */
export class WorkspaceHistory implements FileHistory {
  readonly #parts: WorkspaceHistoryParts;

  constructor(parts: WorkspaceHistoryParts) {
    this.#parts = parts;
  }

  /** {@inheritDoc FileHistory.history} */
  history(options: HistoryOptions = {}): AsyncIterable<RevisionInfo> {
    const { parts, views } = this.#parts;
    return views.lifecycle.iterate(options, () => {
      const checked = parseInput(historyOptionsSchema, options, "options");
      const path = checked.path === undefined ? undefined : parsePath(checked.path, { folder: true });
      return describeAll(
        parts,
        parts.log.find({ ...checked, path: path === "" ? undefined : path }),
        checked,
      );
    });
  }

  /** {@inheritDoc FileHistory.at} */
  at(revision: string): FileView {
    const { views } = this.#parts;
    views.lifecycle.refuseIfClosing();
    return new PastView(views, parseInput(workspaceRevisionSchema, revision, "revision"));
  }

  /** {@inheritDoc FileHistory.revert} */
  async revert(target: RevertTarget, options: RevertOptions = {}): Promise<RevertResult> {
    const { parts, enter } = this.#parts;
    return await enter(options, async () => {
      const checked = parseInput(revertOptionsSchema, options, "options");
      return await parts.revertFiles.revert(parseInput(revertTargetSchema, target, "target"), checked);
    });
  }

  /** {@inheritDoc FileHistory.events} */
  events(options: EventOptions = {}): AsyncIterable<WorkspaceEvent> {
    const { parts, views } = this.#parts;
    views.lifecycle.refuseIfClosing();
    return parts.events.subscribe(parseInput(eventOptionsSchema, options, "options"));
  }

  /** {@inheritDoc FileHistory.prune} */
  async prune(retention?: Retention, options: CancelOptions = {}): Promise<PruneResult> {
    const { parts, enter } = this.#parts;
    return await enter(options, async () => {
      const { signal } = parseInput(cancelOptionsSchema, options, "options");
      const kept = parseInput(retentionSchema.optional(), retention, "retention");
      return await parts.pruner.prune(kept, { signal });
    });
  }

  /** {@inheritDoc FileHistory.verifyHistory} */
  async verifyHistory(options: CancelOptions = {}): Promise<HistoryReport> {
    const { parts, views } = this.#parts;
    return await views.lifecycle.run(options, async () => {
      const { signal } = parseInput(cancelOptionsSchema, options, "options");
      const { storage, hashing } = parts.context;
      const { verifyHistory } = await import("../history/verify-history.ts");
      return await verifyHistory(storage, hashing, { signal });
    });
  }

  /** {@inheritDoc FileHistory.info} */
  async info(options: CancelOptions = {}): Promise<WorkspaceInfo> {
    const { parts, views } = this.#parts;
    return await views.lifecycle.run(options, async () => {
      return await describeWorkspace(parts, parseInput(cancelOptionsSchema, options, "options"));
    });
  }

  /** {@inheritDoc FileHistory.reload} */
  async reload(options: CancelOptions = {}): Promise<WorkspaceInfo> {
    const { parts, views } = this.#parts;
    return await views.lifecycle.run(options, async () => {
      const { signal } = parseInput(cancelOptionsSchema, options, "options");
      const { mode, handle, recordExternal } = parts;
      if (mode !== "inspectionOnly") await recordExternal({ signal });
      handle.epoch += 1;
      handle.isOutOfDate = false;
      return await describeWorkspace(parts, { signal });
    });
  }

  /** {@inheritDoc FileHistory.outcome} */
  async outcome(idempotencyKey: string, options: CancelOptions = {}): Promise<Outcome> {
    const { parts, views } = this.#parts;
    return await views.lifecycle.run(options, async () => {
      const key = parseInput(idempotencyKeySchema, idempotencyKey, "idempotencyKey");
      const { signal } = parseInput(cancelOptionsSchema, options, "options");
      return await parts.idempotency.outcome(key, { signal });
    });
  }

  /** {@inheritDoc FileHistory.once} */
  async once<T extends RecordedAnswer>(
    idempotencyKey: string,
    run: (options: { readonly idempotencyKey: string }) => Promise<T>,
  ): Promise<T> {
    const { parts, views } = this.#parts;
    return await views.lifecycle.run(undefined, async () => {
      const key = parseInput(idempotencyKeySchema, idempotencyKey, "idempotencyKey");
      return await runRecorded(parts, key, run);
    });
  }
}

/** Tells revisions, and of those that found changes from outside whether the bytes found are still known. */
async function* describeAll(
  { context }: WorkspaceParts,
  revisions: AsyncIterable<LoggedRevision>,
  { signal }: CancelOptions,
): AsyncGenerator<RevisionInfo, void, undefined> {
  for await (const revision of revisions) {
    const info = describeRevision(revision);
    const isUnknown = revision.entry.cause === "external" && !(await isKnown(context, revision, { signal }));
    yield isUnknown ? { ...info, bytes: "unknown" } : info;
  }
}

async function isKnown(
  context: WorkspaceContext,
  { entry }: LoggedRevision,
  options: CancelOptions,
): Promise<boolean> {
  for (const [path, { after }] of entry.delta.changes)
    if (after !== undefined && (await knownContent(context, after, [path], options)) === undefined)
      return false;
  return true;
}
