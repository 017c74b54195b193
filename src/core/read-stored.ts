import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError, isHoldfastError } from "../base/holdfast-error.ts";
import type { StoredFile } from "../storage/storage-adapter.ts";
import { quotePath } from "../tree/quote-path.ts";
import type { ViewContext } from "./workspace-context.ts";

/** The limits that bound the length of a file. */
export type LengthLimit = "textBytes" | "binaryBytes";

/** How a file is read. */
export interface ReadStoredOptions extends CancelOptions {
  /** The limit that it must keep. */
  readonly limit: LengthLimit;
}

/**
 * Reads what is at a path, in one call of the storage; `undefined` where nothing is.
 *
 * @throws {@link HoldfastError} `LIMIT_EXCEEDED` for what is longer than the limit, before any of it is read.
 */
export async function readStored(
  { files, limits }: Pick<ViewContext, "files" | "limits">,
  path: string,
  { signal, limit }: ReadStoredOptions,
): Promise<StoredFile | undefined> {
  const maximum = limits[limit];
  try {
    return await files.read(path, { signal, maxBytes: maximum });
  } catch (error) {
    if (!isHoldfastError(error, "LIMIT_EXCEEDED")) throw error;
    const { actual } = error.details;
    const message = `${quotePath(path)} has ${actual} bytes, more than the ${maximum} that ${quotePath(limit)} allows.`;
    throw new HoldfastError("LIMIT_EXCEEDED", {
      message,
      details: { limit, maximum, actual },
      problems: [{ code: "LIMIT_EXCEEDED", message, path }],
    });
  }
}
