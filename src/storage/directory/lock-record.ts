import { utf8 } from "../../base/bytes.ts";
import type { Pause } from "../../base/clock.ts";
import { type Hashing, hashBytes } from "../../base/hashing.ts";
import { readWhole } from "./file-bytes.ts";
import type { FileSystem } from "./file-system.ts";
import type { LogPosition } from "./log-position.ts";
import type { ProcessIdentity } from "./process-table.ts";

/** What one generation of the lock says: who took it, and how far the log was when it was last let go. */
export interface LockRecord {
  /** Who took it. */
  readonly owner: ProcessIdentity;
  /** Random digits of this taking. */
  readonly token: string;
  /** How far the log is. */
  readonly position: LogPosition;
  /** What the lock was taken from, until everything that was interrupted there is finished. */
  readonly unfinished?: "dead" | "reboot";
}

/** Length of a lock file: records are padded, so that one write in place replaces the other. */
const recordBytes = 1024;

/** `H`: held. `R`: released. */
export type LockLetter = "H" | "R";

/** Writes a lock file: the letter, a blank, the xxh64 of the rest, a blank, the record as JSON padded with blanks, a line feed. */
export function encodeLockRecord(hashing: Hashing, letter: LockLetter, record: LockRecord): Uint8Array {
  const head = 19;
  const body = utf8(`${JSON.stringify(record)}`);
  const bytes = new Uint8Array(Math.max(recordBytes, head + body.byteLength + 1)).fill(32);
  bytes.set(body, head);
  bytes[bytes.byteLength - 1] = 10;
  bytes.set(utf8(`${letter} ${hashBytes(hashing, "xxh64", bytes.subarray(head))} `));
  return bytes;
}

/** One generation of the lock as it lies on the disk. */
export interface LockFile {
  /** Held or released; `undefined` when the file does not say. */
  readonly letter: LockLetter | undefined;
  /** What it says; `undefined` when it cannot be read: only a power cut leaves such a file, or a file system without links. */
  readonly record: LockRecord | undefined;
  /** When it was last written, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Reads a lock file; a read that meets a write in place is repeated. `undefined` when it is gone. */
export async function readLockFile(
  fileSystem: FileSystem,
  hashing: Hashing,
  path: string,
  pause: Pause,
): Promise<LockFile | undefined> {
  for (let attempt = 0; ; attempt++) {
    const found = await readWhole(fileSystem, path, pause);
    if (found === undefined) return undefined;
    const text = new TextDecoder().decode(found.bytes);
    const letter = text.startsWith("H ") ? "H" : text.startsWith("R ") ? "R" : undefined;
    const whole =
      letter !== undefined && text.slice(2, 18) === hashBytes(hashing, "xxh64", found.bytes.subarray(19));
    const record = whole ? (JSON.parse(text.slice(19)) as LockRecord) : undefined;
    if (record !== undefined || attempt === 3)
      return {
        letter: record === undefined ? undefined : letter,
        record,
        modifiedAt: Number(found.status.mtimeNs / 1_000_000n),
      };
  }
}
