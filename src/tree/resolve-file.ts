import type { Problem } from "../base/holdfast-error.ts";
import type { Steps } from "../base/steps.ts";
import { contentForWrite } from "../text/content-for-write.ts";
import { openDocument } from "../text/text-document.ts";
import type { PlacedFile } from "./assemble-merge.ts";
import type { ConflictKind, Side } from "./conflict.ts";
import type { FileState } from "./file-state.ts";
import type { MergeContext } from "./merge-content.ts";
import type { ContestedFile } from "./merge-file.ts";
import { quotePath } from "./quote-path.ts";
import type { Resolution } from "./resolution.ts";
import { resolveRegions } from "./resolve-regions.ts";
import type { TrackedFile } from "./track-files.ts";

/** A resolved file, or what is wrong with its resolution. */
type ResolvedFile =
  | (PlacedFile & { readonly problems?: undefined })
  | { readonly problems: readonly Problem[] };

/** Resolves a conflict about one file. */
export function* resolveFile(
  context: MergeContext,
  file: TrackedFile,
  merge: ContestedFile,
  resolution: Resolution,
): Steps<ResolvedFile> {
  if ("take" in resolution) return takeSide(file, merge, resolution.take);
  if ("delete" in resolution) return { file, place: undefined };
  const refusal = refusalOf(file.name, merge, resolution);
  const { path } = merge;
  if (refusal !== undefined || path === undefined)
    return { problems: [{ code: "INVALID_ARGUMENT", message: refusal ?? "The name is in conflict." }] };
  const given =
    "content" in resolution
      ? yield* contentOf(context, file, resolution.content)
      : yield* resolveRegions(context, file.name, merge.lines, resolution.regions);
  if (given.problems !== undefined) return given;
  const { bytes } = given;
  const contentId = yield* context.options.contentId(bytes);
  const state = {
    kind: "file",
    contentId,
    byteLength: bytes.byteLength,
    executable: merge.executable,
  } as const;
  return { file, place: { path, state }, byContent: true, bytes };
}

/** Kinds that are about whether and where there is a file, so that a side gives its path too. */
const wholeKinds: ReadonlySet<ConflictKind> = new Set(["modifyDelete", "renameDelete", "renameRename"]);

function takeSide(file: TrackedFile, merge: ContestedFile, side: Side): PlacedFile {
  const taken = file[side];
  if (taken === undefined) return { file, place: undefined };
  const { kind, merged, executable } = merge;
  // A name is taken with the changes of both sides, where those go together.
  if (kind === "renameRename" && side !== "base" && merged !== undefined)
    return {
      file,
      place: { path: taken.path, state: merged.state },
      byContent: merged.bytes !== undefined,
      bytes: merged.bytes,
    };
  const path = wholeKinds.has(kind) ? taken.path : (merge.path ?? taken.path);
  const keepsMode = kind === "content" || kind === "binary";
  const state: FileState = keepsMode ? { ...taken.state, executable } : taken.state;
  return { file, place: { path, state } };
}

/** Says why a content or regions do not fit a conflict. */
function refusalOf(
  name: string,
  { kind, path, lines }: ContestedFile,
  resolution: Exclude<Resolution, { take: Side } | { delete: true }>,
): string | undefined {
  const conflict = `The ${kind} conflict of ${quotePath(name)}`;
  if (path === undefined) return `${conflict} is about the name; take a side.`;
  if (kind === "mode") return `${conflict} is about whether the file may be run; take a side.`;
  return "regions" in resolution && lines === undefined
    ? `${conflict} has no regions; take a side or give the content.`
    : undefined;
}

/** Bytes, or what is wrong with what they are to be made of. */
export type GivenBytes =
  | { readonly bytes: Uint8Array; readonly problems?: undefined }
  | { readonly bytes?: undefined; readonly problems: readonly Problem[] };

function* contentOf(
  { input }: MergeContext,
  { current, incoming }: TrackedFile,
  content: string | Uint8Array,
): Steps<GivenBytes> {
  if (typeof content !== "string") return { bytes: content };
  const existing = current ?? incoming;
  const bytes = existing?.state.kind === "file" ? input.contents.get(existing.state.contentId) : undefined;
  const document = bytes && (yield* openDocument(bytes));
  const encoded = yield* contentForWrite(document?.kind === "text" ? document : undefined, content);
  return encoded.problem === undefined ? { bytes: encoded.bytes } : { problems: [encoded.problem] };
}
