/**
 * What needs Node: workspaces on real directories.
 *
 * @packageDocumentation
 */

export { HoldfastError } from "./base/holdfast-error.ts";
export { type OpenDirectoryOptions, openDirectory } from "./node/open-directory.ts";
export type { DirectoryStorageOptions } from "./storage/directory/directory-options.ts";
export { DirectoryStorage } from "./storage/directory/directory-storage.ts";
export type { StorageAdapter } from "./storage/storage-adapter.ts";
