import { MemoryStorage, type MemoryStorageOptions, type OpenOptions, Workspace } from "holdfast";

/** A workspace and the memory that it works on. */
export interface MemoryWorkspace extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly storage: MemoryStorage;
}

/** Opens a workspace on a fresh storage that holds the given files. */
export async function memoryWorkspace(
  files: MemoryStorageOptions["files"] = {},
  options: OpenOptions & Pick<MemoryStorageOptions, "caseFold" | "readOnlyPaths"> = {},
): Promise<MemoryWorkspace> {
  const { caseFold, readOnlyPaths, ...open } = options;
  const storage = new MemoryStorage({ files, caseFold, readOnlyPaths });
  const workspace = await Workspace.open(storage, open);
  return { workspace, storage, [Symbol.asyncDispose]: () => workspace.close() };
}
