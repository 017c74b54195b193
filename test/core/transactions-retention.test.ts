import { Workspace } from "holdfast";
import { fixedClock } from "holdfast/testing";
import { expect, test } from "vitest";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect, refusalOf } from "../support/refusal.ts";

const day = 24 * 60 * 60 * 1000;

test("what ended long ago is removed with the records and the bytes that it staged, and what is open stays", async () => {
  const clock = fixedClock();
  const workspace = await Workspace.open(testStorage({ files: { a: "1\n", b: "1\n" } }), { clock });
  const begun = async (path: string) => {
    const transaction = await workspace.beginTransaction({ conflictScope: "read" });
    await transaction.edit(
      path,
      { op: "append", content: "x".repeat(50_000) },
      { ...(await revisionOf(path)) },
    );
    return transaction;
  };
  const revisionOf = async (path: string) => ({ revision: (await workspace.read(path)).revision });
  const [old, open] = [await begun("a"), await begun("b")];
  await old.rollback();
  await clock.advance(31 * day);
  const fresh = await begun("a");
  await fresh.rollback();
  expect(await workspace.prune({ maxAgeMs: 30 * day })).toMatchObject({ revisionsRemoved: 0 });
  expect((await refusalOf(workspace.transactions.get(old.id))).code).toBe("TRANSACTION_NOT_FOUND");
  expect((await refusalOf(old.info())).code).toBe("TRANSACTION_NOT_FOUND");
  const left = await collect(workspace.transactions.list());
  expect(left.map(({ transactionId }) => transactionId).sort()).toEqual([open.id, fresh.id].sort());
  expect((await open.read("b")).lineCount).toBe(2);
  expect((await open.commit()).committed).toBe(true);
  await workspace.close();
});

test("what an open transaction began from is known after its revisions have gone", async () => {
  const storage = testStorage();
  const workspace = await Workspace.open(storage);
  const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251);
  await workspace.apply({ action: "create", path: "image", content: bytes });
  const transaction = await workspace.beginTransaction();
  const { revision } = await workspace.readBytes("image");
  await transaction.apply({ action: "copy", path: "image", destination: "copied", revision });
  for (const text of ["1", "2", "3"]) await workspace.write(`other-${text}`, text);
  const later = await workspace.write("image", "replaced\n", { revision });
  for (const text of ["4", "5", "6"]) await workspace.write(`other-${text}`, text);
  await workspace.prune({ maxRevisions: 1 });
  expect((await transaction.info()).state).toBe("conflicted");
  expect((await transaction.rebase()).state).toBe("active");
  await transaction.commit();
  expect((await workspace.readBytes("copied")).bytes).toEqual(bytes);
  expect((await workspace.read("image")).text).toBe("replaced\n");
  expect(later.files[0]?.operation).toBe("modified");
  await workspace.close();
});
