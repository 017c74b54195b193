import type { Change, ErrorCode } from "holdfast";

/** How a change of the model names the revision of its file. */
type Guard = "none" | "current" | "stale";

/** A change as the model sees it. */
export type ModelChange =
  | { readonly kind: "create"; readonly path: string; readonly content: string }
  | { readonly kind: "write"; readonly path: string; readonly content: string; readonly guard: Guard }
  | {
      readonly kind: "text";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
      readonly guard: Guard;
    }
  | {
      readonly kind: "line";
      readonly path: string;
      readonly line: number;
      readonly content: string;
      readonly guard: Guard;
    }
  | { readonly kind: "delete"; readonly path: string; readonly guard: Guard }
  | {
      readonly kind: "move" | "copy";
      readonly path: string;
      readonly destination: string;
      readonly guard: Guard;
    }
  | { readonly kind: "absent"; readonly path: string };

/** The files as a plain map from path to text. */
export type Model = ReadonlyMap<string, string>;

/** What the model says of a change: the files afterwards, or every refusal that may be told. */
export type Prediction = { readonly files: Model } | { readonly refusals: readonly ErrorCode[] };

/** Says what a change must come to. */
export function predict(files: Model, change: ModelChange): Prediction {
  const refusals: ErrorCode[] = [];
  const next = new Map(files);
  const text = files.get(change.path);
  const refuse = (code: ErrorCode) => void refusals.push(code);
  switch (change.kind) {
    case "create":
      if (text === undefined) place(files, change.path, undefined, refuse);
      else if (text !== change.content) refuse("ALREADY_EXISTS");
      next.set(change.path, change.content);
      break;
    case "write":
      if (text === undefined) {
        place(files, change.path, undefined, refuse);
        if (change.guard !== "none") refuse("REVISION_MISMATCH");
      } else checkGuard(change.guard, refuse);
      next.set(change.path, change.content);
      break;
    case "text":
      if (!checkSource(files, change.path, refuse)) break;
      if (change.guard === "stale") refuse("REVISION_MISMATCH");
      else next.set(change.path, replaceOnce(text ?? "", change, refuse));
      break;
    case "line":
      if (checkSource(files, change.path, refuse) && checkGuard(change.guard, refuse))
        next.set(change.path, replaceLine(text ?? "", change, refuse));
      break;
    case "delete":
      if (checkSource(files, change.path, refuse)) checkGuard(change.guard, refuse);
      next.delete(change.path);
      break;
    case "absent":
      if (text !== undefined) refuse("ALREADY_EXISTS");
      break;
    default: {
      if (checkSource(files, change.path, refuse)) checkGuard(change.guard, refuse);
      const leaving = change.kind === "move" ? change.path : undefined;
      if (files.has(change.destination)) refuse("ALREADY_EXISTS");
      else place(files, change.destination, leaving, refuse);
      next.set(change.destination, text ?? "");
      if (leaving !== undefined) next.delete(leaving);
    }
  }
  return refusals.length > 0 ? { refusals } : { files: next };
}

type Refuse = (code: ErrorCode) => void;

/** A new file needs folders above it and no folder in its place, once the batch has happened. */
function place(files: Model, path: string, leaving: string | undefined, refuse: Refuse): void {
  for (const other of files.keys()) {
    if (other === leaving) continue;
    if (path.startsWith(`${other}/`)) refuse("ALREADY_EXISTS");
    if (other.startsWith(`${path}/`)) refuse("IS_DIRECTORY");
  }
}

function checkSource(files: Model, path: string, refuse: Refuse): boolean {
  if (files.has(path)) return true;
  const isFolder = [...files.keys()].some((other) => other.startsWith(`${path}/`));
  refuse(isFolder ? "IS_DIRECTORY" : "NOT_FOUND");
  return false;
}

function checkGuard(guard: Guard, refuse: Refuse): boolean {
  if (guard === "none") refuse("REVISION_REQUIRED");
  if (guard === "stale") refuse("REVISION_MISMATCH");
  return guard === "current";
}

function replaceOnce(text: string, change: ModelChange & { readonly kind: "text" }, refuse: Refuse): string {
  let count = 0;
  for (let at = text.indexOf(change.oldText); at !== -1; at = text.indexOf(change.oldText, at + 1))
    count += 1;
  if (count === 0) refuse("TEXT_NOT_FOUND");
  if (count > 1) refuse("TEXT_AMBIGUOUS");
  const at = text.indexOf(change.oldText);
  return text.slice(0, at) + change.newText + text.slice(at + change.oldText.length);
}

function replaceLine(text: string, change: ModelChange & { readonly kind: "line" }, refuse: Refuse): string {
  const lines = text.split(/(?<=\n)/);
  const count = text === "" ? 0 : lines.length;
  if (change.line < 1 || change.line > count) {
    refuse("LINE_OUT_OF_RANGE");
    return text;
  }
  const old = lines[change.line - 1] ?? "";
  lines[change.line - 1] = change.content + (old.endsWith("\n") ? "\n" : "");
  return lines.join("");
}

/** Spells a change of the model for the library. */
export function spellChange(change: ModelChange, revisionOf: (path: string) => string | undefined): Change {
  const { kind, path } = change;
  if (kind === "create") return { action: "create", path, content: change.content };
  if (kind === "absent") return { action: "assert", path, revision: null };
  const stale = "0".repeat(16);
  const current = revisionOf(path) ?? stale;
  const revision = change.guard === "none" ? undefined : change.guard === "stale" ? stale : current;
  if (kind === "write") return { action: "write", path, content: change.content, revision };
  if (kind === "delete") return { action: "delete", path, revision };
  if (kind === "text") {
    const { oldText, newText } = change;
    return { action: "edit", path, revision, edits: [{ op: "replace_text", oldText, newText }] };
  }
  if (kind === "line") {
    const { line, content } = change;
    return { action: "edit", path, revision, edits: [{ op: "replace", startLine: line, content }] };
  }
  return { action: kind, path, revision, destination: change.destination };
}
