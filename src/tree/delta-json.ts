import type { Json } from "../base/json.ts";
import { type Delta, makeDelta, type Origin, type PathChange } from "./delta.ts";
import type { FileState } from "./file-state.ts";

/** Gives a delta as plain data. Paths stand in arrays and never as keys, so every name survives. */
export function deltaToJson(delta: Delta): Json {
  return [...delta.changes].map(([path, { before, after, origin }]) => ({
    path,
    before: stateToJson(before),
    after: stateToJson(after),
    ...(origin !== undefined && { origin: { kind: origin.kind, path: origin.path } }),
  }));
}

/** Reads what {@link deltaToJson} gave; `undefined` when the data is not a delta. */
export function deltaFromJson(json: Json): Delta | undefined {
  if (!isList(json)) return undefined;
  const entries = new Map<string, PathChange>();
  for (const item of json) {
    if (!isRecord(item)) return undefined;
    const path = item["path"];
    const before = stateFromJson(item["before"]);
    const after = stateFromJson(item["after"]);
    const origin = originFromJson(item["origin"]);
    if (typeof path !== "string" || entries.has(path)) return undefined;
    if (before === malformed || after === malformed || origin === malformed) return undefined;
    entries.set(path, { before, after, ...(origin !== undefined && { origin }) });
  }
  return makeDelta(entries);
}

const malformed = "malformed";

/** Gives a state as plain data; `null`: nothing is there. */
export function stateToJson(state: FileState | undefined): Json {
  if (state === undefined) return null;
  const { kind, contentId, byteLength, executable } = state;
  return { kind, contentId, byteLength, executable };
}

/** Reads what {@link stateToJson} gave. */
export function stateFromJson(json: Json | undefined): FileState | undefined | typeof malformed {
  if (json === null) return undefined;
  if (!isRecord(json)) return malformed;
  const { kind, contentId, byteLength, executable } = json;
  if (kind !== "file" && kind !== "symlink") return malformed;
  if (typeof contentId !== "string" || !/^[0-9a-f]{64}$/.test(contentId)) return malformed;
  if (typeof byteLength !== "number" || !Number.isSafeInteger(byteLength) || byteLength < 0) return malformed;
  return typeof executable === "boolean" ? { kind, contentId, byteLength, executable } : malformed;
}

function originFromJson(json: Json | undefined): Origin | undefined | typeof malformed {
  if (json === undefined) return undefined;
  if (!isRecord(json)) return malformed;
  const { kind, path } = json;
  if ((kind !== "moved" && kind !== "copied") || typeof path !== "string") return malformed;
  return { kind, path };
}

function isRecord(json: Json | undefined): json is { readonly [key: string]: Json } {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function isList(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}
