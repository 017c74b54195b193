import { type HoldfastError, isHoldfastError } from "holdfast";

/** Waits for a call to be refused and gives the refusal; fails when it is not refused, or something else is thrown. */
export async function refusalOf(call: Promise<unknown> | (() => Promise<unknown>)): Promise<HoldfastError> {
  let result: unknown;
  try {
    result = await (typeof call === "function" ? call() : call);
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
  throw new Error(`The call was not refused; it gave ${JSON.stringify(result)}.`);
}

/** Collects an iteration. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
