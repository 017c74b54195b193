import { utf8 } from "../../base/bytes.ts";
import { type Hashing, hashBytes } from "../../base/hashing.ts";
import type { ProcessIdentity, ProcessTable } from "./process-table.ts";

/**
 * Names temporary files after the process that makes them, so that another can tell whether they are in use: hashes of machine, boot and
 * namespace, process id, start, random digits, joined by dots.
 */
export function ownerName(hashing: Hashing, owner: ProcessIdentity, token: string): string {
  return [...keysOf(hashing, owner), owner.pid, owner.start || "0", token.slice(0, 12)].join(".");
}

function keysOf(hashing: Hashing, owner: ProcessIdentity): readonly string[] {
  return [owner.machine, owner.boot, owner.pidNamespace].map((text) =>
    hashBytes(hashing, "xxh64", utf8(text)).slice(0, 8),
  );
}

/** Whether a name is that of a file whose owner is provably gone. Names of another form are not. */
export function isAbandoned(hashing: Hashing, processes: ProcessTable, name: string): boolean {
  const parts = /^([0-9a-f]{8})\.([0-9a-f]{8})\.([0-9a-f]{8})\.(\d+)\.(\d+)\.[0-9a-f]+-/.exec(name);
  if (parts === null) return false;
  const { self } = processes;
  const own = keysOf(hashing, self);
  const like = (index: number, value: string) => (parts[index + 1] === own[index] ? value : "\u0000other");
  return processes.isGone({
    machine: like(0, self.machine),
    boot: like(1, self.boot),
    pidNamespace: like(2, self.pidNamespace),
    realm: "",
    pid: Number(parts[4]),
    start: parts[5] === "0" ? "" : (parts[5] ?? ""),
  });
}
