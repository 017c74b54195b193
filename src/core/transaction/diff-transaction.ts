import { type CancelOptions, timeSlice } from "../../base/clock.ts";
import { HoldfastError } from "../../base/holdfast-error.ts";
import { driveSteps } from "../../base/steps.ts";
import type { DiffOptions } from "../../schema/diff-options.ts";
import { diffDelta } from "../../tree/diff-delta.ts";
import type { TreeDiff } from "../../tree/tree-diff.ts";
import { wantedDiff } from "../wanted-diff.ts";
import type { OpenTransaction } from "./open-transaction.ts";
import type { StoredTransaction } from "./transaction-store.ts";

/**
 * Shows what a transaction has staged, against what it began from.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` when it is to be compared with something else.
 */
export async function diffTransaction(
  transaction: OpenTransaction,
  { from, ...options }: DiffOptions & CancelOptions & { readonly from?: unknown },
): Promise<TreeDiff> {
  if (from !== undefined)
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `A transaction is compared with what it began from; leave "from" out.`,
    });
  const stored = await transaction.enter("diff", options);
  const { delta, pins } = stored.steps;
  const { signal, ...shown } = options;
  const { hashing, limits } = transaction.parts.context;
  const wanted = wantedDiff({ ...shown }) ?? { wants: () => true, contextLines: 3, maxBytes: 0 };
  const shownPaths = [...delta.changes].filter(
    ([path, { origin }]) => wanted.wants(path) || (origin !== undefined && wanted.wants(origin.path)),
  );
  const paths = shownPaths.flatMap(([path, { origin }]) => [
    path,
    ...(origin === undefined ? [] : [origin.path]),
  ]);
  const contents = await stagedBytes(transaction, stored, paths, { signal });
  return await driveSteps(
    diffDelta(delta, {
      ...wanted,
      hashing,
      textBytes: limits.textBytes,
      contentOf: (contentId) => contents.get(contentId),
      stateOf: (path) => pins.get(path)?.state,
    }),
    timeSlice({ signal }),
  );
}

/** The bytes at some paths before and after all that is staged, by content id, as far as they are texts and known. */
export async function stagedBytes(
  transaction: OpenTransaction,
  stored: StoredTransaction,
  paths: Iterable<string>,
  options: CancelOptions,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { textBytes } = transaction.parts.context.limits;
  const { states, pins } = stored.steps;
  const contents = new Map<string, Uint8Array>();
  for (const path of paths)
    for (const state of [pins.get(path)?.state, states.get(path)]) {
      if (state === undefined || state.byteLength > textBytes || contents.has(state.contentId)) continue;
      const bytes = await transaction.bytesOf(stored, state.contentId, options);
      if (bytes !== undefined) contents.set(state.contentId, bytes);
    }
  return contents;
}
