import type { ErrorDetails } from "../base/error-details.ts";

type Details = ErrorDetails["LIMIT_EXCEEDED"];

/** Makes the problem of something that is larger than a limit; `subject` and `unit` are for its message, as in `The call has` and `bytes`. */
export function exceededLimit(
  details: Details,
  { subject, unit }: { readonly subject: string; readonly unit: string },
): { readonly code: "LIMIT_EXCEEDED"; readonly message: string; readonly details: Details } {
  const { limit, maximum, actual } = details;
  const message = `${subject} ${actual} ${unit}, more than the limit ${limit} of ${maximum}; split the call.`;
  return { code: "LIMIT_EXCEEDED", message, details };
}

/** Makes the problem of a call with too many changes. */
export function tooManyChanges(maximum: number, actual: number): ReturnType<typeof exceededLimit> {
  return exceededLimit({ limit: "changes", maximum, actual }, { subject: "The call has", unit: "changes" });
}

/** Makes the problem of a change with too many edits. */
export function tooManyEdits(maximum: number, actual: number): ReturnType<typeof exceededLimit> {
  return exceededLimit(
    { limit: "editsPerChange", maximum, actual },
    { subject: "The change has", unit: "edits" },
  );
}
