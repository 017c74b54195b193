import type { RevisionInfo } from "./revision-info.ts";

/** What happened in a workspace. */
export type WorkspaceEvent =
  | {
      /** A commit, by whichever handle. */
      readonly type: "committed";
      /** What it made. */
      readonly revision: RevisionInfo;
    }
  | {
      /** The reader was too slow, and the oldest events that waited for it were dropped. */
      readonly type: "overflow";
      /** How many. */
      readonly missed: number;
    };
