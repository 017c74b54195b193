import type { CancelOptions } from "../base/clock.ts";
import type { Problem } from "../base/holdfast-error.ts";
import type { RevisionLog } from "../history/revision-log.ts";
import type { FileState } from "../tree/file-state.ts";

/** Who a stale call comes from. */
export interface CallOrigin {
  readonly source?: string | undefined;
  readonly sessionId?: string | undefined;
}

type ChangedBy = "thisSession" | "otherSession" | "outside" | "unknown";

/** Log entries that are looked at to find out who changed a file. */
const mostEntries = 200;

/** Tells in each `REVISION_MISMATCH` who changed the file, as far as the newest history shows. */
export async function tellChangedBy(
  log: RevisionLog,
  problems: readonly Problem[],
  now: (path: string) => FileState | undefined,
  origin: CallOrigin & CancelOptions,
): Promise<readonly Problem[]> {
  const stale = new Set<string>();
  for (const { code, path } of problems)
    if (code === "REVISION_MISMATCH" && path !== undefined) stale.add(path);
  if (stale.size === 0) return problems;
  const found = await findChangers(log, stale, now, origin);
  return problems.map((problem) =>
    problem.code === "REVISION_MISMATCH" && problem.path !== undefined
      ? {
          ...problem,
          details: { ...(problem.details as object), changedBy: found.get(problem.path) ?? "unknown" },
        }
      : problem,
  );
}

async function findChangers(
  log: RevisionLog,
  paths: ReadonlySet<string>,
  now: (path: string) => FileState | undefined,
  origin: CallOrigin & CancelOptions,
): Promise<ReadonlyMap<string, ChangedBy>> {
  const found = new Map<string, ChangedBy>();
  let seen = 0;
  for await (const { entry } of log.read({ signal: origin.signal, reverse: true })) {
    for (const path of paths) {
      const change = entry.delta.changes.get(path);
      if (change === undefined || found.has(path)) continue;
      // What the library left is not what is there, so somebody else came after it.
      const isOurs = change.after?.contentId === now(path)?.contentId;
      found.set(path, isOurs && entry.cause !== "external" ? whose(entry, origin) : "outside");
    }
    seen += 1;
    if (found.size === paths.size || seen >= mostEntries) return found;
  }
  // The whole history says nothing about these: whatever changed them, it was not the library.
  for (const path of paths) if (!found.has(path)) found.set(path, "outside");
  return found;
}

function whose(entry: CallOrigin, origin: CallOrigin): ChangedBy {
  const name = origin.sessionId === undefined && entry.sessionId === undefined ? "source" : "sessionId";
  if (entry[name] === undefined && origin[name] === undefined) return "unknown";
  return entry[name] === origin[name] ? "thisSession" : "otherSession";
}
