import * as fs from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { DirectoryHost } from "../../src/storage/directory/directory-host.ts";
import { leftovers, readTree } from "./directory-tree.ts";
import { afterwards } from "./mixed-commit.ts";
import { makeBatch, openAdapter } from "./tree-batch.ts";

/** What the mixed commit makes of a tree. */
export function afterMixedCommit(old: Record<string, string>): Record<string, string> {
  return { "untouched/é.txt": old["untouched/é.txt"] ?? "", ...afterwards };
}

/** Opens a folder in which the mixed commit was cut; all of it must be there or nothing, nothing left over, and the next commit must work. */
export async function checkAfterCrash(
  host: DirectoryHost,
  root: string,
  old: Record<string, string>,
): Promise<"old" | "new"> {
  const { storage, report } = await openAdapter(host, root);
  expect(report.conflicts).toEqual([]);
  const tree = readTree(root);
  const isNew = tree["create.txt"] !== undefined;
  expect(tree).toEqual(isNew ? afterMixedCommit(old) : old);
  expect(leftovers(root)).toEqual([]);
  const next = await storage.commit([await makeBatch(storage, { "after.txt": "works\n" })], { flush: true });
  expect(next[0]?.committed).toBe(true);
  // Pruning nothing seals the log first, and a sealed log needs no pre-image.
  await storage.prune({ before: 1, keep: new Set(), staged: [] });
  expect(fs.readdirSync(join(root, ".holdfast", "pre"))).toEqual([]);
  await storage.close();
  return isNew ? "new" : "old";
}
