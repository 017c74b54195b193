import type { CancelOptions } from "../../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../../base/holdfast-error.ts";
import { errorNumber } from "./file-system.ts";

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EIO: "the disk reports an error",
  EMFILE: "too many files are open in this process",
  ENFILE: "too many files are open on this machine",
  EACCES: "access is denied",
  EPERM: "the operation is not permitted",
  EROFS: "the file system is read-only",
  EXDEV: "the two places are on different file systems",
  EBUSY: "it is in use",
  ENAMETOOLONG: "the name is too long",
  ELOOP: "there are too many links",
};

/** What is no failure of the disk. */
const codes: Readonly<Record<string, "READ_ONLY" | "TARGET_BUSY">> = {
  EACCES: "READ_ONLY",
  EPERM: "READ_ONLY",
  EROFS: "READ_ONLY",
  EBUSY: "TARGET_BUSY",
};

/**
 * Makes a refusal of what the platform threw; refusals of the library pass unchanged. The message names the workspace path and what was being
 * done, never a path of the host.
 */
export function fileSystemError(
  error: unknown,
  doing: string,
  path?: string,
  written: "no" | "unknown" = "no",
): HoldfastError {
  if (isHoldfastError(error)) return error;
  const number = errorNumber(error);
  const reason = (number === undefined ? undefined : reasons[number]) ?? "the file system refused";
  const message = `Cannot ${doing}${path === undefined ? "" : ` "${path}"`}: ${reason}${number === undefined ? "" : ` (${number})`}.`;
  const code = (number === undefined ? undefined : codes[number]) ?? "STORAGE_FAILED";
  return new HoldfastError(code, {
    message,
    cause: error,
    written,
    problems: [{ code, message, ...(path === undefined ? {} : { path }) }],
  });
}

/** The signal's own reason when it stopped the work; else the refusal of what the platform threw. */
export function abortOrError(options: CancelOptions, error: unknown, doing: string, path?: string): unknown {
  if (options.signal?.aborted === true && error === options.signal.reason) return error;
  return fileSystemError(error, doing, path);
}
