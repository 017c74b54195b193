import { nearestName } from "../schema/nearest-name.ts";

/** Says what is wrong with a value that must be one of a few, and which one was meant, perhaps. */
export function sayChoice(value: unknown, choices: readonly string[]): string {
  const all = choices.map((choice) => `"${choice}"`).join(", ");
  if (value === undefined) return `is missing; it is one of ${all}`;
  if (typeof value !== "string") return `must be one of ${all}, but is of type ${typeof value}`;
  const near = nearestName(value, choices);
  const shown = value.length <= 64 ? JSON.stringify(value) : `a text of ${value.length} characters`;
  const hint = near === undefined ? "" : `; "${near}" is meant, perhaps`;
  return `must be one of ${all}, but is ${shown}${hint}`;
}
