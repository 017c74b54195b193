import type { ErrorCodeEntry } from "./error-code-entry.ts";

const revise = (instruction: string) => ({ kind: "reviseRequest", instruction }) as const;
const call = (method: string, instruction: string) =>
  ({ kind: "callTool", tools: [method], instruction }) as const;
const choose = (methods: readonly string[], instruction: string) =>
  ({ kind: "chooseTool", tools: methods, instruction }) as const;
const resolve = (instruction: string) => ({ kind: "resolveExternally", instruction }) as const;
const tryAgain = (instruction: string) => ({ kind: "retryRequest", instruction }) as const;
const readAgain = call("read", "Read the file again and base the change on what it holds now.");

/** Every code that this version can raise, with its category, retry rule, meaning and next step: the one place where they are written. */
export const errorCodes = {
  SYMLINK_ESCAPE: {
    category: "security",
    retry: "change",
    meaning: "The path goes through a symbolic link that leaves the root, or would write through a link.",
    next: revise("Name the real file inside the workspace instead of the link."),
  },
  PROTECTED_PATH: {
    category: "security",
    retry: "change",
    meaning: "The path names version control data or the library's own state, which no call may touch.",
    next: revise("Choose another path; version control data is changed with its own tools."),
  },
  MUTATION_DISABLED: {
    category: "permission",
    retry: "never",
    meaning: "The workspace was opened for inspection only.",
    next: resolve("Ask whoever opened the workspace to open it in a mode that allows changes."),
  },
  READ_ONLY: {
    category: "permission",
    retry: "never",
    meaning: "The storage does not let this path be written.",
    next: resolve("Make the file or folder writable, or choose another path."),
  },
  INVALID_ARGUMENT: {
    category: "validation",
    retry: "change",
    meaning: "An argument does not have the form that the call takes.",
    next: revise("Correct the named fields and call again."),
  },
  INVALID_PATH: {
    category: "validation",
    retry: "change",
    meaning: "The path is not a relative, portable path of this workspace.",
    next: revise("Give a path relative to the root, with forward slashes and without . or .. segments."),
  },
  DUPLICATE_PATH: {
    category: "validation",
    retry: "change",
    meaning: "One path appears more than once in the call.",
    next: revise("Put all edits of one file into one change."),
  },
  PATH_COLLISION: {
    category: "validation",
    retry: "change",
    meaning: "Two paths differ only in case or Unicode form and can be one file.",
    next: revise("Use the spelling that exists, or a clearly different name."),
  },
  LINE_OUT_OF_RANGE: {
    category: "validation",
    retry: "change",
    meaning: "A line number lies outside the file.",
    next: call("readLines", "Read the lines around the place and use their numbers."),
  },
  OVERLAPPING_EDITS: {
    category: "validation",
    retry: "change",
    meaning: "Two edits of one file touch the same line or insert at the same point.",
    next: revise("Join the two edits into one."),
  },
  EMPTY_OLD_TEXT: {
    category: "validation",
    retry: "change",
    meaning: "The text to replace is empty.",
    next: revise("Give the exact text to replace, or use an insertion, or write for a new file."),
  },
  TEXT_NOT_FOUND: {
    category: "validation",
    retry: "refresh",
    meaning: "The text to replace does not occur in the file.",
    next: call("read", "Read the file and copy the text exactly, white space included."),
  },
  TEXT_AMBIGUOUS: {
    category: "validation",
    retry: "change",
    meaning: "The text to replace occurs more often than was said.",
    next: revise("Add surrounding lines until the text is unique, or say how often it must occur."),
  },
  REVISION_REQUIRED: {
    category: "validation",
    retry: "refresh",
    meaning: "The change of an existing file names no revision and is not located by text.",
    next: call("read", "Read the file and pass the revision that it returns."),
  },
  PATCH_INVALID: {
    category: "validation",
    retry: "change",
    meaning: "The patch is not of a form that is understood.",
    next: revise("Correct the named line of the patch, or make the change with edits."),
  },
  PATCH_CONTEXT_NOT_FOUND: {
    category: "validation",
    retry: "refresh",
    meaning: "The lines that a hunk of the patch names do not stand together in the file.",
    next: call("read", "Read the file and make the hunk from the lines that it has now."),
  },
  PATCH_CONTEXT_AMBIGUOUS: {
    category: "validation",
    retry: "change",
    meaning: "The lines that a hunk of the patch names stand at more than one place.",
    next: revise("Add lines around the place, or an @@ line that names the block, until it is one place."),
  },
  IDEMPOTENCY_KEY_REUSED: {
    category: "validation",
    retry: "change",
    meaning: "The idempotency key was used before with other arguments.",
    next: revise("Use a new key for a new call; the outcome recorded for this one is in the details."),
  },
  BINARY_FILE: {
    category: "validation",
    retry: "change",
    meaning: "The file is binary, so it has no lines or text.",
    next: call("readBytes", "Read it as bytes and write it whole."),
  },
  UNSUPPORTED_ENCODING: {
    category: "validation",
    retry: "change",
    meaning: "The bytes are not UTF-8, or the text cannot be written in the file's encoding.",
    next: revise('Name encoding "latin1" to work on one character a byte, or "escape" only to look.'),
  },
  NOT_FOUND: {
    category: "notFound",
    retry: "change",
    meaning: "There is no file at the path.",
    next: call("list", "List the files, or use one of the near paths."),
  },
  IS_DIRECTORY: {
    category: "notFound",
    retry: "change",
    meaning: "The path is a folder, and the call takes a file.",
    next: call("list", "List the folder and name a file in it."),
  },
  REVISION_NOT_FOUND: {
    category: "notFound",
    retry: "change",
    meaning: "There is no such workspace revision, or the bytes that it needs are no longer known.",
    next: call("history", "List the history and use a revision that it gives."),
  },
  TRANSACTION_NOT_FOUND: {
    category: "notFound",
    retry: "change",
    meaning: "There is no transaction with this id.",
    next: call("beginTransaction", "Use the id of a transaction that is listed, or begin a new one."),
  },
  ALREADY_EXISTS: {
    category: "conflict",
    retry: "refresh",
    meaning: "There is something at a path that must be absent.",
    next: call("read", "Read what is there; edit it or write it with its revision, or choose another path."),
  },
  REVISION_MISMATCH: {
    category: "conflict",
    retry: "refresh",
    meaning: "The file is not at the revision that the change is based on.",
    next: readAgain,
  },
  MERGE_CONFLICT: {
    category: "conflict",
    retry: "change",
    meaning: "Two changes of one file do not go together.",
    next: revise(
      "Look at both sides of each conflict; make the change on what is there now, or give a resolution where the call takes one.",
    ),
  },
  SNAPSHOT_MISMATCH: {
    category: "conflict",
    retry: "refresh",
    meaning: "The state is not the one that the call was to be made on.",
    next: call("info", "Look at the state of now, and decide anew whether the call is still right."),
  },
  NO_ACTIVE_TRANSACTION: {
    category: "conflict",
    retry: "change",
    meaning: "The transaction has been committed or rolled back.",
    next: call("beginTransaction", "Begin a new transaction and stage the changes in it."),
  },
  TRANSACTION_CONFLICTED: {
    category: "conflict",
    retry: "refresh",
    meaning: "Others changed what the transaction is about, so it cannot go on as it is.",
    next: choose(
      ["rebase", "rollback"],
      "Rebase the transaction onto what is there now, or roll it back and begin anew.",
    ),
  },
  TRANSACTION_HISTORY_UNAVAILABLE: {
    category: "conflict",
    retry: "change",
    meaning: "The transaction has no step, or no savepoint, where the call wants to go.",
    next: call("info", "Look at how many steps can be undone and redone."),
  },
  WORKSPACE_OUT_OF_DATE: {
    category: "conflict",
    retry: "refresh",
    meaning:
      "A conflicted transaction of this handle was rolled back, and the handle was not reloaded since.",
    next: call("reload", "Reload the workspace and begin the transaction anew."),
  },
  EXTERNAL_WRITE: {
    category: "conflict",
    retry: "refresh",
    meaning:
      "Another program wrote a file while it was being changed; the change was undone and both versions are kept.",
    next: readAgain,
  },
  LIMIT_EXCEEDED: {
    category: "limit",
    retry: "change",
    meaning: "The call asks for more than a limit allows.",
    next: revise("Split the call, or ask for less."),
  },
  REVISION_CAPACITY_REACHED: {
    category: "limit",
    retry: "change",
    meaning: "The transaction has as many steps as it may have.",
    next: choose(["commit", "undo", "rollback"], "Commit the transaction, undo steps, or roll it back."),
  },
  WORKSPACE_CLOSED: {
    category: "unavailable",
    retry: "never",
    meaning: "The workspace has been closed.",
    next: revise("Open the workspace again and use the new handle."),
  },
  LOCKED: {
    category: "unavailable",
    retry: "same",
    meaning: "Another process holds the storage and did not release it in time.",
    next: tryAgain("Try again; when the named owner is known to be gone, break its lock."),
  },
  TARGET_BUSY: {
    category: "unavailable",
    retry: "same",
    meaning: "The file kept changing while the call tried to change it.",
    next: tryAgain("Try the same call again."),
  },
  RECOVERY_PENDING: {
    category: "unavailable",
    retry: "never",
    meaning: "An interrupted commit has not been finished, so nothing more is written.",
    next: resolve("Make the storage writable and open the workspace again; opening finishes the commit."),
  },
  RECOVERY_CONFLICT: {
    category: "unavailable",
    retry: "never",
    meaning: "An interrupted commit met bytes that the library did not write; they were left alone.",
    next: resolve(
      "Compare the named files with the versions kept in the conflicts folder of the state folder.",
    ),
  },
  STORAGE_FAILED: {
    category: "unavailable",
    retry: "same",
    meaning: "The storage refused an operation.",
    next: tryAgain("Look at the cause (disk full, permissions), remove it, and try again."),
  },
  NOT_SUPPORTED: {
    category: "unavailable",
    retry: "never",
    meaning: "The storage cannot do what was asked.",
    next: revise("Use another path or another storage."),
  },
  UNHANDLED_EXCEPTION: {
    category: "internal",
    retry: "never",
    meaning: "Something outside the library failed unexpectedly.",
    next: resolve("Report the correlation id to whoever runs the program."),
  },
  INTERNAL: {
    category: "internal",
    retry: "never",
    meaning: "The library broke one of its own rules; this is a fault in it.",
    next: resolve("Report the error with its correlation id."),
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** A stable name of a refusal. Codes may be added in a minor version; none changes its meaning. */
export type ErrorCode = keyof typeof errorCodes;
