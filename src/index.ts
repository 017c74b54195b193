/**
 * Safe file edits by agents: no lost updates, all or nothing, exactly once, with clear refusals. This entry runs wherever JavaScript does.
 *
 * @packageDocumentation
 */

// The workspace, and what it can be used as.

export type { EditableView, Updated } from "./core/editable-view.ts";
export type { FileHistory } from "./core/file-history.ts";
export type { FileView, ViewDiffOptions } from "./core/file-view.ts";
export { Workspace } from "./core/workspace.ts";
export type {
  IdempotencyOptions,
  LimitOverrides,
  OpenOptions,
  WorkspaceMode,
} from "./schema/open-options.ts";
export type { RevisionAlgorithm } from "./schema/revision-algorithm.ts";
export type { RecoveryInfo, WorkspaceInfo } from "./schema/workspace-info.ts";

// Transactions.

export type { Transaction } from "./core/transaction/transaction.ts";
export type { TransactionControl } from "./core/transaction-control.ts";
export type { TransactionCollection, TransactionRun, TransactionSource } from "./core/transaction-source.ts";
export type { CollectionOptions } from "./schema/collection-options.ts";
export type { CommitResult } from "./schema/commit-result.ts";
export type { ExpectedSnapshot, Snapshot, SnapshotOptions } from "./schema/snapshot.ts";
export type { DiscardTarget, RebaseOptions, TransactionRevertOptions } from "./schema/transaction-calls.ts";
export type { TransactionInfo, TransactionState } from "./schema/transaction-info.ts";
export type {
  CommitOptions,
  RunTransactionOptions,
  TransactionOptions,
} from "./schema/transaction-options.ts";

// Reading.

export { numberLines } from "./core/number-lines.ts";
export type { ListOptions, SearchOptions } from "./schema/list-options.ts";
export type { LineRange, ReadLinesOptions, ReadOptions, StatOptions } from "./schema/read-options.ts";
export type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "./schema/read-results.ts";

// Changing.

export { type DescribeResultOptions, describeResult } from "./core/describe-result.ts";
export { type FormatDiffOptions, formatDiff } from "./core/format-diff.ts";
export { shiftLine } from "./core/shift-line.ts";
export type { ApplyOptions, EditOptions, UpdateOptions } from "./schema/apply-options.ts";
export type {
  AppliedFile,
  AppliedHunk,
  AppliedLineShift,
  AppliedRange,
  ApplyResult,
  Warning,
} from "./schema/apply-result.ts";
export type { DiffOptions } from "./schema/diff-options.ts";
export type { AppendEdit, DeleteEdit, Edit, InsertEdit, ReplaceEdit, ReplaceTextEdit } from "./text/edit.ts";
export type {
  AssertChange,
  Change,
  ChmodChange,
  CreateChange,
  DeleteChange,
  DeleteTreeChange,
  EditChange,
  MoveChange,
  MoveTreeChange,
  PatchChange,
  WriteChange,
} from "./tree/change.ts";
export type { FileDiff, Hunk, TreeDiff } from "./tree/tree-diff.ts";

// Merging.

export type {
  Conflict,
  ConflictFile,
  ConflictKind,
  ConflictRegion,
  ConflictSide,
  Side,
} from "./tree/conflict.ts";
export { type FormatConflictOptions, formatConflict } from "./tree/format-conflict.ts";
export type { RegionResolution, Resolution, Resolutions } from "./tree/resolution.ts";

// What happened.

export type { PruneResult } from "./core/history-pruner.ts";
export type { HistoryReport } from "./history/verify-history.ts";
export type { Outcome, RecordedAnswer } from "./schema/outcome.ts";
export type { Retention } from "./schema/retention.ts";
export type { RevertOptions, RevertTarget } from "./schema/revert-options.ts";
export type { RevertResult } from "./schema/revert-result.ts";
export type {
  EventOptions,
  HistoryFilter,
  HistoryOptions,
  RevisionCause,
  RevisionInfo,
} from "./schema/revision-info.ts";
export type { WorkspaceEvent } from "./schema/workspace-event.ts";

// Refusals.

export { type DescribeErrorOptions, describeError } from "./base/describe-error.ts";
export type { ContinuationKind, ErrorCategory, ErrorCodeEntry, ErrorRetry } from "./base/error-code-entry.ts";
export { type ErrorCode, errorCodes } from "./base/error-codes.ts";
export type { ConflictDetails, ConflictSideDetails, ErrorDetails } from "./base/error-details.ts";
export {
  type Continuation,
  HoldfastError,
  type HoldfastErrorOptions,
  isHoldfastError,
  type Problem,
} from "./base/holdfast-error.ts";

// Bounds, time, ids, hashes.

export { concatBytes } from "./base/bytes.ts";
export type { CancelOptions, Clock, IdPrefix, IdSource } from "./base/clock.ts";
export { type Hashing, type HashState, hashBytes, loadPortableHashing } from "./base/hashing.ts";
export type { Json } from "./base/json.ts";
export { type Limits, libraryLimits, toolLimits } from "./base/limits.ts";

// Storages: the one in memory, and what an own one implements.

export { chainHash, firstPreviousHash } from "./storage/log/chain-hash.ts";
export { MemoryStorage, type MemoryStorageOptions } from "./storage/memory/memory-storage.ts";
export type {
  ChunkSource,
  CommitOutcome,
  Content,
  ContentAppend,
  Expectation,
  FilePut,
  ListedFile,
  LogEntry,
  ReadLogOptions,
  RecordPut,
  RecoveryReport,
  StorageAdapter,
  StorageBatch,
  StorageCapabilities,
  StorageListOptions,
  StorageOpenOptions,
  StorageReadOptions,
  StoredFile,
  StoredStat,
} from "./storage/storage-adapter.ts";
export { tooLongToRead } from "./storage/storage-errors.ts";
