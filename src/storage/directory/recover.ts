import type { LocatedEntry } from "../log/log-state.ts";
import type { CommitEntry, PathRecord } from "../log/physical-entry.ts";
import { removeIfThere, writeFully } from "./file-bytes.ts";
import { atHostPath, readContent } from "./file-content.ts";
import { type FileStatus, linksMissing } from "./file-system.ts";
import { bytesOf, type ChainLink, judgePath } from "./judge-path.ts";
import { keepConflict } from "./keep-conflict.ts";
import { patiently } from "./patiently.ts";
import {
  preImage,
  putPath,
  removedImage,
  removeEmptied,
  settleFolders,
  settlePreImages,
} from "./publish-paths.ts";
import { type TakeBackHost, takeBack } from "./take-back.ts";

/** What recovering needs. */
export interface RecoverHost extends TakeBackHost {
  /** Makes names that nobody else makes. */
  readonly nextName: () => string;
}

/** What recovering did. */
export interface Recovered {
  /** Commits that were finished. */
  rolledForward: number;
  /** Commits that were taken back, as had been decided before. */
  rolledBack: number;
  /** Paths where somebody else's bytes were met. */
  readonly conflicts: string[];
}

/**
 * Finishes interrupted commits: forward, unless the log says that one is to be taken back. Paths in a state that no commit made are left alone,
 * ours is kept among the conflicts. May itself be cut at any point and run again: until the log is sealed, which makes its files durable, every
 * run of the machine judges all of them anew, so what is put in place here need not be durable.
 *
 * @param entries - The entries in question, durable, oldest first.
 * @param rebooted - Whether the machine was restarted since they were written.
 */
export async function recoverEntries(
  host: RecoverHost,
  entries: readonly LocatedEntry[],
  rebooted: boolean,
): Promise<Recovered> {
  const report: Recovered = { rolledForward: 0, rolledBack: 0, conflicts: [] };
  const noted = (kind: "undo" | "undone") =>
    new Set(entries.flatMap(({ entry }) => (entry.kind === kind ? [entry.of] : [])));
  const undo = noted("undo");
  const undone = noted("undone");
  const chains = new Map<string, ChainLink[]>();
  const left = new Set<string>();
  for (const located of entries) {
    const { entry } = located;
    if (entry.kind !== "commit") continue;
    if (undo.has(entry.ordinal)) {
      if (undone.has(entry.ordinal)) continue;
      for (const path of await takeBack(host, entry, { decided: true, keepOurs: false })) left.add(path);
      report.rolledBack += 1;
      continue;
    }
    for (const record of entry.paths)
      chains.set(record.path, [...(chains.get(record.path) ?? []), { record, located }]);
  }
  const touched = new Set<LocatedEntry>();
  await finishRemovals(host, chains, rebooted, report, touched);
  await finishPuts(host, chains, rebooted, report, touched);
  // What other commits have made of a path is judged by these.
  report.conflicts.push(...[...left].filter((path) => !chains.has(path)));
  report.rolledForward = touched.size;
  return report;
}

async function finishRemovals(
  host: RecoverHost,
  chains: ReadonlyMap<string, readonly ChainLink[]>,
  rebooted: boolean,
  report: Recovered,
  touched: Set<LocatedEntry>,
): Promise<void> {
  const removed: string[] = [];
  const needed: string[] = [];
  for (const [path, chain] of byDepth(chains)) {
    const link = chain.at(-1);
    if (link === undefined) continue;
    if (link.record.after !== null) {
      needed.push(path);
      continue;
    }
    const verdict = await judgePath(host, path, chain, rebooted);
    if (verdict === "foreign") report.conflicts.push(path);
    else if (verdict !== "last") {
      await patiently(host.fileSystem, () => moveAway(host, chain, link.record, verdict));
      touched.add(link.located);
    }
    removed.push(path);
  }
  await settlePreImages(
    host,
    [...chains.values()].flatMap((chain) => chain.map(({ record }) => record)),
  );
  await removeEmptied(host, removed, needed);
}

function byDepth(
  chains: ReadonlyMap<string, readonly ChainLink[]>,
): readonly (readonly [string, readonly ChainLink[]])[] {
  return [...chains].sort(([a], [b]) => b.split("/").length - a.split("/").length);
}

/** Each file goes where the commit that replaced it looks for it, which need not be the last one; one that only reserved a name goes for good. */
function moveAway(
  host: RecoverHost,
  chain: readonly ChainLink[],
  record: PathRecord,
  verdict: "earlier" | "absent" | "torn",
): void {
  const located = host.root.locate(record.path);
  if (!("at" in located) || located.kind === "directory") return;
  if (verdict === "absent") host.fileSystem.unlink(located.at);
  else host.fileSystem.rename(located.at, removedImage(host, replacerOf(chain, located.status) ?? record));
}

