import { createHash } from "node:crypto";
import type { Problem } from "../../src/base/holdfast-error.ts";
import { type Limits, libraryLimits } from "../../src/base/limits.ts";
import { runSteps } from "../../src/base/steps.ts";
import type { Change } from "../../src/tree/change.ts";
import { folderDigest } from "../../src/tree/folder-digest.ts";
import { pathKey } from "../../src/tree/path-key.ts";
import { ancestorsOf, compareText } from "../../src/tree/path-parts.ts";
import { pathsOfChanges } from "../../src/tree/paths-of-changes.ts";
import type { LoadedFile, Plan, PlanOptions, PlanView } from "../../src/tree/plan.ts";
import { planChanges } from "../../src/tree/plan-changes.ts";
import { planPatch } from "../../src/tree/plan-patch.ts";

/** A file as tests write it: text, bytes, or all of it. */
export type ModelFile =
  | string
  | Uint8Array
  | {
      readonly content: string | Uint8Array;
      readonly executable?: boolean;
      readonly kind?: "file" | "symlink";
    };

/** Files of a model by path. */
export type ModelFiles = Readonly<Record<string, ModelFile>> | ReadonlyMap<string, ModelFile>;

/** SHA-256 as the planner and the deltas take it. */
export const testHashing = {
  sha256: () => hashState(),
  xxh64: () => hashState(),
};

function hashState() {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest("hex") };
}

/** The content id of bytes. */
export function contentIdOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The revision that the model gives to bytes. */
export function revisionOf(content: string | Uint8Array): string {
  return contentIdOf(content).slice(0, 16);
}

/** Options as a program has them, with limits changed where a test needs it. */
export function planOptions(
  changed: Partial<Omit<PlanOptions, "limits">> & { readonly limits?: Partial<Limits> } = {},
): PlanOptions {
  return {
    // biome-ignore lint/correctness/useYield: the hash of this platform is quick.
    *contentId(bytes) {
      return contentIdOf(bytes);
    },
    isRevision: (text) => /^[0-9a-f]{16}$/.test(text),
    names: "portable",
    folds: false,
    planPatch,
    ...changed,
    limits: { ...libraryLimits, ...changed.limits },
  };
}

/** Loads one model file. */
export function loadFile(file: ModelFile): LoadedFile {
  const given = typeof file === "string" || file instanceof Uint8Array ? { content: file } : file;
  const bytes = typeof given.content === "string" ? new TextEncoder().encode(given.content) : given.content;
  return {
    kind: given.kind ?? "file",
    contentId: contentIdOf(bytes),
    byteLength: bytes.byteLength,
    executable: given.executable ?? false,
    revision: revisionOf(bytes),
    bytes,
  };
}

/** The digest of a model's folder. */
export function folderRevisionOf(files: ModelFiles, folder: string): string | undefined {
  const below = loadAll(files).filter(([path]) => path.startsWith(`${folder}/`));
  if (below.length === 0) return undefined;
  const entries = below.map(([path, { revision, executable }]) => ({
    path: path.slice(folder.length + 1),
    revision,
    executable,
  }));
  return runSteps(folderDigest(testHashing, entries));
}

function loadAll(files: ModelFiles): (readonly [string, LoadedFile])[] {
  const entries = files instanceof Map ? [...files] : Object.entries(files as Record<string, ModelFile>);
  return entries.map(([path, file]) => [path, loadFile(file)] as const).sort(([a], [b]) => compareText(a, b));
}

/**
 * A view of a model that holds no more than `pathsOfChanges` says that a batch needs, and throws when it is asked for anything else: so every test of
 * planning also tests what has to be loaded for it.
 */
export function strictView(files: ModelFiles, changes: readonly Change[], folds = false): PlanView {
  const all = new Map(loadAll(files));
  const needed = runSteps(pathsOfChanges(changes));
  const below = (folder: string) => [...all.keys()].filter((path) => path.startsWith(`${folder}/`));
  const inTrees = new Set([...needed.trees].flatMap(below));
  const nodes = new Set([...all.keys()].flatMap((path) => [...ancestorsOf(path), path]));
  const otherSpelling = (path: string) =>
    folds && !nodes.has(path) ? [...nodes].find((node) => pathKey(node) === pathKey(path)) : undefined;
  const spellings = new Set([...needed.files].map(otherSpelling));
  const require = (known: boolean, asked: string) => {
    if (!known) throw new Error(`planning asked for what was not announced: ${asked}`);
  };
  return {
    file(path) {
      require(needed.files.has(path) || inTrees.has(path), `file ${path}`);
      const file = all.get(path);
      if (file === undefined || needed.needBytes.has(path)) return file;
      const { bytes: _bytes, ...rest } = file;
      return rest;
    },
    below(folder) {
      require(needed.folders.has(folder) || spellings.has(folder), `below ${folder}`);
      return below(folder);
    },
    folderRevision(folder) {
      require(needed.trees.has(folder), `folderRevision ${folder}`);
      return folderRevisionOf(files, folder);
    },
    otherSpelling(path) {
      require(needed.files.has(path), `otherSpelling ${path}`);
      return otherSpelling(path);
    },
  };
}

/** Plans against a model. */
export function planOn(files: ModelFiles, changes: readonly Change[], options: PlanOptions = planOptions()) {
  return runSteps(planChanges(changes, strictView(files, changes, options.folds), options));
}

/** Plans a batch that must succeed. */
export function planned(files: ModelFiles, changes: readonly Change[], options?: PlanOptions): Plan {
  const { plan, problems } = planOn(files, changes, options);
  if (plan === undefined) throw new Error(`refused: ${JSON.stringify(problems)}`);
  return plan;
}

/** Plans a batch that must be refused. */
export function refusals(
  files: ModelFiles,
  changes: readonly Change[],
  options?: PlanOptions,
): readonly Problem[] {
  const { plan, problems } = planOn(files, changes, options);
  if (plan !== undefined) throw new Error("planned, and must be refused");
  return problems;
}

/** The codes of the refusals of a batch. */
export function codesOf(files: ModelFiles, changes: readonly Change[], options?: PlanOptions): string[] {
  return refusals(files, changes, options).map((problem) => problem.code);
}
