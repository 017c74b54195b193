import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { StorageAdapter, StoredStat } from "../storage/storage-adapter.ts";
import { ancestorsOf } from "../tree/path-parts.ts";
import { quotePath } from "../tree/quote-path.ts";
import { similarPaths } from "../tree/similar-paths.ts";
import { parseWorkspacePath, type WorkspacePath } from "../tree/workspace-path.ts";

/** A file that is to be read, and where it really is. */
export interface FoundFile {
  /** Its own path, links followed. */
  readonly path: WorkspacePath;
  /** What is there. */
  readonly stat: StoredStat;
}

const mostLinks = 40;

/** Files that are looked at for paths near a wrong one. */
const mostCandidates = 2000;

/**
 * Finds the file to read at a path, following links that stay inside.
 *
 * @throws {@link HoldfastError} `NOT_FOUND` with near paths, `IS_DIRECTORY`, or `SYMLINK_ESCAPE` for a link that leaves the root or leads round.
 */
export async function findFile(
  storage: StorageAdapter,
  path: WorkspacePath,
  options: CancelOptions,
): Promise<FoundFile> {
  let at = path;
  for (let links = 0; links < mostLinks; links++) {
    const stat = await storage.stat(at, options);
    if (stat === undefined) throw await absence(storage, at, options);
    if (stat.kind === "file") return { path: at, stat };
    const link = await storage.read(at, options);
    if (link?.kind === "symlink") at = followLink(at, new TextDecoder().decode(link.bytes));
  }
  throw new HoldfastError("SYMLINK_ESCAPE", { message: `The links at ${quotePath(path)} lead to no file.` });
}

/** Makes the refusal for a path where no file is: it names a folder, or nothing, and then says what is near. */
export async function absence(
  storage: StorageAdapter,
  path: string,
  options: CancelOptions,
): Promise<HoldfastError> {
  if (await isFolder(storage, path, options))
    return new HoldfastError("IS_DIRECTORY", { message: `${quotePath(path)} is a folder.` });
  const similar = await pathsNear(storage, path, options);
  const hint = similar.length === 0 ? "" : `; near it are ${similar.map(quotePath).join(", ")}`;
  return new HoldfastError("NOT_FOUND", {
    message: `There is no file at ${quotePath(path)}${hint}.`,
    details: { path, similar },
  });
}

/** Says whether there are files below a path. */
export async function isFolder(
  storage: StorageAdapter,
  path: string,
  options: CancelOptions,
): Promise<boolean> {
  for await (const _file of storage.list({ signal: options.signal, under: path })) return true;
  return false;
}

/** Up to three paths that are spelled like the given one, from around the place where it would be. */
export async function pathsNear(
  storage: StorageAdapter,
  path: string,
  options: CancelOptions,
): Promise<readonly string[]> {
  for (const folder of ["", ...ancestorsOf(path)].reverse()) {
    const candidates: string[] = [];
    for await (const file of storage.list({
      signal: options.signal,
      under: folder === "" ? undefined : folder,
    })) {
      candidates.push(file.path);
      if (candidates.length >= mostCandidates) break;
    }
    const similar = similarPaths(path, candidates);
    if (similar.length > 0) return similar;
  }
  return [];
}

function followLink(link: WorkspacePath, target: string): WorkspacePath {
  const segments = link.split("/").slice(0, -1);
  let leaves = target === "" || target.startsWith("/");
  for (const segment of target.split("/")) {
    if (segment === "..") leaves ||= segments.pop() === undefined;
    else if (segment !== "." && segment !== "") segments.push(segment);
  }
  const { path } = parseWorkspacePath(segments.join("/"));
  if (!leaves && path !== undefined) return path;
  throw new HoldfastError("SYMLINK_ESCAPE", {
    message: `The link ${quotePath(link)} does not lead to a file of the workspace.`,
  });
}
