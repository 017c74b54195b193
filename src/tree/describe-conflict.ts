import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { decodeText } from "../text/decode-text.ts";
import { openDocument, type TextDocument } from "../text/text-document.ts";
import type { ConflictGroup } from "./analyse-merge.ts";
import type { Conflict, ConflictFile, ConflictSide, Side } from "./conflict.ts";
import type { FileState } from "./file-state.ts";
import type { MergeContext } from "./merge-content.ts";
import type { ContestedFile } from "./merge-file.ts";
import { ancestorsOf, compareText, isBelow } from "./path-parts.ts";
import { regionsOf } from "./regions-of-merge.ts";
import { sortInSteps } from "./sort-in-steps.ts";
import type { Place } from "./track-files.ts";

const sides = ["base", "current", "incoming"] as const satisfies readonly Side[];

/** Tells a conflict as a value. */
export function* describeConflict(context: MergeContext, group: ConflictGroup): Steps<Conflict> {
  const [first, second] = group.members;
  const merge = first?.merge;
  if (first === undefined || second !== undefined || merge?.kind === undefined)
    return yield* describeTogether(context, group);
  const { lines, unmerged } = merge;
  const { name: path, kind } = group;
  const places = sides.map((side) => first.file[side]);
  const documents: (TextDocument | undefined)[] = [];
  for (const place of places) documents.push(place && (yield* textOf(context, place.state)));
  const encoding = documents.some((document) => document?.encoding === "unknown-8bit") ? "latin1" : undefined;
  const described: Partial<Record<Side, ConflictSide>> = {};
  for (const [index, side] of sides.entries()) {
    const place = places[index];
    if (place !== undefined)
      described[side] = yield* describeSide(context, place, documents[index], encoding);
  }
  const suggestion = yield* suggestionOf(context, merge, encoding);
  return {
    path,
    kind: isBinary(kind, merge, places, documents) ? "binary" : kind,
    ...described,
    ...(lines !== undefined && { regions: yield* regionsOf(context, path, lines) }),
    ...(suggestion !== undefined && { suggestion }),
    ...(unmerged !== undefined && { unmerged }),
  };
}

/** Under the policy of paths a file is called by what it is, for its lines were perhaps not looked at. */
function isBinary(
  kind: Conflict["kind"],
  merge: ContestedFile,
  places: readonly (Place | undefined)[],
  documents: readonly (TextDocument | undefined)[],
): boolean {
  return (
    kind === "content" &&
    merge.merged !== undefined &&
    places.some((place, index) => place !== undefined && documents[index] === undefined)
  );
}

function* suggestionOf(
  context: MergeContext,
  { merged }: ContestedFile,
  encoding: "latin1" | undefined,
): Steps<string | undefined> {
  if (merged === undefined || merged.state.kind === "symlink") return undefined;
  const bytes = merged.bytes ?? context.input.contents.get(merged.state.contentId);
  const document = bytes && (yield* openDocument(bytes));
  return document?.kind === "text" ? (yield* decodeText(document, encoding ?? "utf-8")).text : undefined;
}

/** The text of a state, as far as it has one and its bytes are known. */
function* textOf({ input, options }: MergeContext, state: FileState): Steps<TextDocument | undefined> {
  const bytes = state.byteLength > options.textBytes ? undefined : input.contents.get(state.contentId);
  const document = bytes && (yield* openDocument(bytes));
  return document?.kind === "text" ? document : undefined;
}

function* describeSide(
  context: MergeContext,
  { path, state }: Place,
  document: TextDocument | undefined,
  encoding: "latin1" | undefined,
): Steps<ConflictSide> {
  const revision = yield* revisionOf(context, state);
  const text = document && (yield* decodeText(document, encoding ?? "utf-8")).text;
  return {
    path,
    kind: state.kind,
    executable: state.executable,
    ...(revision !== undefined && { revision }),
    ...(text !== undefined && { text }),
    ...(text !== undefined && encoding !== undefined && { encoding }),
    ...(document?.bomLength === 3 && { bom: true }),
  };
}

function* revisionOf({ input, options }: MergeContext, { contentId }: FileState): Steps<string | undefined> {
  return yield* options.revision(contentId, input.contents.get(contentId));
}

/** Tells a conflict that is about several files. */
function* describeTogether(context: MergeContext, { name, kind, members }: ConflictGroup): Steps<Conflict> {
  const due = workCounter();
  const described: Partial<Record<Side, ConflictSide>> = {};
  for (const side of sides) {
    const places = yield* sortInSteps(
      members.flatMap(({ file }) => file[side] ?? []),
      (a, b) => compareText(a.path, b.path),
    );
    const one = places.find(({ path }) => path === name) ?? places[0];
    if (one === undefined) continue;
    const document = yield* textOf(context, one.state);
    const encoding = document?.encoding === "unknown-8bit" ? "latin1" : undefined;
    const isFolder =
      (places.length > 1 && (one.path !== name || kind === "pathCollision")) || isBelow(one.path, name);
    if (places.length === 1 && !isFolder) {
      described[side] = yield* describeSide(context, one, document, encoding);
      continue;
    }
    const files: ConflictFile[] = [];
    for (const { path, state } of places) {
      const revision = yield* revisionOf(context, state);
      files.push({ path, ...(revision !== undefined && { revision }) });
      if (due()) yield;
    }
    described[side] = isFolder
      ? { path: folderOf(places, name), kind: "directory", executable: false, files }
      : { ...(yield* describeSide(context, one, document, encoding)), files };
  }
  return { path: name, kind, ...described };
}

/** The folder that holds all of several sorted files: the one that a file stands in the way of, if it does. */
function folderOf(places: readonly Place[], name: string): string {
  const first = places[0]?.path ?? "";
  const last = places.at(-1)?.path ?? "";
  if (isBelow(first, name) && isBelow(last, name)) return name;
  // What the first and the last begin with, all between do.
  const above = ancestorsOf(first).reverse();
  return above.find((folder) => isBelow(last, folder)) ?? "";
}
