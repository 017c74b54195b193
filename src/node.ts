/**
 * What needs Node: workspaces on real directories.
 *
 * @packageDocumentation
 */
export type { DirectoryStorageOptions } from "./storage/directory/directory-adapter.ts";
export { DirectoryStorage } from "./storage/directory/directory-storage.ts";
