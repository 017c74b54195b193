import type { CancelOptions } from "./clock.ts";

/** Throws the signal's reason when the call has been cancelled. */
export function throwIfAborted(options: CancelOptions | undefined): void {
  options?.signal?.throwIfAborted();
}
