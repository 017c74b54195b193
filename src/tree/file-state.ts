/** What is at a path, with its bytes named by their SHA-256. */
export interface FileState {
  /** File or symbolic link. */
  readonly kind: "file" | "symlink";
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly contentId: string;
  /** Length of the bytes. */
  readonly byteLength: number;
  /** Whether it may be run. */
  readonly executable: boolean;
}

/** Says whether two states are the same, absence included. */
export function equalStates(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.kind === b.kind && a.contentId === b.contentId && a.executable === b.executable;
}
