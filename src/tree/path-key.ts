import { foldCase } from "./fold-case.ts";

/** Gives the key that two paths share when a file system may take them for one: same letters but for case and Unicode form. */
export function pathKey(path: string): string {
  // Folding an all-ASCII path needs no normal forms; most paths are.
  return isAscii(path) ? path.toLowerCase() : foldCase(path);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}
