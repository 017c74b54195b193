import { type CancelOptions, timeSlice } from "../base/clock.ts";
import type { ListedEntry } from "../schema/read-results.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { isBelow } from "../tree/path-parts.ts";

/** Which part of the tree to walk. */
export interface WalkOptions extends CancelOptions {
  /** Only what is below this folder; `""` is the root. */
  readonly under: string;
  /** Goes on after this place: a file's path, or a folder's with a trailing `/`. */
  readonly after?: string | undefined;
  /** How many levels below `under`. */
  readonly depth?: number | undefined;
  /** Asked once for each folder: whether to pass over it and all that is below it. */
  readonly skips?: ((folder: string) => boolean) | undefined;
}

/**
 * Walks files and the folders implied by them in one fixed order: by path, where a folder counts as its path with a trailing `/` and so comes
 * right before what it holds. What lies in skipped folders, or too deep, is not listed by the storage either.
 */
export async function* walkTree(
  files: StoredFiles,
  options: WalkOptions,
): AsyncGenerator<ListedEntry, void, undefined> {
  const { under, signal } = options;
  const pause = timeSlice();
  let after = options.after;
  let open: readonly string[] = under === "" ? [] : [under];
  for (;;) {
    let jump: string | undefined;
    const listing = files.list({ signal, after, under: under === "" ? undefined : under });
    for await (const { path, kind, byteLength } of listing) {
      const folders = foldersBetween(under, path);
      const common = open.filter((folder) => isBelow(path, folder));
      open = common;
      for (const folder of folders) {
        if (open.includes(folder)) continue;
        const hidden = options.skips?.(folder) === true;
        if (!hidden && isAfter(`${folder}/`, options.after))
          yield { path: folder, kind: "directory", byteLength: 0 };
        open = [...open, folder];
        if (hidden || levelOf(under, folder) >= (options.depth ?? Number.POSITIVE_INFINITY)) {
          jump = folder;
          break;
        }
      }
      if (jump !== undefined) break;
      yield { path, kind, byteLength };
      const waiting = pause();
      if (waiting !== undefined) await waiting;
    }
    if (jump === undefined) return;
    after = `${jump}/\uffff`;
  }
}

function isAfter(place: string, after: string | undefined): boolean {
  return after === undefined || place > after;
}

/** The folders below `under` that hold a path, outermost first. */
function foldersBetween(under: string, path: string): readonly string[] {
  const folders: string[] = [];
  const from = under === "" ? 0 : under.length + 1;
  for (let at = path.indexOf("/", from); at !== -1; at = path.indexOf("/", at + 1))
    folders.push(path.slice(0, at));
  return folders;
}

function levelOf(under: string, path: string): number {
  return path.slice(under === "" ? 0 : under.length + 1).split("/").length;
}
