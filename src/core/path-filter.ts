import { ancestorsOf } from "../tree/path-parts.ts";
import { matchesGlob, parseGlob } from "./glob.ts";

/** Decides by globs which paths a listing gives. */
export interface PathFilter {
  /** Whether the path itself is wanted. */
  accepts(path: string): boolean;
  /** Whether a path is left out, and with it all that is below it. */
  excludes(path: string): boolean;
}

/** Makes a filter: a path must match one of `glob`, and no part of it may match one of `exclude`. */
export function pathFilter(options: {
  readonly glob?: string | readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}): PathFilter {
  const wanted = options.glob === undefined ? undefined : [options.glob].flat().map(parseGlob);
  const unwanted = (options.exclude ?? []).map(parseGlob);
  return {
    accepts: (path) => wanted === undefined || wanted.some((glob) => matchesGlob(glob, path)),
    excludes: (path) => unwanted.some((glob) => matchesGlob(glob, path)),
  };
}

/** Says whether a path or a folder that holds it is excluded. */
export function isExcluded(filter: PathFilter, path: string): boolean {
  return filter.excludes(path) || ancestorsOf(path).some((folder) => filter.excludes(folder));
}

/**
 * Makes a filter of paths that are each a file, a folder that stands for all below it, or a glob.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for what is no glob.
 */
export function pathsFilter(paths: readonly string[]): (path: string) => boolean {
  const named = new Set(paths.map((path) => path.replace(/^\.\//, "").replace(/\/$/, "")));
  const globs = paths.map(parseGlob);
  return (path) =>
    named.has(path) ||
    ancestorsOf(path).some((folder) => named.has(folder)) ||
    globs.some((glob) => matchesGlob(glob, path));
}
