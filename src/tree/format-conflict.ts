import { concatBytes, utf8 } from "../base/bytes.ts";
import { runSteps } from "../base/steps.ts";
import { harmless } from "../text/harmless.ts";
import { mergeText } from "../text/merge-text.ts";
import { type ConflictStyle, renderMerge } from "../text/render-conflict.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import type { Conflict, ConflictSide, Side } from "./conflict.ts";
import { quotePath } from "./quote-path.ts";

/** How a conflict is shown. */
export interface FormatConflictOptions {
  /** `merge`: both sides, without the lines that they share at the ends; `diff3`: all of both and the base; `zdiff3`: as `merge`, and the base. Default: `merge`. */
  readonly style?: ConflictStyle | undefined;
  /** What the sides are called. Default: `base`, `current`, `incoming`. */
  readonly labels?: Partial<Record<Side, string>> | undefined;
}

/**
 * Shows a conflict as text for people and models: the merged text with markers around the lines that both sides changed, or a sentence where
 * there are no such lines. Control characters, and characters that are not seen or reorder others, are spelled out, such as `\x1b`; hence the text is
 * not for writing back.
 *
 * @param conflict - The conflict.
 * @param options - `style` and `labels`.
 */
export function formatConflict(conflict: Conflict, options: FormatConflictOptions = {}): string {
  const labels = { base: "base", current: "current", incoming: "incoming", ...onOneLine(options.labels) };
  const text = conflict.regions === undefined ? undefined : markedText(conflict, { ...options, labels });
  const isAboutLines = conflict.kind === "content" || conflict.kind === "addAdd";
  if (text !== undefined && isAboutLines) return text;
  const sentence = harmless(`${sentenceOf(conflict, labels)}${afterthought(conflict)}`);
  return text === undefined ? sentence : `${sentence}\n${text}`;
}

function onOneLine(labels: FormatConflictOptions["labels"] = {}): Partial<Record<Side, string>> {
  const given = Object.entries(labels).filter(([, label]) => label !== undefined);
  return Object.fromEntries(given.map(([side, label]) => [side, label.replace(/\p{Cc}+/gu, " ")]));
}

/** The merged text with markers; `undefined` when a side's text is not in the conflict. */
function markedText(conflict: Conflict, options: FormatConflictOptions): string | undefined {
  const { base, current, incoming } = conflict;
  const texts = [base ?? noText, current, incoming].map((side) => side && documentOf(side));
  const [before, mine, theirs] = texts;
  if (before === undefined || mine === undefined || theirs === undefined) return undefined;
  const merge = runSteps(mergeText(before, mine, theirs));
  const bytes = runSteps(renderMerge(merge, { base: before, current: mine, incoming: theirs }, options));
  const isLatin = current?.encoding === "latin1";
  return harmless(isLatin ? fromLatin1(bytes) : new TextDecoder().decode(bytes));
}

const noText = { text: "" };

function documentOf(side: Pick<ConflictSide, "text" | "bom" | "encoding">): TextDocument | undefined {
  if (side.text === undefined) return undefined;
  const bytes =
    side.encoding === "latin1"
      ? Uint8Array.from(side.text, (character) => character.charCodeAt(0))
      : utf8(side.text);
  const whole = side.bom === true ? concatBytes([new Uint8Array([0xef, 0xbb, 0xbf]), bytes]) : bytes;
  const document = runSteps(openDocument(whole));
  return document.kind === "text" ? document : undefined;
}

function fromLatin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function sentenceOf(conflict: Conflict, labels: Record<Side, string>): string {
  const { path, kind, current, incoming } = conflict;
  const name = quotePath(path);
  const mine = labels.current;
  const theirs = labels.incoming;
  const [kept, gone] = current === undefined ? [theirs, mine] : [mine, theirs];
  const left = current ?? incoming;
  switch (kind) {
    case "content":
      return `${mine} and ${theirs} both change ${name}.`;
    case "addAdd":
      return `${mine} and ${theirs} both have a file of their own at ${name}.`;
    case "modifyDelete":
      return `${kept} changes ${name}, and ${gone} deletes it.`;
    case "renameDelete":
      return `${kept} moves ${name} to ${quotePath(left?.path ?? "")}, and ${gone} deletes it.`;
    case "renameRename":
      return `${mine} moves ${name} to ${quotePath(current?.path ?? "")}, and ${theirs} to ${quotePath(incoming?.path ?? "")}.`;
    case "mode":
      return `${mine} and ${theirs} both add ${name}; only that of ${current?.executable === true ? mine : theirs} may be run.`;
    case "binary":
      return `${mine} and ${theirs} both change ${name}, which is binary.`;
    case "fileDirectory":
      return `${name} cannot be both: ${mine} has ${sayPlace(current)}, and ${theirs} ${sayPlace(incoming)}.`;
    case "symlink":
      return `${name} cannot be both: ${mine} has ${sayPlace(current)}, and ${theirs} ${sayPlace(incoming)}.`;
    case "pathCollision":
      return `Some file systems take two names for one: ${mine} has ${sayPlace(current)}, and ${theirs} ${sayPlace(incoming)}.`;
  }
}

function sayPlace(side: ConflictSide | undefined): string {
  if (side === undefined) return "nothing there";
  const at = quotePath(side.path);
  const count = side.files?.length ?? 0;
  if (side.kind === "directory") return `the folder ${at} with ${count} ${count === 1 ? "file" : "files"}`;
  if (side.kind === "file") return `the file ${at}`;
  return side.text === undefined ? `the link ${at}` : `the link ${at} to ${quotePath(side.text)}`;
}

function afterthought({ unmerged, suggestion }: Conflict): string {
  if (unmerged === "bytesUnknown") return " It was not merged: bytes of a side are not known any more.";
  if (unmerged === "tooLong") return " It was not merged: it is longer than texts may be.";
  return suggestion === undefined ? "" : " The changes of both go together in the suggested text.";
}
