import { type CancelOptions, timeSlice } from "../../base/clock.ts";
import type { CommitOutcome, StorageBatch } from "../storage-adapter.ts";
import { commitBatches } from "./commit-batches.ts";
import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork } from "./exclusive-work.ts";
import { discardContents, type PreparedPut, prepareContents, prepareGate } from "./prepare-contents.ts";
import { assertRealFolders, temporaryFolders } from "./real-folders.ts";
import { RootFolder } from "./root-folder.ts";
import { storageError } from "./state-folder-error.ts";

/** A batch whose contents are written, or what became of it before that. */
type Member =
  | { readonly batch: StorageBatch; readonly prepared: readonly PreparedPut[] }
  | { readonly outcome: CommitOutcome };

/**
 * Commits a list of batches: writes their contents without the lock, the rest under it, and removes what was written for those that did not
 * take effect.
 */
export async function commitList(
  session: DirectorySession,
  batches: readonly StorageBatch[],
  options: CancelOptions & { readonly flush: boolean },
): Promise<readonly CommitOutcome[]> {
  const members = await prepareAll(session, batches);
  let outcomes: readonly CommitOutcome[] = [];
  try {
    const ready = members.flatMap((member) => ("prepared" in member ? [member] : []));
    const work = (host: Parameters<typeof commitBatches>[0]) => commitBatches(host, ready, options.flush);
    const done = ready.length === 0 ? [] : await exclusiveWork(session, options, work);
    outcomes = members.map((member) =>
      "outcome" in member ? member.outcome : (done[ready.indexOf(member)] as CommitOutcome),
    );
    return outcomes;
  } finally {
    for (const [index, member] of members.entries())
      if ("prepared" in member && !mayNeedContents(outcomes[index]))
        discardContents(session, member.prepared);
  }
}

function mayNeedContents(outcome: CommitOutcome | undefined): boolean {
  if (outcome === undefined) return false;
  return outcome.committed || ("written" in outcome && outcome.written === "unknown");
}

async function prepareAll(
  session: DirectorySession,
  batches: readonly StorageBatch[],
): Promise<readonly Member[]> {
  const root = new RootFolder(session.fileSystem, session.rootPath, session.state.caseSensitive);
  const host = { ...session, root, pause: timeSlice() };
  const gate = prepareGate();
  let isChecked = false;
  try {
    return await Promise.all(
      batches.map(async (batch): Promise<Member> => {
        try {
          if (!isChecked && batch.putFiles.length > 0) assertRealFolders(session, temporaryFolders);
          isChecked ||= batch.putFiles.length > 0;
          return { batch, prepared: await prepareContents(host, batch, gate) };
        } catch (error) {
          return {
            outcome: {
              committed: false,
              error: storageError(session, error, "write the new contents"),
              written: "no",
            },
          };
        }
      }),
    );
  } finally {
    root.close();
  }
}
