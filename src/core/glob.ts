import { HoldfastError } from "../base/holdfast-error.ts";

/** A checked glob: the alternatives that its braces spell, each cut at `/`. */
export type Glob = readonly (readonly string[])[];

const mostAlternatives = 256;

/**
 * Reads a glob. `*` stands for any part of a name, `?` for one character of it, `**` as a whole segment for any folders, `{a,b}` for either; all
 * else stands for itself. Without `/` it looks at names in every folder; a trailing `/` means all that is below the folder.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` for a backslash, an open brace, or more than 256 alternatives.
 */
export function parseGlob(text: string): Glob {
  if (text.includes("\\")) throw invalid(text, "holds a backslash; separate folders with /");
  return expandBraces(text).map((alternative) => {
    const plain = alternative.replace(/^\.?\//, "");
    const whole = plain.endsWith("/") ? `${plain}**` : plain;
    const segments = whole.split("/");
    return alternative.slice(0, -1).includes("/") ? segments : ["**", ...segments];
  });
}

/** Says whether a path matches a glob, in time proportional to the product of their lengths at worst. */
export function matchesGlob(glob: Glob, path: string): boolean {
  const segments = path.split("/");
  return glob.some((alternative) =>
    matchWildcards(alternative, segments, (part) => part === "**", matchesName),
  );
}

function matchesName(pattern: string, name: string): boolean {
  return matchWildcards(
    [...pattern],
    [...name],
    (part) => part === "*",
    (part, character) => part === "?" || part === character,
  );
}

/** The usual wildcard match: one star at a time is stretched, and only the last one is ever stretched further. */
function matchWildcards(
  pattern: readonly string[],
  input: readonly string[],
  isStar: (part: string) => boolean,
  matchesOne: (part: string, item: string) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let starAt = 0;
  for (let index = 0; index < input.length; ) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      starAt = index;
    } else if (part !== undefined && matchesOne(part, input[index] ?? "")) {
      at += 1;
      index += 1;
    } else {
      if (star === -1) return false;
      at = star + 1;
      index = ++starAt;
    }
  }
  return pattern.slice(at).every(isStar);
}

function expandBraces(text: string): readonly string[] {
  let heads = [""];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf("{", at);
    const plainEnd = open === -1 ? text.length : open;
    const plain = text.slice(at, plainEnd);
    heads = heads.map((head) => head + plain);
    if (open === -1) break;
    const close = closingBrace(text, open);
    const choices = splitChoices(text.slice(open + 1, close)).flatMap(expandBraces);
    heads = heads.flatMap((head) => choices.map((choice) => head + choice));
    if (heads.length > mostAlternatives)
      throw invalid(text, `spells more than ${mostAlternatives} alternatives`);
    at = close + 1;
  }
  return heads;
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}" && --depth === 0) return at;
  }
  throw invalid(text, "has a { without its }");
}

function splitChoices(text: string): readonly string[] {
  const choices: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") depth += 1;
    if (text[at] === "}") depth -= 1;
    if (text[at] !== "," || depth > 0) continue;
    choices.push(text.slice(from, at));
    from = at + 1;
  }
  return [...choices, text.slice(from)];
}

function invalid(text: string, trouble: string): HoldfastError {
  return new HoldfastError("INVALID_ARGUMENT", { message: `The glob ${JSON.stringify(text)} ${trouble}.` });
}
