import { EventBuffer } from "../base/event-buffer.ts";
import { describeRevision, type LoggedRevision, type RevisionLog } from "../history/revision-log.ts";
import type { EventOptions } from "../schema/revision-info.ts";
import type { WorkspaceEvent } from "../schema/workspace-event.ts";
import { pathFilter } from "./path-filter.ts";

/** Events that wait for one slow reader before the oldest are dropped. */
const mostWaiting = 1024;

/** What this handle tells besides commits. */
export type WorkspaceNotice = Extract<WorkspaceEvent, { readonly type: "conflicted" | "transactionUpdated" }>;

/** What waits for a reader: a commit, something else that happened, or the note that some were dropped. */
type Delivery =
  | { readonly revision: LoggedRevision }
  | { readonly revision?: undefined; readonly event: WorkspaceEvent };

/**
 * Tells readers of commits, in the order of the log and without gaps. The log is read on whenever this handle has committed, so that commits of
 * other handles are told with the next one of this handle at the latest.
 */
export class WorkspaceEvents {
  readonly #log: RevisionLog;
  readonly #buffer = new EventBuffer<Delivery>({
    capacity: mostWaiting,
    overflow: (missed) => ({ event: { type: "overflow", missed } }),
  });
  #told: number;
  /** The workspace revision of `#told`, when it is known. */
  #toldId: string | undefined;
  #readers = 0;
  #telling: Promise<void> = Promise.resolve();

  constructor(log: RevisionLog, newest: number) {
    this.#log = log;
    this.#told = newest;
  }

  /** Notes that this handle has committed. */
  committed(sequence: number): void {
    if (this.#readers === 0) this.#skipTo(sequence);
    // A log that cannot be read now is read on after the next commit: readers get everything later, and in order.
    else this.#telling = this.#telling.then(() => this.#tell()).catch(() => undefined);
  }

  /** Tells readers of something that is no commit, behind the commits that were made before it. */
  notify(event: WorkspaceNotice): void {
    if (this.#readers > 0)
      this.#telling = this.#telling.then(() => this.#buffer.publish({ event })).catch(() => undefined);
  }

  /** Begins to keep events for a reader, from this call on. */
  subscribe(options: EventOptions): AsyncIterableIterator<WorkspaceEvent> {
    const wants = commitFilter(options.paths);
    const wantsNotice = noticeFilter(options.paths);
    const live = this.#buffer.subscribe({
      signal: options.signal,
      wants: (delivery) =>
        delivery.revision === undefined ? wantsNotice(delivery.event) : wants(delivery.revision),
    });
    this.#readers += 1;
    const events = this.#read(options, wants, live);
    let left = false;
    const leave = async () => {
      if (!left) this.#readers -= 1;
      left = true;
      await live.return?.();
    };
    return {
      next: async () => {
        const result = await events.next();
        if (result.done === true) await leave();
        return result;
      },
      return: async () => {
        await leave();
        return await events.return(undefined);
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Ends all readers once they have what waits for them. */
  async close(): Promise<void> {
    await this.#telling;
    this.#buffer.close();
  }

  #skipTo(sequence: number): void {
    if (sequence <= this.#told) return;
    this.#told = sequence;
    this.#toldId = undefined;
  }

  async #tell(): Promise<void> {
    for await (const revision of this.#log.readAfter({ sequence: this.#told, id: this.#toldId }, {})) {
      this.#told = revision.sequence;
      this.#toldId = revision.id;
      this.#buffer.publish({ revision });
    }
  }

  #read(
    { since, signal }: EventOptions,
    wants: CommitFilter,
    live: AsyncIterable<Delivery>,
  ): AsyncGenerator<WorkspaceEvent, undefined, undefined> {
    const log = this.#log;
    let last = this.#told;
    return (async function* () {
      if (since !== undefined) {
        last = await log.sequenceOf(since, { signal });
        for await (const revision of log.readAfter({ sequence: last }, { signal })) {
          last = revision.sequence;
          if (wants(revision)) yield committedEvent(revision);
        }
      }
      for await (const delivery of live) {
        if (delivery.revision === undefined) yield delivery.event;
        else if (delivery.revision.sequence > last) yield committedEvent(delivery.revision);
      }
      return undefined;
    })();
  }
}

type CommitFilter = (revision: LoggedRevision) => boolean;

function commitFilter(paths: EventOptions["paths"]): CommitFilter {
  if (paths === undefined) return () => true;
  const filter = pathFilter({ glob: paths });
  return ({ entry }) => [...entry.delta.changes.keys()].some((path) => filter.accepts(path));
}

/** What concerns no paths concerns every reader. */
function noticeFilter(paths: EventOptions["paths"]): (event: WorkspaceEvent) => boolean {
  if (paths === undefined) return () => true;
  const filter = pathFilter({ glob: paths });
  return (event) =>
    !("paths" in event) || event.paths.length === 0 || event.paths.some((path) => filter.accepts(path));
}

function committedEvent(revision: LoggedRevision): WorkspaceEvent {
  const type = revision.entry.cause === "external" ? "external" : "committed";
  return { type, revision: describeRevision(revision) };
}
