import { runSteps } from "../../src/base/steps.ts";
import type { Edit } from "../../src/text/edit.ts";
import type { EditsResult } from "../../src/text/edit-result.ts";
import { planEdits } from "../../src/text/plan-edits.ts";
import { openDocument, type TextDocument } from "../../src/text/text-document.ts";

/** Bytes of a text: each character up to U+00FF is one byte. */
export function latin1(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** The text in which each byte is one character. */
export function fromLatin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}

/** Opens text (as UTF-8) or bytes that must not be binary. */
export function openText(content: string | Uint8Array): TextDocument {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const document = runSteps(openDocument(bytes));
  if (document.kind === "binary") throw new Error(`binary: ${document.binary}`);
  return document;
}

/** Plans edits of a text. */
export function edit(content: string | Uint8Array, edits: readonly Edit[], encoding?: "latin1"): EditsResult {
  return runSteps(planEdits(openText(content), edits, { encoding }));
}

/** The text that edits make; throws their problems. */
export function editedText(content: string, ...edits: readonly Edit[]): string {
  const result = edit(content, edits);
  if (result.problems !== undefined) throw new Error(JSON.stringify(result.problems));
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(result.bytes);
}

/** The codes of the problems that edits have. */
export function problemCodes(content: string | Uint8Array, ...edits: readonly Edit[]): string[] {
  return edit(content, edits).problems?.map(({ code }) => code) ?? [];
}
