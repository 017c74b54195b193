import * as z from "zod";

/** Bytes as callers give them; those of another realm and subclasses are fine. */
const bytesSchema = z.custom<Uint8Array>(isBytes, { error: "must be a Uint8Array" });

/** The whole content of a file: text or bytes. */
export const contentSchema = z.union([z.string(), bytesSchema], {
  error: "must be a string or a Uint8Array",
});

/** Says whether a value is a `Uint8Array`, whichever realm it comes from. */
export function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}
