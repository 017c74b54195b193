/** Names the state of a workspace: the number of its newest log entry and the first 16 digits of that entry's chained hash. */
export function formatWorkspaceRevision(sequence: number, hash: string): string {
  return sequence === 0 ? firstWorkspaceRevision : `r${sequence}-${hash.slice(0, 16)}`;
}

/** The state before the first commit. */
const firstWorkspaceRevision = "r0";

/** Reads a workspace revision; `undefined` when the text is none. */
export function parseWorkspaceRevision(
  text: string,
): { readonly sequence: number; readonly hashStart: string } | undefined {
  if (text === firstWorkspaceRevision) return { sequence: 0, hashStart: "" };
  const match = /^r([1-9]\d{0,14})-([0-9a-f]{16})$/.exec(text);
  return match === null ? undefined : { sequence: Number(match[1]), hashStart: match[2] ?? "" };
}
