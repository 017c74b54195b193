/** A side of a three-way merge: what both began from, what is there now, and what is brought. */
export type Side = "base" | "current" | "incoming";

/** What two changes disagree about. */
export type ConflictKind =
  | "content"
  | "addAdd"
  | "modifyDelete"
  | "renameRename"
  | "renameDelete"
  | "fileDirectory"
  | "mode"
  | "symlink"
  | "binary"
  | "pathCollision";

/** A file of a conflict that is about several. */
export interface ConflictFile {
  /** Its path on this side. */
  readonly path: string;
  /** Its revision; left out when its bytes are not known. */
  readonly revision?: string;
}

/** What one side of a conflict has. */
export interface ConflictSide {
  /** Its path on this side. */
  readonly path: string;
  /** What is there. */
  readonly kind: "file" | "symlink" | "directory";
  /** Whether it may be run. */
  readonly executable: boolean;
  /** Its revision; left out for folders, and when its bytes are not known. */
  readonly revision?: string;
  /** Its text without a byte order mark; of a link its target. Left out for binary files and when its bytes are not known. */
  readonly text?: string;
  /** There when the text is one character a byte, because not all sides are UTF-8. */
  readonly encoding?: "latin1";
  /** There when a byte order mark stands before the text. */
  readonly bom?: true;
  /** All files that this side has in the conflict, when they are several or in a folder. */
  readonly files?: readonly ConflictFile[];
}

/** Lines that both sides changed. Ranges are first and last line, from 1; an empty one ends before it begins, as in `[4, 3]`. */
export interface ConflictRegion {
  /** Names the region; made of the file's name and the lines of all sides, so it stays as long as they do. */
  readonly id: string;
  /** The lines that both began from. */
  readonly base: readonly [number, number];
  /** The lines that are there now. */
  readonly current: readonly [number, number];
  /** The lines that are brought. */
  readonly incoming: readonly [number, number];
}

/** Two changes that do not go together. A value: kept, listed and resolved later. */
export interface Conflict {
  /** Names the conflict: the path that the file has in the base; of a new file, its path. */
  readonly path: string;
  /** What the sides disagree about. */
  readonly kind: ConflictKind;
  /** What both began from; left out when there was nothing. */
  readonly base?: ConflictSide;
  /** What is there now; left out when there is nothing. */
  readonly current?: ConflictSide;
  /** What is brought; left out when it is deleted. */
  readonly incoming?: ConflictSide;
  /** Lines that both sides changed, in order; the other lines of the text are merged. */
  readonly regions?: readonly ConflictRegion[];
  /** A text that has the changes of both sides, where a line merge gives one. */
  readonly suggestion?: string;
  /** Why no line merge was tried: bytes of a side are not known any more, or it is longer than texts may be. */
  readonly unmerged?: "bytesUnknown" | "tooLong";
}
