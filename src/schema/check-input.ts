import type * as z from "zod";
import { type Problem, throwProblems } from "../base/holdfast-error.ts";
import { knownNames } from "./known-names.ts";
import { nearestName } from "./nearest-name.ts";

/** Where an argument stands: its name for messages, and how its path tells the change and the edit. */
export interface InputPlace {
  /** The argument's name. */
  readonly name: string;
  /** Whether its first index is that of a change. Default: false. */
  readonly listsChanges?: boolean | undefined;
  /** Whether the call took one change only, so that messages do not count it. Default: false. */
  readonly single?: boolean | undefined;
}

/** A checked argument, or all that is wrong with it. */
export type CheckedInput<T> =
  | { readonly value: T; readonly problems?: undefined }
  | { readonly value?: undefined; readonly problems: readonly Problem[] };

/** Checks an argument against its schema; the value is a copy that holds known fields only. */
export function checkInput<T>(schema: z.ZodType<T>, input: unknown, place: InputPlace): CheckedInput<T> {
  const checked = schema.safeParse(input);
  if (checked.success) return { value: checked.data };
  return { problems: checked.error.issues.flatMap((issue) => problemsOf(issue, schema, input, place)) };
}

/**
 * Checks an argument against its schema.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` with everything that is wrong.
 */
export function parseInput<T>(schema: z.ZodType<T>, input: unknown, name: string): T {
  const checked = checkInput(schema, input, { name });
  if (checked.problems === undefined) return checked.value;
  throwProblems(checked.problems);
}

type Issue = z.core.$ZodIssue;

function problemsOf(issue: Issue, schema: z.ZodType, input: unknown, place: InputPlace): readonly Problem[] {
  const where = {
    code: "INVALID_ARGUMENT" as const,
    ...indexesOf(issue.path, place),
    ...pathOf(issue.path, input, place),
  };
  const at = spell(place, issue.path);
  if (issue.code !== "unrecognized_keys")
    return [{ ...where, message: `"${at}" ${sayIssue(issue, input)}.` }];
  const known = knownNames(schema, issue.path, input);
  return issue.keys.map((key) => ({
    ...where,
    message: sayUnknown(spell(place, [...issue.path, key]), key, known),
  }));
}

function indexesOf(path: Issue["path"], place: InputPlace): Pick<Problem, "changeIndex" | "editIndex"> {
  if (place.listsChanges !== true || typeof path[0] !== "number") return {};
  const editIndex = path[1] === "edits" ? path[2] : undefined;
  return { changeIndex: path[0], ...(typeof editIndex === "number" && { editIndex }) };
}

/** The `path` field of the change that the issue is in, so that a caller can tell which one it was. */
function pathOf(path: Issue["path"], input: unknown, place: InputPlace): Pick<Problem, "path"> {
  if (place.listsChanges !== true || path.length === 0) return {};
  const named = valueAt(input, [path[0] ?? "", "path"]);
  return typeof named === "string" ? { path: named } : {};
}

function spell(place: InputPlace, path: Issue["path"]): string {
  const parts = place.single === true ? path.slice(1) : path;
  const start = place.single === true ? "" : place.name;
  const spelled = parts.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}.${String(part)}`),
    start,
  );
  return place.single === true ? spelled.replace(/^\./, "") || place.name : spelled;
}

function sayUnknown(at: string, key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  if (near !== undefined) return `"${at}" is not known; "${near}" is meant, perhaps.`;
  return `"${at}" is not known; known are ${known.map((name) => `"${name}"`).join(", ")}.`;
}

function sayIssue(issue: Issue, input: unknown): string {
  const value = valueAt(input, issue.path);
  if (value === undefined && issue.code !== "custom") return "is missing";
  if (issue.code === "invalid_type") return `must be ${withArticle(issue.expected)}, but is ${kindOf(value)}`;
  if (issue.code === "invalid_value")
    return `must be ${issue.values.map((one) => JSON.stringify(one)).join(" or ")}, but is ${show(value)}`;
  if (issue.code === "invalid_union" && issue.discriminator !== undefined)
    return `${show(value)} is none of its known values`;
  if (issue.code === "too_small") return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  if (issue.code === "too_big") return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  return issue.message.startsWith("Invalid") ? `is not valid: ${show(value)}` : issue.message;
}

function unitOf(origin: string): string {
  return origin === "string" ? " characters long" : origin === "array" ? " long" : "";
}

function withArticle(kind: string): string {
  if (kind === "int") return "an integer";
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (typeof value === "number") return String(value);
  return withArticle(typeof value);
}

/** A value as messages show it: contents are never quoted, short names are. */
function show(value: unknown): string {
  if (typeof value === "string")
    return value.length <= 64 ? JSON.stringify(value) : `a text of ${value.length} characters`;
  return kindOf(value);
}

function valueAt(input: unknown, path: Issue["path"]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    input,
  );
}
