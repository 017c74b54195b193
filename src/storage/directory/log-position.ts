/** How far the log is written, known to be durable, and carried out. Kept in the lock, so that whoever holds it next knows. */
export interface LogPosition {
  /** Current segment; 0 before the first. */
  readonly segment: number;
  /** Offset behind its last entry. */
  readonly end: number;
  /** Offset up to which it is durable. */
  readonly flushed: number;
  /** Last entry whose files are all in place. */
  readonly applied: number;
}

/** The position before anything is written. */
export const startPosition: LogPosition = { segment: 0, end: 0, flushed: 0, applied: 0 };
