import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { StoredFile } from "../storage/storage-adapter.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { ancestorsOf } from "../tree/path-parts.ts";
import { quotePath } from "../tree/quote-path.ts";
import { similarPaths } from "../tree/similar-paths.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import { followLinks } from "./follow-links.ts";
import { type ReadStoredOptions, readStored } from "./read-stored.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Files that are looked at for paths near a wrong one. */
const mostCandidates = 2000;

/** A file, and where it really is. */
export interface FoundFile {
  /** Its path without links. */
  readonly realPath: string;
  /** What is there. */
  readonly stored: StoredFile;
}

/**
 * Reads the file at a path, following links that stay inside; a path without links takes one reading.
 *
 * @throws {@link HoldfastError} `NOT_FOUND` with near paths, `IS_DIRECTORY`, `LIMIT_EXCEEDED`, or `SYMLINK_ESCAPE` or `PROTECTED_PATH` for a link
 * that is not followed.
 */
export async function findFile(
  context: Pick<ViewContext, "files" | "limits">,
  path: WorkspacePath,
  options: ReadStoredOptions,
): Promise<FoundFile> {
  const { signal } = options;
  const stored = await readStored(context, path, options);
  if (stored?.kind === "file") return { realPath: path, stored };
  const real = await followLinks(context.files, path, { signal });
  const behind = real === "" ? undefined : await readStored(context, real, options);
  if (behind?.kind === "file") return { realPath: real, stored: behind };
  throw await absence(context.files, real, { signal });
}

/** Makes the refusal for a path without links where no file is: it names a folder, or nothing, and then says what is near. */
async function absence(files: StoredFiles, path: string, options: CancelOptions): Promise<HoldfastError> {
  if (await isFolder(files, path, options))
    return new HoldfastError("IS_DIRECTORY", {
      message: `${path === "" ? "The root" : quotePath(path)} is a folder, not a file.`,
    });
  const similar = await pathsNear(files, path, options);
  const hint = similar.length === 0 ? "" : `; near it are ${similar.map(quotePath).join(", ")}`;
  return new HoldfastError("NOT_FOUND", {
    message: `There is no file at ${quotePath(path)}${hint}.`,
    details: { path, similar },
  });
}

/** Says whether there are files below a path. */
export async function isFolder(files: StoredFiles, path: string, options: CancelOptions): Promise<boolean> {
  for await (const _file of files.list({ signal: options.signal, under: path })) return true;
  return false;
}

/** Up to three paths that are spelled like the given one, from around the place where it would be. */
export async function pathsNear(
  files: StoredFiles,
  path: string,
  options: CancelOptions,
): Promise<readonly string[]> {
  for (const folder of ["", ...ancestorsOf(path)].reverse()) {
    const candidates: string[] = [];
    for await (const file of files.list({
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
