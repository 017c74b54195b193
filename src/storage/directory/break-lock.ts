import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork } from "./exclusive-work.ts";

/**
 * Takes the lock from the process that holds it with a token, and finishes what that one left.
 *
 * @throws `NOT_FOUND` when no lock with this token is held.
 */
export async function breakLock(session: DirectorySession, token: string): Promise<void> {
  await exclusiveWork(
    session,
    {},
    async () => undefined,
    () => session.lock.break(token),
  );
}
