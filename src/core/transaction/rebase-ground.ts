import type { CancelOptions } from "../../base/clock.ts";
import type { Delta } from "../../tree/delta.ts";
import { equalStates, type FileState } from "../../tree/file-state.ts";
import { stateOf } from "../../tree/plan-context.ts";
import { eachBounded } from "../each-bounded.ts";
import type { VersionedFile } from "../load-folder.ts";
import { loadView } from "../load-view.ts";
import { type RevertGround, revertGround } from "../revert-ground.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import type { Pin } from "./staged-steps.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/** The files of now that what a transaction has staged is put onto. */
export interface RebaseGround extends Pick<RevertGround, "states" | "besides"> {
  /** What is staged. */
  readonly incoming: Delta;
  /** Bytes that are there now, that the transaction brings, or that it began from; `undefined` when they are nowhere any more. */
  bytesOf(contentId: string): Promise<Uint8Array | undefined>;
  /** All that the transaction relies on from now on: what it relied on before, and these paths. */
  pinsOf(paths: readonly string[]): Promise<ReadonlyMap<string, Pin>>;
}

/** Reads what is now at the paths that a transaction has changed, and what stands in its way. */
export async function groundOf(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  { signal }: CancelOptions,
): Promise<RebaseGround> {
  const { context, log } = transaction.parts;
  const { delta: incoming, pins } = stored.steps;
  // A file that others moved is followed when it is the one that the transaction began from, and not an earlier one of that name.
  const follows = (path: string, before: FileState | undefined) =>
    equalStates(before, incoming.changes.get(path)?.before);
  const base = [{ sequence: stored.record.baseSequence }];
  const { view, states, besides } = await revertGround({ context, log }, incoming, base, { signal, follows });
  const present = new Map<string, Uint8Array>();
  for (const path of states.keys()) {
    const file = view.file(path);
    if (file?.bytes !== undefined) present.set(file.contentId, file.bytes);
  }
  return {
    incoming,
    states,
    besides,
    async bytesOf(contentId) {
      return present.get(contentId) ?? (await transaction.bytesOf(stored, contentId, { signal }));
    },
    async pinsOf(paths) {
      const found = new Map<string, Pin>();
      const others: string[] = [];
      for (const path of new Set([...pins.keys(), ...states.keys(), ...paths]))
        if (states.has(path)) found.set(path, pinOf(view.file(path)));
        else others.push(path);
      await eachBounded(others, async (path) => {
        const looked = await loadView(context, [{ action: "assert", path, revision: null }], { signal });
        found.set(path, pinOf(looked.file(path)));
      });
      return found;
    },
  };
}

function pinOf(file: VersionedFile | undefined): Pin {
  return {
    state: stateOf(file),
    revision: file?.revision,
    version: file?.version ?? null,
    stamp: file?.stamp,
  };
}
