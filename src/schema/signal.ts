import * as z from "zod";

/** A signal as every call takes it; one of another realm is fine. */
export const signalSchema = z
  .custom<AbortSignal>(isAbortSignal, { error: "must be an AbortSignal" })
  .optional();

/** Whether a value can be listened to as a signal. */
export function isAbortSignal(value: unknown): value is AbortSignal {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as AbortSignal).aborted === "boolean" &&
    typeof (value as AbortSignal).throwIfAborted === "function" &&
    typeof (value as AbortSignal).addEventListener === "function"
  );
}

/** Options of calls that can only be cancelled. */
export const cancelOptionsSchema = z.strictObject({ signal: signalSchema });
