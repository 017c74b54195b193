import { type OpenOptions, Workspace } from "holdfast";
import { type TestStorage, type TestStorageOptions, testStorage } from "./test-storage.ts";

/** A workspace and the storage that it works on. */
export interface TestWorkspace extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly storage: TestStorage;
}

/** Opens a workspace on a fresh storage that holds the given files. */
export async function testWorkspace(
  files: TestStorageOptions["files"] = {},
  options: OpenOptions & Pick<TestStorageOptions, "caseFold"> = {},
): Promise<TestWorkspace> {
  const { caseFold, ...open } = options;
  const storage = testStorage({ files, caseFold });
  const workspace = await Workspace.open(storage, open);
  return { workspace, storage, [Symbol.asyncDispose]: () => workspace.close() };
}
