// Makes one call through one door and tells when; whoever started this program kills it meanwhile.
import { writeSync } from "node:fs";
import { openDirectory } from "holdfast/node";
import { type DoorName, type Replacement, replaceThrough } from "./doors.ts";

/** What the program is told to do, as JSON in its only argument. */
export interface WriterTask {
  readonly root: string;
  readonly door: DoorName;
  readonly replacements: readonly Replacement[];
  readonly idempotencyKey: string;
}

const { root, door, replacements, idempotencyKey } = JSON.parse(process.argv[2] ?? "") as WriterTask;
const workspace = await openDirectory(root);
writeSync(1, "begins\n");
const answer = await replaceThrough(door, workspace, replacements, { idempotencyKey });
if (!answer.ok) throw new Error(answer.code);
writeSync(1, "done\n");
await workspace.close();
