import type { RecordedAnswer } from "../schema/outcome.ts";
import type { WorkspaceParts } from "./open-workspace.ts";

/** Gives what the call with a key returned when it took effect before, and else makes the call; two of one key wait for each other. */
export async function runRecorded<T extends RecordedAnswer>(
  { idempotency, order }: WorkspaceParts,
  key: string,
  run: (options: { readonly idempotencyKey: string }) => Promise<T>,
): Promise<T> {
  const claims = { paths: [], names: [`once:${idempotency.hashOf(key)}`] };
  return await order.run(claims, async () => {
    const outcome = await idempotency.outcome(key, {});
    return outcome.known ? (outcome.result as T) : await run({ idempotencyKey: key });
  });
}
