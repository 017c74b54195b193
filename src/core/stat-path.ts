import { timeSlice } from "../base/clock.ts";
import type { StatOptions } from "../schema/read-options.ts";
import type { FileStat } from "../schema/read-results.ts";
import type { WorkspacePath } from "../tree/workspace-path.ts";
import { isFolder } from "./find-file.ts";
import { revisionOf } from "./fingerprint.ts";
import { followLinks } from "./follow-links.ts";
import { loadFolder } from "./load-folder.ts";
import { readStored } from "./read-stored.ts";
import type { ViewContext } from "./workspace-context.ts";

/** Tells what is at a path as `FileView.stat` promises; `""` is the root. */
export async function statPath(
  context: ViewContext,
  path: WorkspacePath,
  options: StatOptions,
): Promise<FileStat | undefined> {
  const here = await statHere(context, path, options);
  if (here !== undefined || path === "") return here;
  const real = await followLinks(context.files, path, { signal: options.signal, keepLast: true });
  const behind = real === path ? undefined : await statHere(context, real, options);
  return behind === undefined ? undefined : { ...behind, path };
}

async function statHere(
  context: ViewContext,
  path: WorkspacePath,
  options: StatOptions,
): Promise<FileStat | undefined> {
  const { signal, revision } = options;
  if (path === "") return await statFolder(context, path, options);
  if (revision === true) {
    const stored = await readStored(context, path, { signal, limit: "binaryBytes" });
    if (stored === undefined) return await statFolder(context, path, options);
    const { kind, byteLength, executable, bytes } = stored;
    const named = await revisionOf(context, bytes, timeSlice({ signal }));
    context.reads?.remember(path, named, stored);
    return { path, kind, byteLength, executable, revision: named };
  }
  const found = await context.files.stat(path, { signal });
  if (found === undefined) return await statFolder(context, path, options);
  const { kind, byteLength, executable } = found;
  return { path, kind, byteLength, executable };
}

async function statFolder(
  context: ViewContext,
  path: WorkspacePath,
  options: StatOptions,
): Promise<FileStat | undefined> {
  const { signal, revision } = options;
  const folder = { path, kind: "directory", byteLength: 0, executable: false } as const;
  if (revision === true) {
    const loaded = await loadFolder(context, path, { signal });
    return loaded.files.size === 0 && path !== "" ? undefined : { ...folder, revision: loaded.revision };
  }
  return path === "" || (await isFolder(context.files, path, { signal })) ? folder : undefined;
}
