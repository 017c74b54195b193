import { isHoldfastError } from "holdfast";
import { openDirectory } from "holdfast/node";

// Stages a line at the end of a file, says so, and commits when told to; prints what came of it. With a transaction's id it stages so many steps there.
const [root = "", path = "", text = "", id = "", steps = "1"] = process.argv.slice(2);
const workspace = await openDirectory(root);
const transaction = id === "" ? await workspace.beginTransaction() : await workspace.transactions.get(id);

async function stage(line: string): Promise<void> {
  await transaction.update(path, (current) => `${current?.text ?? ""}${line}\n`);
}

for (let step = 0; step < Number(steps); step++) await stage(`${text} ${step}`);
process.stdout.write(`staged ${transaction.id}\n`);
if (id === "") {
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.unref();
  const outcome = await transaction.commit().then(
    () => "committed",
    (error: unknown) => (isHoldfastError(error) ? error.code : String(error)),
  );
  const before = await transaction.info();
  const after = before.state === "conflicted" ? await transaction.rebase() : before;
  process.stdout.write(`ended ${JSON.stringify({ outcome, before: before.state, after: after.state })}\n`);
  if (after.state === "active") await transaction.commit();
}
await workspace.close();
