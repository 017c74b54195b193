import { describe, expect, test } from "vitest";
import { isHoldfastError } from "../../src/base/holdfast-error.ts";
import type { CommitOutcome } from "../../src/storage/storage-adapter.ts";
import { afterMixedCommit } from "../support/check-after-crash.ts";
import { countingFileSystem, simulatedHost } from "../support/crashing-host.ts";
import { leftovers, readTree, writeTree } from "../support/directory-tree.ts";
import { before, wanted } from "../support/mixed-commit.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeBatch, openAdapter } from "../support/tree-batch.ts";

type Written = "yes" | "no" | "unknown";

function writtenOf(outcome: CommitOutcome | undefined): Written {
  if (outcome === undefined) return "no";
  if (outcome.committed) return "yes";
  return "written" in outcome ? outcome.written : "no";
}

/** Runs the mixed commit with one call failing; says what it answered and leaves the tree checked. */
async function runWithFailure(
  failAt: number,
  errorNumber: string,
  sticky: boolean,
): Promise<{ readonly written: Written; readonly calls: number }> {
  const { path: root, remove } = temporaryFolder("quick");
  try {
    writeTree(root, before);
    const old = readTree(root);
    const fresh = afterMixedCommit(old);
    const counting = countingFileSystem();
    const { storage } = await openAdapter(simulatedHost(counting.fileSystem), root);
    const batch = await makeBatch(storage, wanted);
    counting.arm({ failAt, errorNumber, sticky });
    let outcome: CommitOutcome | undefined;
    try {
      [outcome] = await storage.commit([batch], { flush: true });
    } catch (error) {
      expect(isHoldfastError(error)).toBe(true);
    }
    const calls = counting.calls();
    counting.arm({});
    const written = writtenOf(outcome);
    if (outcome !== undefined && "error" in outcome) expect(isHoldfastError(outcome.error)).toBe(true);
    if (written !== "unknown") expect(readTree(root)).toEqual(written === "yes" ? fresh : old);
    if (!sticky && written === "no") {
      const again = await storage.commit([await makeBatch(storage, wanted)], { flush: true });
      expect(again[0]).toMatchObject({ committed: true });
      expect(readTree(root)).toEqual(fresh);
    }
    await storage.close().catch(() => undefined);
    const reopened = await openAdapter(simulatedHost(countingFileSystem().fileSystem), root);
    const tree = readTree(root);
    expect(tree).toEqual(tree["create.txt"] === undefined ? old : fresh);
    expect(leftovers(root)).toEqual([]);
    await reopened.storage.close();
    return { written, calls };
  } finally {
    remove();
  }
}

describe("A commit whose file system fails at one call", () => {
  test.each([
    ["ENOSPC", false],
    ["EIO", false],
    ["EACCES", true],
    ["ENOSPC", true],
  ])(
    "with %s (from then on: %s) is whole or absent and says so",
    async (errorNumber, sticky) => {
      process.umask(0o022);
      const seen: Record<Written, number> = { yes: 0, no: 0, unknown: 0 };
      for (let failAt = 1; ; failAt++) {
        const { written, calls } = await runWithFailure(failAt, errorNumber, sticky).catch(
          (error: unknown) => {
            throw new Error(`${errorNumber} at call ${failAt}`, { cause: error });
          },
        );
        seen[written] += 1;
        if (calls < failAt) break;
      }
      expect(seen.no).toBeGreaterThan(20);
      expect(seen.yes).toBeGreaterThan(0);
      // One failing call can always be dealt with; only a disk that refuses everything leaves the outcome open.
      if (!sticky) expect(seen.unknown).toBe(0);
    },
    60_000,
  );
});
