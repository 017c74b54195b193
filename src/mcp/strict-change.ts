import type * as z from "zod";
import type { Problem } from "../base/holdfast-error.ts";
import type { Limits } from "../base/limits.ts";
import { changeSchema, editSchema } from "../schema/change.ts";
import { type CheckedInput, checkInput } from "../schema/check-input.ts";
import type { Change } from "../tree/change.ts";
import { changeActions, editOps, flatChangeSchema, flatEditSchema } from "./change-input.ts";
import { changeSpellings, editSpellings, type Fields, isFields, respell } from "./field-spellings.ts";
import { memberShape } from "./flatten-union.ts";
import { sayChoice } from "./say-choice.ts";

/** Where an object stands: how messages call it, and its indexes for programs. */
interface Place extends Pick<Problem, "changeIndex" | "editIndex" | "path"> {
  readonly at: string;
}

/** A union that was published flat. */
interface Kind {
  readonly union: z.ZodDiscriminatedUnion;
  readonly name: "action" | "op";
  readonly values: readonly string[];
  readonly known: readonly string[];
}

const changeKind: Kind = {
  union: changeSchema,
  name: "action",
  values: changeActions,
  known: Object.keys(flatChangeSchema.shape),
};

const editKind: Kind = {
  union: editSchema,
  name: "op",
  values: editOps,
  known: Object.keys(flatEditSchema.shape),
};

/** Turns one flat change into a strict one, or tells everything that is wrong with it; nothing is dropped silently. */
export function strictChange(given: unknown, changeIndex: number, limits: Limits): CheckedInput<Change> {
  const at = `changes[${changeIndex}]`;
  const respelled = respell(given, changeKind.known, changeSpellings, `${at}.`);
  if (!isFields(respelled.value)) return strictly(respelled.value, { at, changeIndex }, []);
  const fields: Fields = { ...respelled.value };
  const path = typeof fields["path"] === "string" ? { path: fields["path"] } : {};
  const place: Place = { at, changeIndex, ...path };
  const found = respelled.problems.map((problem) => ({ ...problem, ...indexesOf(place) }));
  takeAbsence(fields, given as Fields, place, found);
  const chosen = choose(fields, place, changeKind, found);
  if (Array.isArray(fields["edits"])) fields["edits"] = strictEdits(fields["edits"], place, limits, found);
  return chosen ? strictly(fields, place, found) : { problems: found };
}

function strictEdits(
  edits: readonly unknown[],
  place: Place,
  { editsPerChange }: Limits,
  found: Problem[],
): readonly unknown[] {
  if (edits.length > editsPerChange) {
    found.push(tooMany(place, "editsPerChange", editsPerChange, edits.length));
    return [];
  }
  return edits.map((given, editIndex) => {
    const at = `${place.at}.edits[${editIndex}]`;
    const respelled = respell(given, editKind.known, editSpellings, `${at}.`);
    if (!isFields(respelled.value)) return respelled.value;
    const fields: Fields = { ...respelled.value };
    const inner = { ...place, at, editIndex };
    found.push(...respelled.problems.map((problem) => ({ ...problem, ...indexesOf(inner) })));
    // An edit of no known kind has been reported; the strict check gets one that it has nothing to say about.
    return choose(fields, inner, editKind, found) ? fields : { op: "append", content: "" };
  });
}

/** A path that must not exist is `absent: true` where it is published, and `revision: null` in the library; both are understood. */
function takeAbsence(fields: Fields, given: Fields, place: Place, found: Problem[]): void {
  if (fields["action"] !== "assert") return;
  if (given["revision"] === null) fields["absent"] ??= true;
  if (typeof fields["absent"] !== "boolean") return;
  if (fields["absent"] && fields["revision"] !== undefined)
    found.push(refused(place, `"${place.at}" has both "revision" and "absent": true; only one can hold.`));
  if (fields["absent"]) fields["revision"] = null;
  delete fields["absent"];
}

/** Refuses an unknown kind, and by name each field that belongs to other kinds; says whether the kind is known. */
function choose(fields: Fields, place: Place, kind: Kind, found: Problem[]): boolean {
  const value = fields[kind.name];
  if (typeof value !== "string" || !kind.values.includes(value)) {
    found.push(refused(place, `"${place.at}.${kind.name}" ${sayChoice(value, kind.values)}.`));
    return false;
  }
  const own = Object.keys(memberShape(kind.union, kind.name, value));
  const takes = own.filter((name) => name !== kind.name).map((name) => `"${name}"`);
  for (const name of Object.keys(fields)) {
    if (own.includes(name) || !kind.known.includes(name)) continue;
    const why = `does not belong to ${kind.name} "${value}", which takes ${takes.join(", ")}`;
    found.push(refused(place, `"${place.at}.${name}" ${why}.`));
    delete fields[name];
  }
  return true;
}

/** The last word is the strict schema's, as for any caller of the library. */
function strictly(value: unknown, place: Place, found: readonly Problem[]): CheckedInput<Change> {
  const checked = checkInput(changeSchema, value, { name: place.at });
  const more = (checked.problems ?? []).map((problem) => ({
    ...problem,
    ...indexesOf(place),
    ...editIndexOf(problem),
  }));
  if (checked.problems === undefined && found.length === 0) return { value: checked.value as Change };
  return { problems: [...found, ...more] };
}

/** The check of a single change does not count edits; its message does. */
function editIndexOf({ message }: Problem): Pick<Problem, "editIndex"> {
  const index = /^"changes\[\d+\]\.edits\[(\d+)\]/.exec(message)?.[1];
  return index === undefined ? {} : { editIndex: Number(index) };
}

function refused(place: Place, message: string): Problem {
  return { code: "INVALID_ARGUMENT", message, ...indexesOf(place) };
}

function indexesOf({ at: _at, ...indexes }: Place): Omit<Place, "at"> {
  return indexes;
}

/** The problem of a list that is longer than a limit. */
export function tooMany(
  place: Place,
  limit: "changes" | "editsPerChange",
  maximum: number,
  actual: number,
): Problem {
  const what = limit === "changes" ? "The call has" : "The change has";
  const items = limit === "changes" ? "changes" : "edits";
  const message = `${what} ${actual} ${items}, more than the ${maximum} that "${limit}" allows.`;
  return { code: "LIMIT_EXCEEDED", message, details: { limit, maximum, actual }, ...indexesOf(place) };
}
