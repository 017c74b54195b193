import { HoldfastError } from "../../base/holdfast-error.ts";
import type { LockRecord } from "./lock-record.ts";

/** How long a lock that cannot be read is taken to be one that is being written. */
export const unreadableForMs = 10_000;

/** The refusal of a holder that somebody has declared dead. */
export function brokenError(): HoldfastError {
  return new HoldfastError("LOCKED", {
    message:
      "The lock of this handle was broken by another process while it was at work; it writes nothing more under it. Try again.",
    details: { owner: {}, token: "" },
  });
}

/** The refusal of a handle whose state folder is another by now. */
export function replacedError(): HoldfastError {
  return new HoldfastError("STORAGE_FAILED", {
    message:
      "The state folder was removed or replaced while the workspace was open; nothing was written. Close this workspace and open it again.",
  });
}

/** The refusal when the time to wait for a holder is over. */
export function lockedError(record: LockRecord | undefined): HoldfastError {
  const owner = record?.owner;
  const who =
    owner === undefined
      ? "an owner that cannot be read"
      : `process ${owner.pid} on ${owner.machine.split("/").at(-1)}`;
  const then =
    owner === undefined
      ? `${unreadableForMs / 1000} s after it was made it counts for nothing`
      : "or break the lock when that process is known to be gone";
  return new HoldfastError("LOCKED", {
    message: `The storage is held by ${who} and was not released in time; try again, ${then}.`,
    details: { owner: owner === undefined ? {} : { ...owner }, token: record?.token ?? "" },
  });
}
