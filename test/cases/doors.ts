import {
  type Change,
  type ErrorCode,
  HoldfastError,
  type Problem,
  type Transaction,
  type Workspace,
} from "holdfast";
import { callTool, refusalIn } from "../support/call-tool.ts";
import { collect } from "../support/refusal.ts";

/** A call through which a path comes in. */
export interface Door {
  readonly name: string;
  /** Whether the path names a folder, so that `""` and `"."` mean the root. */
  readonly folder?: boolean;
  /** Whether the call would make something at the path. */
  readonly makes?: boolean;
  /** Whether the call only looks. */
  readonly reads?: boolean;
  readonly knock: (workspace: Workspace, path: string) => Promise<unknown>;
}

/** The form of a revision, of nothing that exists. */
const revision = "0123456789abcdef";
const digest = revision.repeat(4);

const change = (
  name: string,
  make: (path: string) => Change,
  more: Pick<Door, "folder" | "makes"> = {},
): Door => ({
  name: `apply ${name}`,
  ...more,
  knock: (workspace, path) => workspace.apply(make(path)),
});

/** A call of a tool; its refusal is thrown as that of a method is. */
async function call(workspace: Workspace, tool: string, input: unknown): Promise<unknown> {
  const result = await callTool(workspace, tool, input);
  if (result.ok) return result.structured;
  const { code, message, written, problems } = refusalIn(result);
  throw new HoldfastError(code as ErrorCode, {
    message,
    written: written as HoldfastError["written"],
    problems: problems as readonly Problem[],
  });
}

const applied = (name: string, make: (path: string) => Change, makes = false): Door => ({
  name: `tool ${name}`,
  makes,
  knock: (workspace, path) => call(workspace, "apply_changes", { changes: [make(path)] }),
});

/** The file and the folder that the calls with two paths use as the other one; both must exist. */
export const otherFile = "other.txt";
export const otherFolder = "other";

/** A call inside a transaction; what it staged is committed, as a program would that was not refused. */
const staged = (
  name: string,
  stage: (transaction: Transaction, path: string) => Promise<unknown>,
  more: Pick<Door, "folder" | "makes"> = {},
): Door => ({
  name: `transaction ${name}`,
  ...more,
  knock: async (workspace, path) =>
    await workspace.transaction(async (transaction) => await stage(transaction, path)),
});

