import { utf8 } from "../base/bytes.ts";

const named: Readonly<Record<number, string>> = {
  7: "\\a",
  8: "\\b",
  9: "\\t",
  10: "\\n",
  11: "\\v",
  12: "\\f",
  13: "\\r",
  34: '\\"',
  92: "\\\\",
};

/**
 * Writes a name as git writes it in diffs: as it is, or in quotes with C's escapes and octal bytes when it holds control characters, quotes,
 * backslashes or anything beyond ASCII. What comes back is ASCII on one line, whatever the name is.
 */
export function quoteName(name: string): string {
  const bytes = utf8(name);
  let quoted = "";
  for (const byte of bytes) quoted += quoteByte(byte);
  return quoted.length === bytes.byteLength ? name : `"${quoted}"`;
}

function quoteByte(byte: number): string {
  const short = named[byte];
  if (short !== undefined) return short;
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, "0")}`;
}
