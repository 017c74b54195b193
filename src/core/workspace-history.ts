import type { ApplyOptions } from "../schema/apply-options.ts";
import { parseInput } from "../schema/check-input.ts";
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
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import type { FileHistory } from "./file-history.ts";
import type { FileView } from "./file-view.ts";
import type { WorkspaceParts } from "./open-workspace.ts";
import { parsePath } from "./parse-path.ts";
import { PastView, type PastViewParts } from "./past-view.ts";

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
      return parts.log.list({ ...checked, path: path === "" ? undefined : path });
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
}
