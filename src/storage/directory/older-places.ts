import type { LocatedEntry, LogState } from "../log/log-state.ts";
import { errorNumber } from "./file-system.ts";
import { listHistory } from "./history-files.ts";
import { readHistoryFile } from "./read-history-file.ts";
import { damaged, loadSealed, mostLooks, type SegmentFilesHost } from "./segment-files.ts";

/** What one file of sealed revisions holds. */
interface OlderFile {
  readonly entries: readonly Pick<LocatedEntry, "entry" | "blobs">[];
  /** Last ordinal and last sequence before it. */
  readonly before: { readonly ordinal: number; readonly sequence: number };
  /** Last sequence in it. */
  readonly last: number;
}

/** Where sealed revisions lie, read when somebody asks for them, newest file first. Others may pack the files meanwhile: then it looks anew. */
export class OlderPlaces {
  readonly #host: SegmentFilesHost;
  /** The state that takes the places in; another one when the log is read anew. */
  readonly #state: () => LogState;
  /** The newest segment that was sealed when it began. */
  #sealed = 0;
  /** Segments from this one on have been read. */
  #segment = 1;
  /** Newest entry and newest revision that have not been read. */
  #newest = { ordinal: 0, sequence: 0 };
  /** Ordinals that notes which have been read take back. */
  #undone = new Set<number>();
  #resets = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: SegmentFilesHost, state: () => LogState) {
    this.#host = host;
    this.#state = state;
  }

  /** Begins anew behind the newest sealed segment: nothing has been read. @param state - What the log came to there. */
  reset(sealed: number, { ordinal, sequence }: Pick<LogState, "ordinal" | "sequence">): void {
    this.#sealed = sealed;
    this.#segment = sealed + 1;
    this.#newest = { ordinal, sequence };
    this.#undone = new Set();
    this.#resets += 1;
  }

  /**
   * Reads until the places from a sequence on are known.
   *
   * @throws `STORAGE_FAILED` when revisions that ought to be there are not.
   */
  load(sequence: number): Promise<void> {
    const done = this.#turn.then(() => this.#load(sequence));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #load(sequence: number): Promise<void> {
    for (let looks = 1; !this.#isLoaded(sequence); ) {
      if (await this.#loadNext()) continue;
      if (looks === mostLooks) throw damaged(`the history up to revision ${this.#newest.sequence}`);
      looks += 1;
      await this.#lookAnew();
    }
  }

  #isLoaded(sequence: number): boolean {
    return this.#newest.sequence < Math.max(sequence, this.#state().prunedBefore);
  }

  /** @returns whether there was a file that goes on where the last one began. */
  async #loadNext(): Promise<boolean> {
    const resets = this.#resets;
    const { files } = await listHistory(this.#host, this.#sealed);
    const next = files.findLast(({ segment }) => segment < this.#segment);
    const read = next === undefined ? undefined : await this.#read(next.file);
    if (resets !== this.#resets) return true;
    if (next === undefined || read === undefined || read.last < this.#newest.sequence) return false;
    for (const { entry } of read.entries) if (entry.kind === "undo") this.#undone.add(entry.of);
    this.#state().takeOlder(
      read.entries,
      ({ ordinal, undone }) => undone === true || this.#undone.has(ordinal),
    );
    this.#segment = next.segment;
    this.#newest = read.before;
    return true;
  }

  async #read(file: string): Promise<OlderFile | undefined> {
    const entries: Pick<LocatedEntry, "entry" | "blobs">[] = [];
    let before: OlderFile["before"] | undefined;
    let last = 0;
    try {
      for await (const { entry, blobs } of readHistoryFile(this.#host, file)) {
        // What lies behind the entries that the next segment builds on was never acknowledged.
        if (entry.ordinal > this.#newest.ordinal) break;
        if (entry.kind === "segment") before = entry;
        if (entry.kind === "commit") last = entry.sequence ?? last;
        entries.push({ entry, blobs });
      }
    } catch (error) {
      if (errorNumber(error) === "ENOENT") return undefined;
      throw error;
    }
    return before === undefined ? undefined : { entries, before, last: Math.max(before.sequence, last) };
  }

  /** Looks again where everything lies that is sealed by now. */
  async #lookAnew(): Promise<void> {
    const resets = this.#resets;
    const { segment, state } = await loadSealed(this.#host);
    if (resets !== this.#resets) return; // The log has been read anew meanwhile, and may know more.
    this.#state().forgetPlaces(state.sequence);
    this.reset(segment, state);
  }

  /** Forgets all places in sealed segments: a file is gone, so its revisions lie in another by now. */
  forget(): Promise<void> {
    const done = this.#turn.then(() => this.#lookAnew());
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /**
   * Reads what lies at a place.
   *
   * @param sequence - From this one on, places are known before it is looked for.
   * @param find - Finds the place; once more when its file has been packed meanwhile.
   * @param read - Reads it; `undefined` when the file is gone.
   */
  async read<Place, Found>(
    sequence: number,
    find: () => Place | undefined,
    read: (place: Place) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    for (let look = 1; look <= mostLooks; ) {
      await this.load(sequence);
      // Others may have begun anew before this call went on: then nothing may be missed yet.
      if (!this.#isLoaded(sequence)) continue;
      const place = find();
      const found = place === undefined ? undefined : await read(place);
      if (place === undefined || found !== undefined) return found;
      await this.forget();
      look += 1;
    }
    throw damaged("a segment, which is gone");
  }
}
