import { type CancelOptions, timeSlice } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import type { FileState } from "../../tree/file-state.ts";
import type { Plan } from "../../tree/plan.ts";
import { quotePath } from "../../tree/quote-path.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { ViewContext } from "../workspace-context.ts";

/** So many bytes that a step replaces or takes away are kept with it, so that others' changes of them can be merged; what is beyond is not. */
const mostReplacedBytes = 32 * 1024 * 1024;

/**
 * Gathers the bytes to keep with a step: all that it brings, those of files moved or copied as a whole too, which may be gone from where they were
 * by the time they are wanted; and those that it replaces, as far as there is room.
 *
 * @param view - The files that the plan was made against.
 * @param isKept - Whether the transaction has the bytes of a content already.
 * @throws {@link HoldfastError} `TARGET_BUSY` when a file has changed since it was planned.
 */
export async function stepContents(
  view: ViewContext,
  { files, delta, relies }: Plan,
  isKept: (contentId: string) => boolean,
  options: CancelOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>();
  const paths = new Map<string, string>();
  for (const [path, file] of relies) {
    if (file === undefined) continue;
    paths.set(file.contentId, path);
    if (file.bytes !== undefined) contents.set(file.contentId, file.bytes);
  }
  for (const { path, bytes } of files) {
    const after = delta.changes.get(path)?.after;
    if (bytes !== undefined && after !== undefined) contents.set(after.contentId, bytes);
  }
  const load = async ({ contentId }: FileState) => {
    const path = paths.get(contentId);
    if (path !== undefined) contents.set(contentId, await readAgain(view, path, contentId, options));
  };
  const isMissing = (state: FileState | undefined): state is FileState =>
    state !== undefined && !contents.has(state.contentId) && !isKept(state.contentId);
  for (const { after } of delta.changes.values()) if (isMissing(after)) await load(after);
  let room = mostReplacedBytes;
  for (const { before } of delta.changes.values()) {
    if (!isMissing(before) || before.byteLength > room) continue;
    room -= before.byteLength;
    await load(before);
  }
  return contents;
}

async function readAgain(
  view: ViewContext,
  path: string,
  contentId: string,
  { signal }: CancelOptions,
): Promise<Uint8Array> {
  const file = await view.files.read(path, { signal });
  const names = file && (await fingerprintOf(view, file.bytes, timeSlice({ signal })));
  if (file !== undefined && names?.contentId === contentId) return file.bytes;
  throw new HoldfastError("TARGET_BUSY", {
    message: `${quotePath(path)} was changed while the step was staged.`,
  });
}
