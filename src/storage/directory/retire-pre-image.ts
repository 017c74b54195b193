import { hashInSteps } from "../../base/byte-steps.ts";
import { driveSteps } from "../../base/steps.ts";
import type { AfterIdentity, CommitEntry, PathIdentity, PathRecord } from "../log/physical-entry.ts";
import type { CommitHost } from "./commit-batches.ts";
import { flushPath } from "./file-bytes.ts";
import { atHostPath, type FileContent, readContent } from "./file-content.ts";
import { keepConflict } from "./keep-conflict.ts";
import { patiently } from "./patiently.ts";
import { preImage, removedImage } from "./publish-paths.ts";
import { stateFile } from "./state-folder.ts";

/**
 * Keeps a pre-image under its SHA-256, where the log does not hold those bytes already. The pre-image itself stays until all is sealed.
 *
 * @param written - What the commits before have left at each path.
 */
export async function retirePreImage(
  host: CommitHost,
  entry: CommitEntry,
  record: PathRecord,
  written: ReadonlyMap<string, AfterIdentity | null>,
): Promise<"kept" | "changed"> {
  const { before, path } = record;
  if (before === null) return "kept";
  const linked = preImage(host, record);
  const at = host.fileSystem.lstat(linked) === undefined ? removedImage(host, record) : linked;
  const content = await readContent(host, atHostPath(host, at), path, "hash");
  if (content === undefined) return "kept";
  const isUnchanged = content.identity.xxh64 === before.xxh64;
  if (!isUnchanged && !isTorn(host, entry, record, content)) {
    await keepConflict(host, at, entry.ordinal, path, "theirs");
    return "changed";
  }
  const source = written.get(path);
  const isInLog = source?.blob !== undefined && holdsSame(source, before);
  if (isUnchanged && !isInLog && before.kind === "file") await keepImage(host, record, at);
  return "kept";
}

/** Whether two states are one: the same file, not written since; where times are coarse, its bytes tell more. */
function holdsSame(one: PathIdentity, other: PathIdentity): boolean {
  return one.ino === other.ino && one.mtimeNs === other.mtimeNs && one.xxh64 === other.xxh64;
}

/** Whether a power cut, and nobody's hand, has changed a pre-image: it was not durable when it was replaced, and no one wrote it since. */
function isTorn(
  host: CommitHost,
  entry: CommitEntry,
  { before }: PathRecord,
  { identity }: FileContent,
): boolean {
  return (
    entry.boot !== host.boot &&
    before !== null &&
    identity.ino === before.ino &&
    BigInt(identity.mtimeNs) <= BigInt(before.mtimeNs)
  );
}

/** A pre-image that others have no name of becomes the before-image; of one that they have, a copy does. */
async function keepImage(host: CommitHost, record: PathRecord, at: string): Promise<void> {
  const content = await readContent(host, atHostPath(host, at), record.path, "bytes");
  if (content?.bytes === undefined) return;
  const sha256 = await driveSteps(hashInSteps(host.hashing, "sha256", content.bytes), host.pause);
  const image = stateFile(host.state, "images", sha256);
  if (host.log.state.contents.has(sha256) || host.fileSystem.lstat(image) !== undefined) return;
  // A removed file can stand among the pre-images twice. Neither name goes before all is sealed: a power cut could leave that alone.
  const own = [preImage(host, record), removedImage(host, record)].filter(
    (name) => host.fileSystem.lstat(name)?.ino === content.status.ino,
  );
  if (content.status.links > own.length) return await copyDurably(host, at, image);
  if (host.durable) await flushPath(host.fileSystem, at, "read");
  await patiently(host.fileSystem, () => host.fileSystem.rename(at, image));
}

/** Copies a file to a name that is not there; the copy is durable before it has the name. */
export async function copyDurably(host: CommitHost, from: string, to: string): Promise<void> {
  const temporary = stateFile(host.state, "temporary", host.nextName());
  await host.fileSystem.copy(from, temporary);
  if (host.durable) await flushPath(host.fileSystem, temporary, "read");
  await patiently(host.fileSystem, () => host.fileSystem.rename(temporary, to));
}
