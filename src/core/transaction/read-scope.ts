import { utf8 } from "../../base/bytes.ts";
import type { CancelOptions } from "../../base/clock.ts";
import { type Hashing, hashBytes } from "../../base/hashing.ts";
import type { Json } from "../../base/json.ts";
import type { Expectation, ListedFile, StoredFile, StoredStat } from "../../storage/storage-adapter.ts";
import type { StoredFiles } from "../../storage/stored-files.ts";
import { eachBounded } from "../each-bounded.ts";

/** What a look at a path saw: its version when it was read, else only what a look tells; `null`: nothing was there. */
type Seen = string | null;

/**
 * Remembers what is read through a transaction whose conflicts are about everything it has read: paths with what was seen there, and folders with
 * the names that a listing found in them.
 */
export class ReadScope {
  readonly #hashing: Hashing;
  readonly #paths = new Map<string, Seen>();
  readonly #folders = new Map<string, string>();
  #notes = 0;
  #savedNotes = 0;

  constructor(hashing: Hashing) {
    this.#hashing = hashing;
  }

  /** Whether something has been read that was not saved. */
  get isNew(): boolean {
    return this.#notes !== this.#savedNotes;
  }

  /** How often something was noted: what `saved` is told once that is written. */
  get notes(): number {
    return this.#notes;
  }

  /** Takes in that what had been noted by then is written. */
  saved(notes: number): void {
    this.#savedNotes = notes;
  }

  /** The same files, with a note of each reading. */
  watch(files: StoredFiles): StoredFiles {
    const note = (path: string, seen: Seen) => this.#note(path, seen);
    const listed = (under: string, paths: readonly string[]) => this.#noteFolder(under, paths);
    return {
      capabilities: files.capabilities,
      stat: async (path, options) => {
        const stat = await files.stat(path, options);
        note(path, lookOf(stat));
        return stat;
      },
      read: async (path, options) => {
        const file = await files.read(path, options);
        note(path, versionOf(file));
        return file;
      },
      list: (options) => watchListing(files.list(options), options, listed),
    };
  }

  /** Lists what is no longer as it was seen, sorted: paths, and folders whose listing changed. */
  async findChanged(files: StoredFiles, options: CancelOptions): Promise<readonly string[]> {
    const changed: string[] = [];
    await eachBounded([...this.#paths], async ([path, seen]) => {
      const isLook = seen === null || seen.startsWith(lookPrefix);
      const now = isLook
        ? lookOf(await files.stat(path, options))
        : versionOf(await files.read(path, options));
      if (now !== seen) changed.push(path);
    });
    for (const [under, digest] of this.#folders) {
      const paths: string[] = [];
      for await (const { path } of files.list({ ...options, under: under === "" ? undefined : under }))
        paths.push(path);
      if (this.#digestOf(paths) !== digest) changed.push(under);
    }
    return changed.sort();
  }

  /** What holds of the files as long as none that was read has changed; what was only looked at is left out. */
  expectations(): readonly Expectation[] {
    return [...this.#paths]
      .filter(([, seen]) => seen === null || !seen.startsWith(lookPrefix))
      .map(([key, version]) => ({ space: "files", key, version }));
  }

  /** Gives what is remembered, as plain data. */
  toJson(): Json {
    return { paths: [...this.#paths], folders: [...this.#folders] };
  }

  /** Forgets everything: a new baseline begins. */
  forget(): void {
    this.#paths.clear();
    this.#folders.clear();
    this.#savedNotes = this.#notes;
  }

  /** Takes in what {@link ReadScope.toJson} gave; what is remembered already stays. */
  addJson(json: Json): void {
    const { paths, folders } = json as {
      readonly paths: readonly [string, Seen][];
      readonly folders: readonly [string, string][];
    };
    for (const [path, seen] of paths) if (!this.#paths.has(path)) this.#paths.set(path, seen);
    for (const [under, digest] of folders) if (!this.#folders.has(under)) this.#folders.set(under, digest);
  }

  #note(path: string, seen: Seen): void {
    const before = this.#paths.get(path);
    const isMore = before?.startsWith(lookPrefix) === true && seen !== null && !seen.startsWith(lookPrefix);
    if (before !== undefined && !isMore) return;
    this.#paths.set(path, seen);
    this.#notes += 1;
  }

  #noteFolder(under: string, paths: readonly string[]): void {
    if (this.#folders.has(under)) return;
    this.#folders.set(under, this.#digestOf(paths));
    this.#notes += 1;
  }

  #digestOf(paths: readonly string[]): string {
    return hashBytes(this.#hashing, "sha256", utf8(JSON.stringify(paths)));
  }
}

const lookPrefix = "look:";

function lookOf(stat: StoredStat | undefined): Seen {
  if (stat === undefined) return null;
  return `${lookPrefix}${stat.kind}:${stat.byteLength}:${stat.executable}`;
}

function versionOf(file: StoredFile | undefined): Seen {
  return file?.version ?? null;
}

/** Only a listing that was read to its end tells what is in the folder. */
async function* watchListing(
  listing: AsyncIterable<ListedFile>,
  { under = "", after }: { readonly under?: string | undefined; readonly after?: string | undefined },
  noteFolder: (under: string, paths: readonly string[]) => void,
): AsyncGenerator<ListedFile, void, undefined> {
  const paths: string[] = [];
  for await (const file of listing) {
    paths.push(file.path);
    yield file;
  }
  if (after === undefined) noteFolder(under, paths);
}
