import { utf8 } from "../base/bytes.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";

/**
 * Refuses an input that is too long as a whole, before anything else looks at it.
 *
 * @throws {@link HoldfastError} `LIMIT_EXCEEDED`; `INVALID_ARGUMENT` when it is no data that can be sent.
 */
export function checkRequestSize(input: unknown, { requestBytes }: Limits): void {
  const actual = utf8(serialize(input)).byteLength;
  if (actual <= requestBytes) return;
  throw new HoldfastError("LIMIT_EXCEEDED", {
    message: `The input has ${actual} bytes as JSON, more than the ${requestBytes} that "requestBytes" allows.`,
    details: { limit: "requestBytes", maximum: requestBytes, actual },
  });
}

function serialize(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch (error) {
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: "The input is not plain JSON data.",
      cause: error,
    });
  }
}
