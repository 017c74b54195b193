import type { FileSystem } from "../../../src/storage/directory/file-system.ts";

/** Makes a file system behave like one of another kind. */
export type FileSystemLayer = (inner: FileSystem) => FileSystem;

/** Puts layers on a file system, the first one nearest to it. */
export function layered(inner: FileSystem, layers: readonly FileSystemLayer[]): FileSystem {
  return layers.reduce((below, layer) => layer(below), inner);
}

/** An error as the platform gives it. */
export function platformError(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: ${call}`), { code, syscall: call });
}
