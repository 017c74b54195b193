import type { FileState } from "./file-state.ts";

/** How one path changes. At least one of `before` and `after` is there; `undefined` is absence. */
export interface PathChange {
  /** The state that it replaces. */
  readonly before: FileState | undefined;
  /** The state that it leaves. */
  readonly after: FileState | undefined;
  /** Where `after` came from, when a move or copy brought it; a note, no part of equality or digest. */
  readonly origin?: { readonly kind: "moved" | "copied"; readonly path: string } | undefined;
}

/** How a tree changes: for each path the states before and after. Immutable; paths whose states are equal are left out. */
export interface Delta {
  /** The changed paths. */
  readonly changes: ReadonlyMap<string, PathChange>;
}
