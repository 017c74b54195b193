import type { Edit } from "../text/edit.ts";
import type { PatchSection } from "../text/patch/patch-section.ts";

/** Makes a new file; identical bytes already there are a success that changes nothing. */
export interface CreateChange {
  /** What it does. */
  readonly action: "create";
  /** Where; must be absent. */
  readonly path: string;
  /** Text, or bytes. */
  readonly content: string | Uint8Array;
  /** Encodes the text as one byte a character (U+0000 to U+00FF). Default: UTF-8. */
  readonly encoding?: "latin1" | undefined;
  /** Whether the file may be run. Default: false. */
  readonly executable?: boolean | undefined;
}

/** Writes a whole file, new or existing. */
export interface WriteChange {
  /** What it does. */
  readonly action: "write";
  /** Where. */
  readonly path: string;
  /** Text, or bytes. Text keeps the byte order mark, line ends and encoding that the existing file has. */
  readonly content: string | Uint8Array;
  /** The revision that the file must have. Needed when it exists; when given, the file must exist. */
  readonly revision?: string | undefined;
  /** Encodes the text as one byte a character. Default: as the existing file, else UTF-8. */
  readonly encoding?: "latin1" | undefined;
  /** Whether the file may be run. Default: as it was, else false. */
  readonly executable?: boolean | undefined;
}

/** Edits lines or text of an existing file. */
export interface EditChange {
  /** What it does. */
  readonly action: "edit";
  /** Which file. */
  readonly path: string;
  /** The revision that the file must have. May be left out when every edit is `replace_text`. */
  readonly revision?: string | undefined;
  /** The edits; they may not overlap. */
  readonly edits: readonly Edit[];
  /** Encodes new text as one byte a character in files that are not UTF-8. Default: new text in them must be ASCII. */
  readonly encoding?: "latin1" | undefined;
  /** Whether the file may be run. Default: as it was. */
  readonly executable?: boolean | undefined;
}

/** Changes a file by the hunks of a patch, which are found by their text; no revision is needed. */
export interface PatchChange {
  /** What it does. */
  readonly action: "patch";
  /** Which file. */
  readonly path: string;
  /** Hunks of this file alone: with or without the headers of a unified diff, or one section of an envelope. */
  readonly patch: string;
  /** Makes the file: it must be absent, and all lines of the patch are new ones. Default: false. */
  readonly create?: boolean | undefined;
  /** The revision that the file must have. Default: any in which the hunks are found. */
  readonly revision?: string | undefined;
  /** Where the changed file goes; must be absent. Default: it stays. */
  readonly destination?: string | undefined;
}

/** Deletes a file. */
export interface DeleteChange {
  /** What it does. */
  readonly action: "delete";
  /** Which file; never a folder. */
  readonly path: string;
  /** The revision that the file must have. */
  readonly revision?: string | undefined;
}

/** Moves or copies a file, with edits on the way if wanted. */
export interface MoveChange {
  /** What it does. */
  readonly action: "move" | "copy";
  /** The source. */
  readonly path: string;
  /** The revision that the source must have. */
  readonly revision?: string | undefined;
  /** The target; must be absent unless `destinationRevision` is given. */
  readonly destination: string;
  /** The revision that the file at the target must have, to be replaced. */
  readonly destinationRevision?: string | undefined;
  /** Edits of the source's text that the target gets. */
  readonly edits?: readonly Edit[] | undefined;
  /** Whether the target may be run. Default: as the source. */
  readonly executable?: boolean | undefined;
}

/** Changes only whether a file may be run. */
export interface ChmodChange {
  /** What it does. */
  readonly action: "chmod";
  /** Which file. */
  readonly path: string;
  /** The revision that the file must have. */
  readonly revision?: string | undefined;
  /** Whether it may be run. */
  readonly executable: boolean;
}

/** Moves every file below a folder. */
export interface MoveTreeChange {
  /** What it does. */
  readonly action: "moveTree";
  /** The folder. */
  readonly path: string;
  /** The new folder; nothing may be there. */
  readonly destination: string;
  /** The folder's digest, from `stat(path, { revision: true })`. */
  readonly revision?: string | undefined;
}

/** Deletes every file below a folder. */
export interface DeleteTreeChange {
  /** What it does. */
  readonly action: "deleteTree";
  /** The folder. */
  readonly path: string;
  /** The folder's digest, from `stat(path, { revision: true })`. */
  readonly revision: string;
}

/** Writes nothing: the batch is refused unless the file is at this revision (`null`: absent) at commit. */
export interface AssertChange {
  /** What it does. */
  readonly action: "assert";
  /** Which path. */
  readonly path: string;
  /** The revision, or `null` for absence. */
  readonly revision: string | null;
}

/** One change of one path or folder. Without `revision`, a change of an existing file that is not located by its text is `REVISION_REQUIRED`. */
export type Change =
  | CreateChange
  | WriteChange
  | EditChange
  | PatchChange
  | DeleteChange
  | MoveChange
  | ChmodChange
  | MoveTreeChange
  | DeleteTreeChange
  | AssertChange;

/** What a patch of many files does to one of them; its patch has been read. */
export interface SectionChange {
  readonly action: "patch";
  readonly path: string;
  readonly destination?: string | undefined;
  readonly section: PatchSection;
}

/** A change as planning takes it. */
export type PlannedChange = Change | SectionChange;