/** The commit of a chain that replaced a file. */
function replacerOf(chain: readonly ChainLink[], status: FileStatus): PathRecord | undefined {
  return chain.findLast(({ record }) => record.before?.ino === String(status.ino))?.record;
}

async function finishPuts(
  host: RecoverHost,
  chains: ReadonlyMap<string, readonly ChainLink[]>,
  rebooted: boolean,
  report: Recovered,
  touched: Set<LocatedEntry>,
): Promise<void> {
  for (const [path, chain] of chains) {
    const link = chain.at(-1);
    if (link === undefined || link.record.after === null) continue;
    const verdict = await judgePath(host, path, chain, rebooted);
    if (verdict === "last") continue;
    if (verdict === "foreign" || !(await bringForward(host, chain, link, verdict))) {
      report.conflicts.push(path);
      await keepOurs(host, link);
      continue;
    }
    touched.add(link.located);
    await host.pause();
  }
}

/** Writes the last content of a chain at its place. `false` when its bytes are gone or somebody was quicker. */
async function bringForward(
  host: RecoverHost,
  chain: readonly ChainLink[],
  link: ChainLink,
  verdict: "earlier" | "absent" | "torn",
): Promise<boolean> {
  const { record, located } = link;
  if (record.after === null) return false;
  const file = await freshContent(host, link);
  if (file === undefined) return false;
  await settleFolders(host, [record]);
  const found = await patiently(host.fileSystem, () => host.root.locate(record.path));
  let last: PathRecord = { ...record, before: null, after: { ...record.after, file } };
  let done = false;
  if ("at" in found && found.kind !== "directory") {
    if (verdict === "torn") await keepConflict(host, found.at, located.entry.ordinal, record.path, "ours");
    const replacer = verdict === "earlier" ? replacerOf(chain, found.status) : undefined;
    if (replacer !== undefined) {
      linkAgain(host, replacer, found.at);
      await settlePreImages(host, [replacer]);
    }
    if (verdict === "absent") await patiently(host.fileSystem, () => host.fileSystem.unlink(found.at));
    else if (host.state.links || replacer === undefined) {
      // Never removed first: a name that is gone could not be told from one that somebody else has removed.
      await patiently(host.fileSystem, () => host.fileSystem.rename(`${host.state.path}/${file}`, found.at));
      done = true;
    } else last = { ...replacer, after: last.after };
  }
  done ||= (await putPath(host, last)) === "done";
  if (!done && file !== record.after.file) await removeIfThere(host.fileSystem, `${host.state.path}/${file}`);
  return done;
}

function linkAgain(host: RecoverHost, record: PathRecord, at: string): void {
  if (host.fileSystem.lstat(preImage(host, record)) !== undefined) return;
  try {
    host.fileSystem.link(at, preImage(host, record));
  } catch (error) {
    // Without links, `putPath` moves the file itself there.
    if (!linksMissing(error)) throw error;
  }
}

/**
 * The content's own file when it is still whole, else a new one with the same bytes. No record tells the new one: torn, it would be taken for
 * somebody else's, so it is durable before it is named.
 */
async function freshContent(host: RecoverHost, { record, located }: ChainLink): Promise<string | undefined> {
  const { fileSystem, state } = host;
  const { after } = record;
  if (after === null) return undefined;
  const own = await readContent(host, atHostPath(host, `${state.path}/${after.file}`), record.path, "hash");
  if (
    own?.identity.xxh64 === after.xxh64 &&
    own.identity.length === after.length &&
    own.identity.mode === after.mode
  )
    return after.file;
  const bytes = await bytesOf(host, located, after);
  if (bytes === undefined) return undefined;
  const file = `tmp/${host.nextName()}`;
  const at = `${state.path}/${file}`;
  if (after.kind === "symlink") {
    fileSystem.symlink(new TextDecoder().decode(bytes), at);
    return file;
  }
  const descriptor = await fileSystem.create(at, 0o600);
  try {
    await writeFully(fileSystem, descriptor, bytes, 0, host.pause);
    fileSystem.chmod(descriptor, after.mode);
    if (host.durable) await fileSystem.flush(descriptor, "all");
  } finally {
    fileSystem.close(descriptor);
  }
  return file;
}

async function keepOurs(host: RecoverHost, { record, located }: ChainLink): Promise<void> {
  const entry = located.entry as CommitEntry;
  const file = await freshContent(host, { record, located });
  if (file !== undefined && record.after?.kind === "file")
    await keepConflict(host, `${host.state.path}/${file}`, entry.ordinal, record.path, "ours");
  if (file !== undefined && file !== record.after?.file)
    await removeIfThere(host.fileSystem, `${host.state.path}/${file}`);
}
