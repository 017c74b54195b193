import type { RevisionInfo } from "./revision-info.ts";

/** What happened in a workspace. */
export type WorkspaceEvent =
  | {
      /** A commit, by whichever handle; `external`: a change past the library was found, and recorded. */
      readonly type: "committed" | "external";
      /** What it made. */
      readonly revision: RevisionInfo;
    }
  | {
      /** A transaction was found in conflict, or was changed, by this handle. */
      readonly type: "conflicted" | "transactionUpdated";
      /** Which. */
      readonly transactionId: string;
      /** Paths that changed outside; of a change, all paths that are staged. */
      readonly paths: readonly string[];
    }
  | {
      /** The reader was too slow, and the oldest events that waited for it were dropped. */
      readonly type: "overflow";
      /** How many. */
      readonly missed: number;
    };
