import { MemoryStorage, type MemoryStorageOptions, type StorageAdapter } from "holdfast";
import type { OpenDirectory } from "./directory-ground.ts";
import { groundKind } from "./ground-kinds.ts";

/** A storage of the kind that the run is about, with a way past it. */
export interface TestStorage extends StorageAdapter {
  /** Every file: path to text, or to `base64:` and the Base64 of bytes that are no UTF-8. */
  toJSON(): Record<string, string>;
  /** Changes a file as another program would; `null` removes it. */
  writeOutside(path: string, content: string | Uint8Array | null): void;
  /** Makes a symbolic link as another program would; absent where no other program comes near. */
  linkOutside?(path: string, target: string): void;
}

/** How a test storage begins. */
export type TestStorageOptions = Omit<MemoryStorageOptions, "readOnlyPaths"> & {
  /** Of the files, those that are not written. */
  readonly readOnlyFiles?: readonly string[];
};

const openDirectory: OpenDirectory | undefined = groundKind.startsWith("memory")
  ? undefined
  : (await import("./directory-ground.ts")).directoryOf(groundKind);

/** Makes a fresh storage that holds the given files. `caseFold` is for tests that need the ability `folds`. */
export function testStorage(options: TestStorageOptions = {}): TestStorage {
  const { files = {}, caseFold = groundKind === "memory that folds", readOnlyFiles = [] } = options;
  if (openDirectory === undefined)
    return new MemoryStorage({ files, caseFold, readOnlyPaths: readOnlyFiles });
  const storage = openDirectory();
  for (const [path, content] of Object.entries(files)) storage.writeOutside(path, content);
  for (const path of readOnlyFiles) storage.forbidWriting(path);
  return storage;
}

/** Another storage over the same files and state, as another process would open it. */
export function sameGround(storage: TestStorage): TestStorage {
  return openDirectory === undefined ? storage : openDirectory(storage);
}
