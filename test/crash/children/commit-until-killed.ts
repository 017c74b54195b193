import { existsSync, writeFileSync } from "node:fs";
import { nodeFileSystem } from "../../../src/storage/directory/node-file-system.ts";
import { nodeProcessTable } from "../../../src/storage/directory/process-table.ts";
import { countingFileSystem, simulatedHost } from "../../support/crashing-host.ts";
import { wanted } from "../../support/mixed-commit.ts";
import { makeBatch, openAdapter } from "../../support/tree-batch.ts";

// Commits once in the folder given, and ends itself by SIGKILL at the call given; tells how many calls there were when it gets through.
const [root = "", point = "0", report = ""] = process.argv.slice(2);
process.umask(0o022);

const counting = countingFileSystem(nodeFileSystem, () => process.kill(process.pid, "SIGKILL"));
const { storage } = await openAdapter(
  { ...simulatedHost(counting.fileSystem), processes: nodeProcessTable() },
  root,
);
const batch = await makeBatch(storage, wanted);
counting.arm({ crashAt: Number(point) });
const [outcome] = await storage.commit([batch], { flush: true });
const calls = counting.calls();
if (outcome?.committed !== true) throw new Error("not committed", { cause: outcome });
if (existsSync(report)) throw new Error("the report is there already");
writeFileSync(report, String(calls));
