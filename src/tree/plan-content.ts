import { concatInSteps } from "../base/byte-steps.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { contentForWrite } from "../text/content-for-write.ts";
import { type EncodedText, encodeText } from "../text/encode-text.ts";
import type { CreateChange, WriteChange } from "./change.ts";
import { equalStates } from "./file-state.ts";
import type { LoadedFile } from "./plan.ts";
import {
  type FileStep,
  type PlanContext,
  refuse,
  type StepOutcome,
  stateOf,
  stateOfBytes,
} from "./plan-context.ts";
import { existingFile, holdsRevision, refuseLink, refuseStale } from "./plan-guard.ts";
import { checkFileSize } from "./plan-limits.ts";
import { lineFacts, openText } from "./plan-lines.ts";
import { quotePath } from "./quote-path.ts";

/** Plans a new file; one that is there already with the same bytes and mode is left alone. */
export function* planCreate(
  context: PlanContext,
  step: FileStep<CreateChange>,
): Steps<StepOutcome | undefined> {
  const { path, executable = false } = step.change;
  const file = context.view.file(path);
  if (file?.kind === "symlink") return refuseLink(context, step, path);
  const bytes = yield* contentOf(context, step, undefined);
  if (bytes === undefined) return undefined;
  const after = yield* stateOfBytes(context, bytes, executable);
  if (file === undefined) {
    const facts = yield* lineFacts(context, undefined, bytes);
    return {
      file: { path, operation: "created", bytes, ...facts },
      entries: [[path, { before: undefined, after }]],
    };
  }
  if (equalStates(stateOf(file), after)) {
    const facts = yield* lineFacts(context, bytes, bytes);
    return { file: { path, operation: "unchanged", ...facts }, entries: [] };
  }
  const message = `There is another file at ${quotePath(path)}; read it, and edit it or write it with its revision, or choose another path.`;
  return refuse(context, step, "ALREADY_EXISTS", path, message);
}

/** Plans the writing of a whole file, new or existing. */
export function* planWrite(
  context: PlanContext,
  step: FileStep<WriteChange>,
): Steps<StepOutcome | undefined> {
  const { path, revision } = step.change;
  const present = context.view.file(path);
  if (present === undefined) {
    if (revision !== undefined) return yield* refuseStale(context, step, path, revision, undefined);
    const { content, encoding, executable } = step.change;
    return yield* planCreate(context, {
      ...step,
      change: { action: "create", path, content, encoding, executable },
    });
  }
  const file = existingFile(context, step, "refuse");
  if (file === undefined || !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  const bytes = yield* contentOf(context, step, file);
  if (bytes === undefined) return undefined;
  const before = stateOf(file);
  const after = yield* stateOfBytes(context, bytes, step.change.executable ?? file.executable);
  const facts = yield* lineFacts(context, file.bytes, bytes);
  if (equalStates(before, after)) return { file: { path, operation: "unchanged", ...facts }, entries: [] };
  return { file: { path, operation: "modified", bytes, ...facts }, entries: [[path, { before, after }]] };
}

/** Gives the bytes that a file gets, and checks their size. */
function* contentOf(
  context: PlanContext,
  step: FileStep<CreateChange | WriteChange>,
  existing: LoadedFile | undefined,
): Steps<Uint8Array | undefined> {
  const { path, content, encoding } = step.change;
  if (typeof content !== "string") return content;
  const encoded = content.includes("\0")
    ? yield* encodeAroundNul(context, path, content, encoding)
    : yield* contentForWrite(yield* openText(context, existing?.bytes), content, { encoding });
  if (encoded.problem !== undefined) return refuseText(context, step, path, encoded.problem);
  // Line ends and the byte order mark of the existing file can make it longer than what was given.
  return checkFileSize(context, step, path, encoded.bytes.byteLength, true) ? encoded.bytes : undefined;
}

/** Text with a NUL is written as it is given, as the binary file that it makes; nothing of an existing text carries over. */
function* encodeAroundNul(
  context: PlanContext,
  path: string,
  text: string,
  encoding: "latin1" | undefined,
): Steps<EncodedText> {
  const message = `The text for ${quotePath(path)} holds a NUL, so the file is binary and can no longer be read or edited as text.`;
  context.warnings.push({ code: "NUL_IN_TEXT", message, path });
  const parts: Uint8Array[] = [];
  for (const piece of text.split("\0")) {
    const encoded = yield* encodeText(piece, encoding ?? "utf-8");
    if (encoded.problem !== undefined) return encoded;
    if (parts.length > 0) parts.push(new Uint8Array(1));
    parts.push(encoded.bytes);
  }
  return { bytes: yield* concatInSteps(parts) };
}

/** Notes what the text floor found wrong; only here is it known with which file. */
export function refuseText(
  context: PlanContext,
  step: { readonly index: number },
  path: string,
  problem: Problem,
): undefined {
  const { code, details } = problem;
  const carried = typeof details === "object" && details !== null ? details : undefined;
  context.problems.push({
    ...problem,
    changeIndex: step.index,
    path,
    ...((carried !== undefined || code === "UNSUPPORTED_ENCODING") && { details: { path, ...carried } }),
  });
}
