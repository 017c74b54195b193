import { nameOf } from "../../tree/path-parts.ts";
import type { CommitEntry, PathRecord } from "../log/physical-entry.ts";
import { flushPath, removeQuietly } from "./file-bytes.ts";
import { errorNumber, linksMissing } from "./file-system.ts";
import { flushTargets } from "./flush-targets.ts";
import { keepConflict } from "./keep-conflict.ts";
import { patiently } from "./patiently.ts";
import { makeFolders, type PublishHost, preImage, removedImage, removeFolder } from "./publish-paths.ts";
import type { SegmentLog } from "./segment-log.ts";
import { stateFile } from "./state-folder.ts";

/** What taking back needs. */
export interface TakeBackHost extends PublishHost {
  readonly log: SegmentLog;
}

/**
 * Takes back a commit whose entry is durable, as far as it was carried out. The decision is durable before the first step, the steps before
 * the note that they are done; so it can be cut anywhere and goes on at the next opening.
 *
 * @param decided - Whether the decision is in the log already.
 * @param keepOurs - Whether the new contents are kept among the conflicts.
 * @returns paths in no known state, which were left as they are.
 */
export async function takeBack(
  host: TakeBackHost,
  entry: CommitEntry,
  how: { readonly decided: boolean; readonly keepOurs: boolean },
): Promise<readonly string[]> {
  if (!how.decided) {
    // What is taken back comes from there.
    if (host.durable) await flushPath(host.fileSystem, stateFile(host.state, "preImages"), "folder");
    await note(host, "undo", entry.ordinal);
  }
  if (how.keepOurs)
    for (const record of entry.paths) if (record.after !== null) await keepOurs(host, entry, record);
  const results = new Map<string, "done" | "left">();
  const restoreAll = async (records: readonly PathRecord[]) => {
    for (const record of records) {
      results.set(record.path, await patiently(host.fileSystem, () => restore(host, record)));
      await host.pause();
    }
  };
  // A folder that the commit made may stand where it removed a file, and the other way round.
  await restoreAll(entry.paths.filter(({ after }) => after !== null));
  for (const folder of [...entry.folders].reverse())
    await patiently(host.fileSystem, () => removeFolder(host, folder));
  await restoreAll(entry.paths.filter(({ after }) => after === null));
  const left = [...results].flatMap(([path, result]) => (result === "left" ? [path] : []));
  // While this commit's file stood there, somebody may have sealed what wrote the restored one, and passed it over; also one that an earlier
  // try has restored.
  const files = [...results.keys()].filter((path) => !left.includes(path));
  if (host.durable)
    await flushTargets(
      host,
      files,
      entry.paths.map(({ path }) => path),
    );
  await note(host, "undone", entry.ordinal);
  for (const { after } of entry.paths)
    if (after !== null) removeQuietly(host.fileSystem, `${host.state.path}/${after.file}`);
  return left;
}

async function note(host: TakeBackHost, kind: "undo" | "undone", of: number): Promise<void> {
  await host.log.append([{ entry: { kind, ordinal: host.log.head.ordinal + 1, of } }]);
  await host.log.flush();
}

async function keepOurs(host: TakeBackHost, entry: CommitEntry, record: PathRecord): Promise<void> {
  const located = host.root.locate(record.path);
  const published =
    "at" in located && record.after !== null && String(located.status.ino) === record.after.ino;
  const at = published ? located.at : `${host.state.path}/${record.after?.file}`;
  if (host.fileSystem.lstat(at)?.kind === "file")
    await keepConflict(host, at, entry.ordinal, record.path, "ours");
}

/** Brings one path back to what it was before the commit, where the commit's own state or nothing stands there. */
function restore(host: TakeBackHost, record: PathRecord): "done" | "left" {
  const { before, after, path } = record;
  const located = host.root.locate(path);
  const status = "at" in located ? located.status : undefined;
  // What a power cut has torn before it was replaced is mended by the commit that wrote it.
  if (
    before !== null &&
    status !== undefined &&
    String(status.ino) === before.ino &&
    status.mtimeNs <= BigInt(before.mtimeNs)
  )
    return "done";
  const ours =
    after !== null &&
    status !== undefined &&
    String(status.ino) === after.ino &&
    status.mtimeNs <= BigInt(after.mtimeNs);
  if (before === null) {
    // A folder is one whose files have been put back.
    if (status === undefined || status.kind === "directory") return "done";
    if (!ours && !(status.kind === "file" && status.size === 0)) return "left";
    if ("at" in located) host.fileSystem.unlink(located.at);
    return "done";
  }
  if (status !== undefined && !ours) return "left";
  return putBack(host, record);
}

function putBack(host: TakeBackHost, record: PathRecord): "done" | "left" {
  const { fileSystem } = host;
  const from = [preImage(host, record), removedImage(host, record)].find(
    (at) => fileSystem.lstat(at) !== undefined,
  );
  if (from === undefined) return "left";
  makeFolders(host, record.path);
  const located = host.root.locate(record.path);
  if ("at" in located && located.kind !== "directory") {
    fileSystem.rename(from, located.at);
    return "done";
  }
  if (located.kind !== "absent" || located.folder === undefined) return "left";
  const at = `${located.folder.base}/${nameOf(record.path)}`;
  try {
    fileSystem.link(from, at);
    fileSystem.unlink(from);
  } catch (error) {
    if (errorNumber(error) === "EEXIST") return "left";
    if (!linksMissing(error)) throw error;
    fileSystem.rename(from, at);
  }
  return "done";
}
