import { HoldfastError } from "../base/holdfast-error.ts";
import type { ExpectedSnapshot, Snapshot } from "../schema/snapshot.ts";

/** What a snapshot is made of. */
export type SnapshotParts = Omit<Snapshot, "token">;

const partNames = [
  "workspaceId",
  "workspaceEpoch",
  "transactionId",
  "transactionRevision",
  "snapshotId",
] as const satisfies readonly (keyof SnapshotParts)[];

/** Names a state, as a whole and in parts. */
export function makeSnapshot(parts: SnapshotParts): Snapshot {
  return { ...parts, token: tokenOf(parts) };
}

/** Names the state of a workspace outside of transactions: what its newest commit left. */
export function workspaceSnapshot(
  { id, epoch }: { readonly id: string; readonly epoch: number },
  workspaceRevision: string,
): Snapshot {
  const outside = { transactionId: null, transactionRevision: null };
  return makeSnapshot({ workspaceId: id, workspaceEpoch: epoch, ...outside, snapshotId: workspaceRevision });
}

/**
 * Refuses a call that was made for another state.
 *
 * @throws {@link HoldfastError} `SNAPSHOT_MISMATCH`, which says what differs and gives no other snapshot: the next step is to look again.
 */
export function refuseOtherSnapshot(expected: ExpectedSnapshot | undefined, actual: Snapshot): void {
  if (expected === undefined) return;
  const parts = typeof expected === "string" ? partsOf(expected) : expected;
  const differs = partNames.find((name) => parts[name] !== actual[name]);
  if (differs === undefined) return;
  throw new HoldfastError("SNAPSHOT_MISMATCH", {
    message: `The call was made for another state: ${differences[differs].text}.`,
    details: { differs: differences[differs].differs },
  });
}

const differences = {
  workspaceId: { differs: "workspace", text: "it is of another workspace" },
  workspaceEpoch: { differs: "epoch", text: "the workspace has been reloaded since" },
  transactionId: { differs: "transaction", text: "it is of another transaction, or of none" },
  transactionRevision: { differs: "transactionRevision", text: "the transaction is at another step" },
  snapshotId: { differs: "state", text: "something has been changed, undone or committed since" },
} as const satisfies Readonly<Record<(typeof partNames)[number], object>>;

/** Parts in a fixed order; ids are escaped so that no part can hold the separator. */
function tokenOf(parts: SnapshotParts): string {
  return partNames.map((name) => encodeURIComponent(String(parts[name] ?? ""))).join("/");
}

function partsOf(token: string): SnapshotParts {
  const parts = token.split("/");
  const [workspaceId, workspaceEpoch, transactionId, transactionRevision, snapshotId] = parts.map(decode);
  if (parts.length !== partNames.length || !workspaceId || !snapshotId)
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `"expectedSnapshot" is no token of a snapshot; hand back the "token" that info() gave.`,
    });
  return {
    workspaceId,
    workspaceEpoch: Number(workspaceEpoch),
    transactionId: transactionId || null,
    transactionRevision: transactionRevision ? Number(transactionRevision) : null,
    snapshotId,
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
