import type { StorageAdapter } from "./storage-adapter.ts";

/** Files as they can be read: those of a storage, or what lies over them. */
export type StoredFiles = Pick<StorageAdapter, "capabilities" | "stat" | "read" | "list">;
