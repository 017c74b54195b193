/**
 * A long computation cut into short pieces: it yields whenever its work counter says that a piece is done, so that whoever drives it can let
 * the event loop turn, and it never looks at a clock itself.
 */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Units of work (about one line or 1 KiB of bytes each) that a computation may do before it yields. */
export const workPerStep = 4096;

/** Runs a stepped computation to its end at once. For tests and for inputs known to be small. */
export function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Runs a stepped computation, calling `pause` before each of its pieces: before the first one too, so that many computations that have only one
 * piece let the event loop turn as a long one does.
 */
export async function driveSteps<T>(steps: Steps<T>, pause: () => Promise<void> | undefined): Promise<T> {
  for (;;) {
    const waiting = pause();
    if (waiting !== undefined) await waiting;
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
