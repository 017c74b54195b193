import type { ErrorCode } from "../base/error-codes.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import type { PlanWarning } from "../text/edit-result.ts";
import type { DeleteTreeChange, MoveTreeChange, PlannedChange } from "./change.ts";
import type { PathChange } from "./delta.ts";
import type { FileState } from "./file-state.ts";
import type { LoadedFile, PlannedFile, PlanOptions, PlanView } from "./plan.ts";

/** A change of files, as opposed to one of a folder. */
export type FileChange = Exclude<PlannedChange, MoveTreeChange | DeleteTreeChange>;

/** One change of one file, or of a file and its destination: what is left of the batch once paths are checked and folders taken apart. */
export interface FileStep<C extends FileChange = FileChange> {
  /** Index of the change in the call, from 0. */
  readonly index: number;
  /** The change. */
  readonly change: C;
  /** Whether something is wrong with it already: it then counts for what the batch does as a whole, and is not looked at itself. */
  readonly refused: boolean;
  /** The folder that a change of a folder moves its file into: known to be absent, with everything below it. */
  readonly absentFolder?: string;
}

/** What a step comes to. */
export interface StepOutcome {
  /** For the result. */
  readonly file: PlannedFile;
  /** For the delta. */
  readonly entries: readonly (readonly [string, PathChange])[];
}

/** What the parts of planning share: what they ask and where they put what they find. */
export interface PlanContext {
  /** The state that is planned against. */
  readonly view: PlanView;
  /** What planning needs besides. */
  readonly options: PlanOptions;
  /** What is wrong, so far. */
  readonly problems: Problem[];
  /** Remarks, so far. */
  readonly warnings: PlanWarning[];
  /** Paths guarded by their text alone, so far. */
  readonly located: Set<string>;
}

/** Notes something that is wrong with a step. */
export function refuse(
  context: PlanContext,
  step: { readonly index: number },
  code: ErrorCode,
  path: string,
  message: string,
  details?: unknown,
): undefined {
  context.problems.push({
    code,
    message,
    changeIndex: step.index,
    path,
    ...(details !== undefined && { details }),
  });
}

/** What is at the destination of a step. */
export function destinationFile(context: PlanContext, step: FileStep, path: string): LoadedFile | undefined {
  return step.absentFolder === undefined ? context.view.file(path) : undefined;
}

/** The part of a loaded file that deltas hold. */
export function stateOf(file: LoadedFile): FileState;
export function stateOf(file: LoadedFile | undefined): FileState | undefined;
export function stateOf(file: LoadedFile | undefined): FileState | undefined {
  if (file === undefined) return undefined;
  const { kind, contentId, byteLength, executable } = file;
  return { kind, contentId, byteLength, executable };
}

/** The state of a regular file with these bytes. */
export function* stateOfBytes(
  context: PlanContext,
  bytes: Uint8Array,
  executable: boolean,
): Steps<FileState> {
  const contentId = yield* context.options.contentId(bytes);
  return { kind: "file", contentId, byteLength: bytes.byteLength, executable };
}
