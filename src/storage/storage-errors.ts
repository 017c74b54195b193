import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { ChunkSource } from "./storage-adapter.ts";

/** Says in the library's words what an adapter threw: its own refusals and the signal's reason pass, anything else is `STORAGE_FAILED`. */
export function asStorageError(
  thrown: unknown,
  options: { readonly signal?: AbortSignal | undefined; readonly written?: "no" | "unknown" | undefined },
): unknown {
  if (isHoldfastError(thrown)) return thrown;
  if (options.signal?.aborted === true && thrown === options.signal.reason) return thrown;
  return new HoldfastError("STORAGE_FAILED", {
    message: `The storage refused an operation${platformCode(thrown)}; the cause says more.`,
    cause: thrown,
    written: options.written,
  });
}

/** The platform's name of an error. Its text stays in the cause: it can hold paths of the host. */
function platformCode(thrown: unknown): string {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? ` (${code})` : "";
}

/**
 * Makes the refusal of what is longer than a reading may be. The storage does not know which limit of the workspace that is; the core names it.
 */
export function tooLongToRead(
  path: string,
  actual: number,
  maximum: number,
): HoldfastError<"LIMIT_EXCEEDED"> {
  return new HoldfastError("LIMIT_EXCEEDED", {
    message: `${quotePath(path)} has ${actual} bytes, more than the ${maximum} that may be read.`,
    details: { limit: "binaryBytes", maximum, actual },
  });
}

/** The refusal of `readChunks` when there is nothing of that name. */
export function contentNotFound(source: ChunkSource): HoldfastError<"NOT_FOUND"> {
  const path = "path" in source ? source.path : "sha256" in source ? source.sha256 : source.staged;
  const what = "path" in source ? "file" : "sha256" in source ? "content with the SHA-256" : "staged content";
  return new HoldfastError("NOT_FOUND", {
    message: `There is no ${what} ${quotePath(path)}.`,
    details: { path, similar: [] },
  });
}
