import { utf8 } from "../../base/bytes.ts";
import { PatchSyntaxError } from "./patch-section.ts";

const escapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  "\\": 92,
};

/** Reads the name of a file from a header: quoted as C does it, with escapes for the bytes of UTF-8, or plain up to a tab, after which a time may stand. */
export function readFileName(given: string, line: number): string {
  if (!given.startsWith('"')) return checkPlain(given.split("\t", 1)[0] as string, line);
  const { name, end } = unquote(given, line);
  if (end < given.length && given[end] !== "\t")
    throw new PatchSyntaxError(line, "has text after a quoted file name.");
  return name;
}

function checkPlain(name: string, line: number): string {
  if (name === "") throw new PatchSyntaxError(line, "names no file.");
  if (/[\p{Cc}\u2028\u2029]/u.test(name))
    throw new PatchSyntaxError(
      line,
      'has a control character or line separator in a file name; put such a name in quotes and escape it ("a\\tb").',
    );
  return name;
}

/** Reads a quoted name that begins at the start of a text. */
function unquote(given: string, line: number): { readonly name: string; readonly end: number } {
  const bytes: number[] = [];
  let from = 1;
  for (let at = 1; at < given.length; at++) {
    if (given[at] !== '"' && given[at] !== "\\") continue;
    for (const byte of utf8(given.slice(from, at))) bytes.push(byte);
    if (given[at] === '"') return { name: decode(bytes, line), end: at + 1 };
    const octal = /^[0-3][0-7]{2}/.exec(given.slice(at + 1, at + 4))?.[0];
    const byte = octal === undefined ? escapes[given[at + 1] ?? ""] : Number.parseInt(octal, 8);
    if (byte === undefined) throw new PatchSyntaxError(line, "has an unknown escape in a quoted file name.");
    bytes.push(byte);
    at += octal?.length ?? 1;
    from = at + 1;
  }
  throw new PatchSyntaxError(line, "has a quoted file name without its closing quote.");
}

function decode(bytes: readonly number[], line: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));
  } catch {
    throw new PatchSyntaxError(line, "has a quoted file name that is not UTF-8; rename the file.");
  }
}

/** The names of the old and of the new file. */
export type NamePair = readonly [string, string];

/** Reads the two names of a `diff --git` line. Plain names may hold blanks, so they are told apart by being equal; `undefined` when they are not. */
export function readGitNames(rest: string, line: number): NamePair | undefined {
  if (rest.startsWith('"')) {
    const { name, end } = unquote(rest, line);
    return rest[end] === " " ? [name, readFileName(rest.slice(end + 1), line)] : undefined;
  }
  if (rest.endsWith('"')) {
    const start = rest.indexOf(' "');
    return start < 0
      ? undefined
      : [checkPlain(rest.slice(0, start), line), readFileName(rest.slice(start + 1), line)];
  }
  const half = rest.length >> 1;
  const pair: NamePair = [rest.slice(0, half), rest.slice(half + 1)];
  const [old, now] = withoutPrefixes(pair);
  return rest[half] === " " && old === now
    ? [checkPlain(pair[0], line), checkPlain(pair[1], line)]
    : undefined;
}

/** What stands for a file that is not there. */
export const noFile = "/dev/null";

/** Takes the prefixes away that tell the two sides apart: `a/` and `b/`, or another pair of git before one name. */
export function withoutPrefixes([old, now]: NamePair): NamePair {
  if (old === noFile) return [old, now.startsWith("b/") ? now.slice(2) : now];
  if (now === noFile) return [old.startsWith("a/") ? old.slice(2) : old, now];
  const isUsual = old.startsWith("a/") && now.startsWith("b/");
  const isOther = /^[abciow]\//.test(old) && /^[abciow]\//.test(now) && old[0] !== now[0];
  const isPair = isUsual || (isOther && old.slice(2) === now.slice(2));
  return isPair ? [old.slice(2), now.slice(2)] : [old, now];
}
