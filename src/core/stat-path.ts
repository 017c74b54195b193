import { timeSlice } from "../base/clock.ts";
import type { StatOptions } from "../schema/read-options.ts";
import type { FileStat } from "../schema/read-results.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import { isFolder } from "./find-file.ts";
import { revisionOf } from "./fingerprint.ts";
import { loadFolder } from "./load-folder.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Tells what is at a path as `FileView.stat` promises; `""` is the root. */
export async function statPath(
  context: WorkspaceContext,
  path: WorkspacePath,
  options: StatOptions,
): Promise<FileStat | undefined> {
  const { signal } = options;
  const found = path === "" ? undefined : await context.storage.stat(path, { signal });
  if (found === undefined) return await statFolder(context, path, options);
  const { kind, byteLength, executable } = found;
  if (options.revision !== true) return { path, kind, byteLength, executable };
  const stored = await context.storage.read(path, { signal });
  if (stored === undefined) return await statFolder(context, path, options);
  const revision = await revisionOf(context, stored.bytes, timeSlice());
  return {
    path,
    kind: stored.kind,
    byteLength: stored.bytes.byteLength,
    revision,
    executable: stored.executable,
  };
}

async function statFolder(
  context: WorkspaceContext,
  path: WorkspacePath,
  options: StatOptions,
): Promise<FileStat | undefined> {
  const { signal, revision } = options;
  const folder = { path, kind: "directory", byteLength: 0, executable: false } as const;
  if (revision === true) {
    const loaded = await loadFolder(context, path, { signal });
    return loaded.files.size === 0 && path !== "" ? undefined : { ...folder, revision: loaded.revision };
  }
  return path === "" || (await isFolder(context.storage, path, { signal })) ? folder : undefined;
}
