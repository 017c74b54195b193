import { workPerStep } from "./steps.ts";

/** Counts units of work; answers true whenever a step's worth of them is done, and it is time to yield. */
export function workCounter(): (units?: number) => boolean {
  let done = 0;
  return (units = 1) => {
    done += units;
    if (done < workPerStep) return false;
    done = 0;
    return true;
  };
}
