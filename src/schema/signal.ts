import * as z from "zod";

/** A signal as every call takes it; one of another realm is fine. */
export const signalSchema = z
  .custom<AbortSignal>(isAbortSignal, { error: "must be an AbortSignal" })
  .optional();

function isAbortSignal(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as AbortSignal).aborted === "boolean" &&
    typeof (value as AbortSignal).addEventListener === "function"
  );
}

/** Options of calls that can only be cancelled. */
export const cancelOptionsSchema = z.strictObject({ signal: signalSchema });
