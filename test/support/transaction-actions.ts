import { type ErrorCode, errorCodes, type FileView, type Transaction } from "holdfast";
import type { FileChange, ModelFile, ModelFiles } from "./transaction-model.ts";

/** A call of a sequence; `slot` says which of two transactions, `handle` through which of two workspaces. */
export type TransactionAction =
  | {
      readonly kind: "stage";
      readonly slot: number;
      readonly handle: number;
      readonly change: FileChange;
      readonly manner: "plain" | "dry" | "keyed";
    }
  | { readonly kind: "undo" | "redo"; readonly slot: number; readonly handle: number; readonly steps: number }
  | {
      readonly kind: "savepoint" | "undoTo";
      readonly slot: number;
      readonly handle: number;
      readonly label: string;
    }
  | {
      readonly kind: "discard";
      readonly slot: number;
      readonly handle: number;
      readonly paths: readonly string[];
    }
  | {
      readonly kind: "rebase";
      readonly slot: number;
      readonly handle: number;
      readonly answer: "none" | "current" | "incoming" | "base" | "delete" | "content";
    }
  | { readonly kind: "commit" | "rollback"; readonly slot: number; readonly handle: number }
  | { readonly kind: "outside"; readonly change: FileChange }
  | { readonly kind: "apply"; readonly handle: number; readonly change: FileChange }
  | { readonly kind: "revert"; readonly handle: number; readonly back: number }
  | { readonly kind: "reopen"; readonly handle: number };

const ranks: readonly string[] = ["security", "permission", "validation", "notFound", "conflict", "limit"];

/** The codes that an error with these problems may have: those of the first category among them. */
export function leading(codes: readonly ErrorCode[]): readonly ErrorCode[] {
  const rankOf = (code: ErrorCode) => ranks.indexOf(errorCodes[code].category);
  const first = Math.min(...codes.map(rankOf));
  return codes.filter((code) => rankOf(code) === first);
}

/** Files as plain data. */
export const asRecord = (files: ModelFiles) =>
  Object.fromEntries(
    [...files]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, { text, executable }]) => [path, [text, executable]]),
  );

/** Reads all files of a view. */
export async function readAll(view: FileView): Promise<ModelFiles> {
  const files = new Map<string, ModelFile>();
  for await (const { path, kind } of view.list()) {
    if (kind !== "file") continue;
    const { text, executable } = await view.read(path);
    files.set(path, { text, executable });
  }
  return files;
}

/** Makes the call of an action as it stands. */
export async function callAsItStands(transaction: Transaction, action: TransactionAction): Promise<unknown> {
  switch (action.kind) {
    case "stage":
      return await transaction.apply({ action: "create", path: "new", content: "" });
    case "undo":
      return await transaction.undo(action.steps);
    case "redo":
      return await transaction.redo(action.steps);
    case "savepoint":
      return await transaction.savepoint(action.label);
    case "undoTo":
      return await transaction.undoTo(action.label);
    case "discard":
      return await transaction.discard({ paths: action.paths });
    default:
      return await transaction.commit();
  }
}
