import type { SegmentWriteHost } from "./segment-file.ts";

/** What the log stands on. */
export interface SegmentLogHost extends SegmentWriteHost {
  /** This run of the machine. */
  readonly boot: string;
  /** Fails when the lock that is to be held for writing was lost. */
  readonly assertHeld: () => void;
}
