import { timeSlice } from "../../base/clock.ts";
import { driveSteps, runSteps, type Steps } from "../../base/steps.ts";

/** What became of work. */
type Settled<T> = { readonly value: T } | { readonly error: unknown };

interface Running {
  readonly steps: Steps<void>;
  readonly ended: Promise<void>;
}

/** Runs stepped work, one piece of work after the other, so that nobody meets a state that is half done. */
export class OneAtATime {
  #running: Running | undefined;

  /** Runs work to its end when what ran before has ended. */
  async run<T>(work: Steps<T>): Promise<T> {
    while (this.#running !== undefined) await this.#running.ended;
    const settled: Settled<T>[] = [];
    const steps = settle(work, settled);
    const ended = driveSteps(steps, timeSlice());
    this.#running = { steps, ended };
    await ended;
    this.#running = undefined;
    const [outcome] = settled as [Settled<T>];
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Waits until nothing runs. */
  async whenIdle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.ended;
  }

  /** Brings what runs to its end at once, for those who cannot wait. */
  finish(): void {
    if (this.#running !== undefined) runSteps(this.#running.steps);
  }
}

/** Whoever takes the last step, what came of the work is there for the one who asked for it. */
function* settle<T>(work: Steps<T>, into: Settled<T>[]): Steps<void> {
  try {
    into.push({ value: yield* work });
  } catch (error) {
    into.push({ error });
  }
}
