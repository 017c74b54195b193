import type { Clock } from "../../base/clock.ts";
import { unreadableForMs } from "./lock-errors.ts";
import type { LockFile, LockRecord } from "./lock-record.ts";
import type { ProcessTable } from "./process-table.ts";

/** How a lock came free: released by its last holder; taken from a dead one; or left from another run of the machine, or unreadable. */
export type Freed = "released" | "dead" | "reboot";

/** Tells whether the lock of the highest number is free, and how it came to be; `undefined` when it is held. */
export function howFree(
  { processes, clock }: { readonly processes: ProcessTable; readonly clock: Clock },
  file: LockFile | undefined,
): Freed | undefined {
  if (file === undefined) return "reboot";
  const { record, letter, modifiedAt } = file;
  if (record === undefined) return clock.now() - modifiedAt > unreadableForMs ? "reboot" : undefined;
  const sameBoot = isOfThisRun(processes, record) && record.unfinished !== "reboot";
  if (letter === "R") return sameBoot ? (record.unfinished ?? "released") : "reboot";
  // One queue a realm takes this lock, so a lock of our own that is still held could not be released: a disk refused it.
  const isOurs = isOfThisRun(processes, record) && record.owner.realm === processes.self.realm;
  if (!isOurs && !processes.isGone(record.owner)) return undefined;
  return sameBoot ? "dead" : "reboot";
}

/** Whether a lock was taken since this machine was started. */
export function isOfThisRun({ self }: ProcessTable, { owner }: LockRecord): boolean {
  return owner.boot === self.boot && owner.machine === self.machine;
}