/** Every call that takes a path. */
export const doors: readonly Door[] = [
  { name: "read", reads: true, knock: (workspace, path) => workspace.read(path) },
  { name: "readLines", reads: true, knock: (workspace, path) => workspace.readLines(path) },
  { name: "readBytes", reads: true, knock: (workspace, path) => workspace.readBytes(path) },
  { name: "stat", reads: true, folder: true, knock: (workspace, path) => workspace.stat(path) },
  {
    name: "stat with revision",
    reads: true,
    folder: true,
    knock: (workspace, path) => workspace.stat(path, { revision: true }),
  },
  {
    name: "list under",
    reads: true,
    folder: true,
    knock: (workspace, path) => collect(workspace.list({ under: path })),
  },
  change("create", (path) => ({ action: "create", path, content: "planted\n" }), { makes: true }),
  change("write", (path) => ({ action: "write", path, content: "planted\n" }), { makes: true }),
  change("write with a revision", (path) => ({ action: "write", path, content: "planted\n", revision })),
  change("edit by text", (path) => ({
    action: "edit",
    path,
    edits: [{ op: "replace_text", oldText: "secret", newText: "planted" }],
  })),
  change("edit by line", (path) => ({
    action: "edit",
    path,
    revision,
    edits: [{ op: "append", content: "planted" }],
  })),
  change("delete", (path) => ({ action: "delete", path, revision })),
  change("move from", (path) => ({ action: "move", path, destination: "moved.txt", revision })),
  change("copy from", (path) => ({ action: "copy", path, destination: "copied.txt", revision })),
  change("chmod", (path) => ({ action: "chmod", path, revision, executable: true })),
  change("assert", (path) => ({ action: "assert", path, revision })),
  change("moveTree from", (path) => ({ action: "moveTree", path, destination: "moved", revision: digest }), {
    folder: true,
  }),
  change("deleteTree", (path) => ({ action: "deleteTree", path, revision: digest }), { folder: true }),
  {
    name: "apply move to",
    makes: true,
    knock: async (workspace, destination) =>
      workspace.apply({
        action: "move",
        path: otherFile,
        destination,
        revision: (await workspace.read(otherFile)).revision,
      }),
  },
  {
    name: "apply copy to",
    makes: true,
    knock: async (workspace, destination) =>
      workspace.apply({
        action: "copy",
        path: otherFile,
        destination,
        revision: (await workspace.read(otherFile)).revision,
      }),
  },
  {
    name: "apply moveTree to",
    folder: true,
    makes: true,
    knock: async (workspace, destination) => {
      const stat = await workspace.stat(otherFolder, { revision: true });
      return workspace.apply({
        action: "moveTree",
        path: otherFolder,
        destination,
        revision: stat?.revision,
      });
    },
  },
  {
    name: "edit",
    knock: (workspace, path) =>
      workspace.edit(path, { op: "replace_text", oldText: "secret", newText: "planted" }),
  },
  { name: "write", makes: true, knock: (workspace, path) => workspace.write(path, "planted\n") },
  { name: "update", makes: true, knock: (workspace, path) => workspace.update(path, () => "planted\n") },
  change("patch", (path) => ({ action: "patch", path, patch: "-secret\n+planted\n" })),
  change("patch that creates", (path) => ({ action: "patch", path, patch: "+planted\n", create: true }), {
    makes: true,
  }),
  {
    name: "apply patch to",
    makes: true,
    knock: async (workspace, destination) => {
      const [first = ""] = (await workspace.read(otherFile)).text.split("\n");
      return workspace.apply({ action: "patch", path: otherFile, patch: `-${first}\n+moved\n`, destination });
    },
  },
  {
    name: "tool read_file",
    reads: true,
    knock: (workspace, path) => call(workspace, "read_file", { path }),
  },
  applied("create", (path) => ({ action: "create", path, content: "planted\n" }), true),
  applied("write", (path) => ({ action: "write", path, content: "planted\n" }), true),
  applied("edit", (path) => ({
    action: "edit",
    path,
    edits: [{ op: "replace_text", oldText: "secret", newText: "planted" }],
  })),
  applied("delete", (path) => ({ action: "delete", path, revision })),
  {
    name: "tool move to",
    makes: true,
    knock: async (workspace, destination) => {
      const from = (await workspace.read(otherFile)).revision;
      const move = { action: "move", path: otherFile, destination, revision: from };
      return call(workspace, "apply_changes", { changes: [move] });
    },
  },
  {
    name: "transaction read",
    reads: true,
    knock: async (workspace, path) => {
      await using transaction = await workspace.beginTransaction();
      return await transaction.read(path);
    },
  },
  {
    name: "at read",
    reads: true,
    knock: async (workspace, path) => {
      const { workspaceRevision } = await workspace.info();
      return await workspace.at(workspaceRevision).read(path);
    },
  },
  staged(
    "create",
    (transaction, path) => transaction.apply({ action: "create", path, content: "planted\n" }),
    {
      makes: true,
    },
  ),
  staged("write", (transaction, path) => transaction.write(path, "planted\n"), { makes: true }),
  staged("edit", (transaction, path) =>
    transaction.edit(path, { op: "replace_text", oldText: "secret", newText: "planted" }),
  ),
  staged("delete", (transaction, path) => transaction.apply({ action: "delete", path, revision })),
  staged(
    "move to",
    async (transaction, destination) => {
      const from = (await transaction.read(otherFile)).revision;
      return await transaction.apply({ action: "move", path: otherFile, destination, revision: from });
    },
    { makes: true },
  ),
  staged(
    "deleteTree",
    (transaction, path) => transaction.apply({ action: "deleteTree", path, revision: digest }),
    {
      folder: true,
    },
  ),
];
