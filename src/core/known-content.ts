import { concatInSteps, hashInSteps } from "../base/byte-steps.ts";
import { type CancelOptions, timeSlice } from "../base/clock.ts";
import { isHoldfastError } from "../base/holdfast-error.ts";
import { driveSteps } from "../base/steps.ts";
import type { FileState } from "../tree/file-state.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Where bytes are looked for. */
type ContentContext = Pick<WorkspaceContext, "storage" | "hashing">;

/**
 * Gives the bytes of a content: those that the history keeps, or that one of some paths has now. `undefined` when nobody knows them any more.
 *
 * @param paths - Where the bytes may be, if the history does not keep them.
 */
export async function knownContent(
  context: ContentContext,
  state: Pick<FileState, "contentId" | "byteLength">,
  paths: readonly string[],
  options: CancelOptions,
): Promise<Uint8Array | undefined> {
  if (state.byteLength === 0) return new Uint8Array(0);
  const kept = await keptContent(context, state.contentId, options);
  if (kept !== undefined) return kept;
  for (const path of paths) {
    const held = await heldContent(context, state, path, options);
    if (held !== undefined) return held;
  }
  return undefined;
}

async function keptContent(
  { storage }: ContentContext,
  sha256: string,
  { signal }: CancelOptions,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of storage.readChunks({ sha256 }, { signal })) chunks.push(chunk);
  } catch (error) {
    if (isHoldfastError(error, "NOT_FOUND")) return undefined;
    throw error;
  }
  return chunks.length === 1 ? chunks[0] : await driveSteps(concatInSteps(chunks), timeSlice({ signal }));
}

async function heldContent(
  { storage, hashing }: ContentContext,
  { contentId, byteLength }: Pick<FileState, "contentId" | "byteLength">,
  path: string,
  { signal }: CancelOptions,
): Promise<Uint8Array | undefined> {
  if ((await storage.stat(path, { signal }))?.byteLength !== byteLength) return undefined;
  const bytes = (await storage.read(path, { signal }))?.bytes;
  if (bytes?.byteLength !== byteLength) return undefined;
  const id = await driveSteps(hashInSteps(hashing, "sha256", bytes), timeSlice({ signal }));
  return id === contentId ? bytes : undefined;
}
