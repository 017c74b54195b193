import { updateInSteps } from "../base/byte-steps.ts";
import type { Pause } from "../base/clock.ts";
import { hashState } from "../base/hashing.ts";
import { driveSteps } from "../base/steps.ts";
import type { ViewContext } from "./workspace-context.ts";

/** What bytes are called: by content everywhere, by revision in this workspace. */
export interface Fingerprint {
  /** SHA-256. */
  readonly contentId: string;
  /** The revision. */
  readonly revision: string;
}

type HashContext = Pick<ViewContext, "hashing" | "revisionAlgorithm">;

/** Gives the revision of bytes. Lets the event loop turn in between when there are many. */
export async function revisionOf(context: HashContext, bytes: Uint8Array, pause: Pause): Promise<string> {
  const state = hashState(context.hashing, context.revisionAlgorithm);
  await driveSteps(updateInSteps([state], bytes), pause);
  return state.digest();
}

/** Gives both names of bytes in one pass. */
export async function fingerprintOf(
  context: HashContext,
  bytes: Uint8Array,
  pause: Pause,
): Promise<Fingerprint> {
  const content = context.hashing.sha256();
  const quick = context.revisionAlgorithm === "sha256" ? undefined : context.hashing.xxh64();
  await driveSteps(updateInSteps(quick === undefined ? [content] : [content, quick], bytes), pause);
  const contentId = content.digest();
  return { contentId, revision: quick?.digest() ?? contentId };
}

/** Says whether a text has the form of a revision. */
export function isRevision(context: Pick<ViewContext, "revisionAlgorithm">, text: string): boolean {
  return (context.revisionAlgorithm === "sha256" ? /^[0-9a-f]{64}$/ : /^[0-9a-f]{16}$/).test(text);
}
