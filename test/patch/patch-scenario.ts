import type { ErrorCode } from "holdfast";

/** Files by path: text, stored as UTF-8; a path that ends in `*` may be run. */
export type ScenarioFiles = Readonly<Record<string, string>>;

/** A tree, a patch, and the tree that it makes or what refuses it. */
export interface PatchScenario {
  readonly name: string;
  readonly files: ScenarioFiles;
  /** A patch of any number of files; or of the one that `path` names. */
  readonly patch: string;
  /** Fields of the change when the patch is of one file. */
  readonly change?:
    | { readonly path: string; readonly create?: boolean; readonly destination?: string }
    | undefined;
  /** Every file afterwards. */
  readonly after?: ScenarioFiles;
  /** Grades, or remarks of the result. */
  readonly says?: string | undefined;
  /** Each refusal: its code, and a part of its message. */
  readonly refused?: readonly (readonly [ErrorCode, string])[];
}

/** Lines, each ended by LF. */
export function lines(...texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join("");
}

/** An envelope around lines. */
export function envelope(...texts: readonly string[]): string {
  return lines("*** Begin Patch", ...texts, "*** End Patch");
}

/** A patch that works: it makes this tree. */
export function makes(
  name: string,
  files: ScenarioFiles,
  patch: string,
  after: ScenarioFiles,
  says?: string,
): PatchScenario {
  return { name, files, patch, after, says };
}

/** A patch that is refused. */
export function refuses(
  name: string,
  files: ScenarioFiles,
  patch: string,
  ...refused: readonly (readonly [ErrorCode, string])[]
): PatchScenario {
  return { name, files, patch, refused };
}

/** The same patch as that of one file. */
export function ofOneFile(change: PatchScenario["change"], scenario: PatchScenario): PatchScenario {
  return { ...scenario, change };
}
