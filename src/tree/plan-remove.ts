import type { Steps } from "../base/steps.ts";
import type { AssertChange, DeleteChange } from "./change.ts";
import { type FileStep, type PlanContext, refuse, type StepOutcome, stateOf } from "./plan-context.ts";
import { existingFile, holdsRevision, refuseStale } from "./plan-guard.ts";
import { lineFacts } from "./plan-lines.ts";
import { quotePath } from "./quote-path.ts";

/** Plans the deletion of a file or of a link itself. */
export function* planDelete(
  context: PlanContext,
  step: FileStep<DeleteChange>,
): Steps<StepOutcome | undefined> {
  const { path, revision } = step.change;
  const file = existingFile(context, step, "allow");
  if (file === undefined || !(yield* holdsRevision(context, step, file, path, revision))) return undefined;
  const facts = yield* lineFacts(context, file.bytes, undefined);
  return {
    file: { path, operation: "deleted", ...facts },
    entries: [[path, { before: stateOf(file), after: undefined }]],
  };
}

/** Plans an assertion: it changes nothing and has to hold. */
export function* planAssert(
  context: PlanContext,
  step: FileStep<AssertChange>,
): Steps<StepOutcome | undefined> {
  const { path, revision } = step.change;
  const file = context.view.file(path);
  if (revision === null && file !== undefined) {
    const message = `${quotePath(path)} exists, and the call needs it to be absent.`;
    return refuse(context, step, "ALREADY_EXISTS", path, message);
  }
  if (revision !== null && file?.revision !== revision)
    return yield* refuseStale(context, step, path, revision, file);
  const facts = yield* lineFacts(context, file?.bytes, file?.bytes);
  return { file: { path, operation: "unchanged", ...facts }, entries: [] };
}
