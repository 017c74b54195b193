import type { CancelOptions } from "../base/clock.ts";
import type { ListedFile, StoredFile, StoredStat } from "../storage/storage-adapter.ts";
import { tooLongToRead } from "../storage/storage-errors.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import type { FileState } from "../tree/file-state.ts";
import { pathKey } from "../tree/path-key.ts";
import { compareText, isBelow } from "../tree/path-parts.ts";

/** What lies over the files of a storage: other states at some paths, the absence of a file among them. */
export interface Overlay {
  /** Every path that it speaks of, in its one spelling, with the state there; `undefined`: nothing is there. */
  readonly states: ReadonlyMap<string, FileState | undefined>;
  /** Gives the bytes of a state. Throws when they are not known any more. */
  bytesOf(path: string, state: FileState, options: CancelOptions): Promise<Uint8Array>;
}

/**
 * Gives files as they are with an overlay over them: where the overlay speaks of a path it decides, and elsewhere the files below do. Its files
 * have versions of their own, which change whenever their state does and mean nothing to a storage.
 */
export function overlayFiles(below: StoredFiles, overlay: Overlay): StoredFiles {
  return new OverlaidFiles(below, overlay);
}

class OverlaidFiles implements StoredFiles {
  readonly #below: StoredFiles;
  readonly #overlay: Overlay;
  /** Where the files below take spellings for one file: the overlay's spelling of each key. */
  readonly #spellings: ReadonlyMap<string, string> | undefined;
  #sorted: readonly string[] | undefined;

  constructor(below: StoredFiles, overlay: Overlay) {
    this.#below = below;
    this.#overlay = overlay;
    if (!below.capabilities.caseSensitive) this.#spellings = spellingsOf(overlay);
  }

  get capabilities(): StoredFiles["capabilities"] {
    return this.#below.capabilities;
  }

  async stat(path: string, options: CancelOptions): Promise<StoredStat | undefined> {
    const found = this.#find(path);
    if (found === undefined) return await this.#below.stat(path, options);
    return found.state === undefined ? undefined : statOf(found.state);
  }

  async read(
    path: string,
    options: CancelOptions & { readonly maxBytes?: number | undefined },
  ): Promise<StoredFile | undefined> {
    const found = this.#find(path);
    if (found === undefined) return await this.#below.read(path, options);
    const { state } = found;
    if (state === undefined) return undefined;
    const { maxBytes = Number.POSITIVE_INFINITY, signal } = options;
    if (state.byteLength > maxBytes) throw tooLongToRead(path, state.byteLength, maxBytes);
    return { ...statOf(state), bytes: await this.#overlay.bytesOf(found.path, state, { signal }) };
  }

  async *list(options: Parameters<StoredFiles["list"]>[0]): AsyncGenerator<ListedFile, void, undefined> {
    const { states } = this.#overlay;
    const own = this.#ownPaths(options.under, options.after);
    let next = own.next();
    for await (const file of this.#below.list(options)) {
      for (; next.done !== true && compareText(next.value, file.path) <= 0; next = own.next())
        yield* listed(next.value, states);
      if (this.#find(file.path) === undefined) yield file;
    }
    for (; next.done !== true; next = own.next()) yield* listed(next.value, states);
  }

  #find(path: string): { readonly path: string; readonly state: FileState | undefined } | undefined {
    const { states } = this.#overlay;
    if (states.has(path)) return { path, state: states.get(path) };
    const spelling = this.#spellings?.get(pathKey(path));
    return spelling === undefined ? undefined : { path: spelling, state: states.get(spelling) };
  }

  *#ownPaths(under: string | undefined, after: string | undefined): Generator<string, undefined, undefined> {
    this.#sorted ??= [...this.#overlay.states.keys()].sort(compareText);
    for (const path of this.#sorted) {
      if (after !== undefined && compareText(path, after) <= 0) continue;
      if (under === undefined || isBelow(path, under)) yield path;
    }
    return undefined;
  }
}

/** A key may be both taken away in one spelling and put in another: the file that is there decides. */
function spellingsOf({ states }: Overlay): ReadonlyMap<string, string> {
  const spellings = new Map<string, string>();
  for (const [path, state] of states) {
    const key = pathKey(path);
    if (state !== undefined || !spellings.has(key)) spellings.set(key, path);
  }
  return spellings;
}

function statOf({
  kind,
  byteLength,
  executable,
  contentId,
}: FileState): StoredStat & { readonly version: string } {
  const version = `${kind === "symlink" ? "l" : executable ? "x" : "f"}:${contentId}`;
  return { kind, byteLength, executable, version };
}

function* listed(path: string, states: Overlay["states"]): Generator<ListedFile, void, undefined> {
  const state = states.get(path);
  if (state !== undefined) yield { path, kind: state.kind, byteLength: state.byteLength };
}
