import type { Problem } from "../base/holdfast-error.ts";

/** Names that models use for a field from habit, in the plain form of {@link plainName}, with the field that they mean. */
export type Spellings = Readonly<Record<string, string>>;

/** Usual names of the fields of a read. */
export const readSpellings: Spellings = { filepath: "path", file: "path", limit: "maxLines" };

/** Usual names of the fields of a change. */
export const changeSpellings: Spellings = {
  filepath: "path",
  file: "path",
  source: "path",
  target: "destination",
  newpath: "destination",
  filetext: "content",
  contents: "content",
  diff: "patch",
};

/** Usual names of the fields of an edit. */
export const editSpellings: Spellings = {
  oldstring: "oldText",
  oldstr: "oldText",
  newstring: "newText",
  newstr: "newText",
  newcontent: "content",
};

/** An object whose fields have not been checked. */
export type Fields = Record<string, unknown>;

/** An object with the library's own field names, or what is wrong with its names. */
export interface Respelled {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Gives known fields their own names: `start_line` is `startLine`, and usual other names are what they mean. A field that is null is left out.
 * Names that mean nothing stay, to be refused; two names for one field are refused unless they say the same.
 */
export function respell(
  input: unknown,
  known: readonly string[],
  spellings: Spellings,
  at: string,
): Respelled {
  if (!isFields(input)) return { value: input, problems: [] };
  const byPlain = new Map(known.map((name) => [plainName(name), name]));
  const value: Fields = {};
  const from = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [given, content] of Object.entries(input)) {
    if (content === null || content === undefined) continue;
    const name = known.includes(given)
      ? given
      : (byPlain.get(plainName(given)) ?? spellings[plainName(given)] ?? given);
    const earlier = from.get(name);
    if (earlier !== undefined && value[name] !== content)
      problems.push({
        code: "INVALID_ARGUMENT",
        message: `"${at}${earlier}" and "${at}${given}" are the same field and say different things.`,
      });
    from.set(name, given);
    Object.defineProperty(value, name, {
      value: content,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return { value, problems };
}

/** Says whether a value is an object with fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}
