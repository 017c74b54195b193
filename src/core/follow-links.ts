import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import { quotePath } from "../tree/quote-path.ts";
import { parseWorkspacePath, type WorkspacePath } from "../tree/workspace-path.ts";

/** How links are followed. */
export interface FollowOptions extends CancelOptions {
  /** Leaves a link at the path itself as it is and follows only those in the places of its folders. Default: false. */
  readonly keepLast?: boolean | undefined;
}

const mostLinks = 40;

/** As long as a path may be. */
const longestTarget = 4096;

/**
 * Tells where a path leads, name by name: the target of a link is read from the real folder of that link, so that what comes back goes through
 * no link. Storages follow none; this is the one place where links are followed. `""` is the root.
 *
 * @throws {@link HoldfastError} `SYMLINK_ESCAPE` for a link that is absolute, leaves the root on its way or leads round, and `PROTECTED_PATH` for
 * one that leads into a protected name.
 */
export async function followLinks(
  files: StoredFiles,
  path: WorkspacePath,
  options: FollowOptions,
): Promise<WorkspacePath> {
  const { signal, keepLast = false } = options;
  const real: string[] = [];
  let ahead: readonly string[] = path.split("/");
  for (let links = 0; ; ) {
    const [segment, ...rest] = ahead;
    if (segment === undefined) return real.join("/") as WorkspacePath;
    ahead = rest;
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      if (real.pop() === undefined) throw refusal(path);
      continue;
    }
    const at = checkedPath(path, [...real, segment].join("/"));
    const isKept = keepLast && rest.length === 0;
    const target = isKept ? undefined : await targetAt(files, at, { signal });
    if (target === undefined) {
      real.push(segment);
      continue;
    }
    links += 1;
    if (links > mostLinks || target === "" || target.startsWith("/")) throw refusal(path);
    ahead = [...target.split("/"), ...rest];
  }
}

/** The target of the link at a path; `undefined` where no link is. */
async function targetAt(
  files: StoredFiles,
  at: WorkspacePath,
  options: CancelOptions,
): Promise<string | undefined> {
  const stat = await files.stat(at, options);
  if (stat?.kind !== "symlink") return undefined;
  if (stat.byteLength > longestTarget) return "";
  const link = await files.read(at, { ...options, maxBytes: longestTarget });
  return link?.kind === "symlink" ? new TextDecoder().decode(link.bytes) : undefined;
}

function checkedPath(asked: WorkspacePath, at: string): WorkspacePath {
  const { path, problem } = parseWorkspacePath(at);
  if (problem === undefined) return path;
  if (problem.code !== "PROTECTED_PATH") throw refusal(asked);
  throw new HoldfastError("PROTECTED_PATH", {
    message: `${quotePath(asked)} leads through a link to ${quotePath(at)}, which no call may touch.`,
  });
}

function refusal(path: WorkspacePath): HoldfastError {
  return new HoldfastError("SYMLINK_ESCAPE", {
    message: `${quotePath(path)} goes through a link that leaves the root, leads round or leads to no path of the workspace.`,
  });
}
