import type { CancelOptions } from "../../base/clock.ts";
import type { RecoveryReport } from "../storage-adapter.ts";
import type { DirectorySession } from "./directory-session.ts";
import { exclusiveWork, logTurn } from "./exclusive-work.ts";
import { orDamage } from "./state-folder-error.ts";
import { sweepState } from "./sweep-state.ts";

/** Finishes what was interrupted, and removes what processes that are gone have left. */
export async function takeOver(session: DirectorySession, options: CancelOptions): Promise<RecoveryReport> {
  const recovered = await exclusiveWork(session, options, async (host, done) => {
    await sweepState(session, host.log.sealedOrdinal, host.log.state.ordinal);
    return done;
  });
  return { ...recovered, conflicts: [...recovered.conflicts], pending: false };
}

/** Reads only: what an interrupted commit left stays as it is, and does not count. */
export async function lookAtLog(session: DirectorySession): Promise<RecoveryReport> {
  try {
    const position = await session.lock.position();
    await session.log.load();
    const pending = session.log.state.ordinal > position.applied;
    await session.log.load(position);
    return { rolledForward: 0, rolledBack: 0, conflicts: [], pending };
  } catch (error) {
    throw orDamage(session, error);
  }
}

/** Learns what other processes have committed. */
export async function refresh(session: DirectorySession): Promise<void> {
  try {
    await logTurn(session, async () => session.log.catchUp(await session.lock.position()));
  } catch (error) {
    throw orDamage(session, error);
  }
}

/** Lets go of what the session holds on the disk. */
export async function letGo(session: DirectorySession): Promise<void> {
  await session.spares.close();
  session.log.close();
  session.lock.close();
}
