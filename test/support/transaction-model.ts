import type { Change, ErrorCode } from "holdfast";
import { type ModelChange, predict, spellChange } from "./workspace-model.ts";

/** A file of the model. */
export interface ModelFile {
  readonly text: string;
  readonly executable: boolean;
}

/** All files, by path. */
export type ModelFiles = ReadonlyMap<string, ModelFile>;

/** States of some paths; `undefined`: nothing is there. */
type States = ReadonlyMap<string, ModelFile | undefined>;

/** A change of one file: of its text, or of its mode. */
export type FileChange =
  | ModelChange
  | { readonly kind: "chmod"; readonly path: string; readonly executable: boolean; readonly guard: Guard };

type Guard = "none" | "current" | "stale";

/** The files after a change, or every refusal that may be told. */
export type FilePrediction = { readonly files: ModelFiles } | { readonly refusals: readonly ErrorCode[] };

/** A state that undo and redo come to: what is staged there, what the paths relied on were, and savepoints. */
interface Point {
  readonly staged: States;
  readonly pins: States;
  readonly labels: readonly string[];
}

export type TransactionModelState = "active" | "conflicted" | "committed" | "rolledBack";

/** Says what a change must come to. */
export function predictFiles(files: ModelFiles, change: FileChange): FilePrediction {
  const texts = new Map([...files].map(([path, { text }]) => [path, text]));
  const asDeleted = change.kind === "chmod" ? { ...change, kind: "delete" as const } : change;
  const predicted = predict(texts, asDeleted);
  if (!("files" in predicted)) return predicted;
  const old = files.get(change.path);
  // The same text with another mode is another file.
  if (change.kind === "create" && old?.executable === true) return { refusals: ["ALREADY_EXISTS"] };
  if (change.kind === "chmod")
    return {
      files: new Map(files).set(change.path, { text: old?.text ?? "", executable: change.executable }),
    };
  const next = new Map<string, ModelFile>();
  for (const [path, text] of predicted.files) {
    const isArrival = (change.kind === "move" || change.kind === "copy") && path === change.destination;
    const executable = (isArrival ? old : files.get(path))?.executable ?? false;
    next.set(path, { text, executable });
  }
  return { files: next };
}

/** Spells a change of the model for the library. */
export function spellFileChange(
  change: FileChange,
  revisionOf: (path: string) => string | undefined,
): Change {
  if (change.kind !== "chmod") return spellChange(change, revisionOf);
  const { path, executable } = change;
  const deletion = spellChange({ kind: "delete", path, guard: change.guard }, revisionOf);
  const revision = "revision" in deletion ? (deletion.revision ?? undefined) : undefined;
  return { action: "chmod", path, executable, revision };
}

/** The same change of a file that is there, unless it is meant to be refused: else most changes of a sequence would be. */
export function fitTo(files: ModelFiles, change: FileChange): FileChange {
  if (!("guard" in change) || change.guard !== "current") return change;
  const paths = [...files.keys()].sort();
  const nearest = paths.find((path) => path >= change.path) ?? paths[0];
  if (files.has(change.path) || nearest === undefined) return change;
  if (change.kind === "write") return { kind: "create", path: change.path, content: change.content };
  if ("destination" in change && change.destination === nearest) return change;
  return { ...change, path: nearest };
}

/** The paths that a change names. */
export function namedBy(change: FileChange): readonly string[] {
  return change.kind === "move" || change.kind === "copy" ? [change.path, change.destination] : [change.path];
}

export function equalFiles(a: ModelFile | undefined, b: ModelFile | undefined): boolean {
  return a?.text === b?.text && a?.executable === b?.executable;
}

/** A transaction as lists of states: no steps are composed, none are taken back. */
export class TransactionModel {
  state: TransactionModelState = "active";
  readonly undoDepth: number;
  points: Point[] = [{ staged: new Map(), pins: new Map(), labels: [] }];
  cursor = 0;
  squashed = 0;
  /** Whether it may rely on paths that the model does not know, since a rebase followed moved files. */
  mayRelyOnMore = false;

  constructor(undoDepth: number) {
    this.undoDepth = undoDepth;
  }

  get #point(): Point {
    return this.points[this.cursor] as Point;
  }

  /** The files as the transaction has them. */
  view(live: ModelFiles): ModelFiles {
    const files = new Map(live);
    for (const [path, file] of this.#point.staged)
      if (file === undefined) files.delete(path);
      else files.set(path, file);
    return files;
  }

  /** Paths that a commit would change, sorted. */
  get changedPaths(): readonly string[] {
    const { staged, pins } = this.#point;
    return [...staged.keys()].filter((path) => !equalFiles(staged.get(path), pins.get(path))).sort();
  }

  /** Where the transaction stands, now that the files are these. */
  notice(live: ModelFiles): void {
    if (this.state === "active" && this.#isInConflict(live)) this.state = "conflicted";
  }

  #isInConflict(live: ModelFiles): boolean {
    for (const [path, pin] of this.#point.pins) if (!equalFiles(pin, live.get(path))) return true;
    return hasClash(this.view(live));
  }

  /** Stages what turns one view into another, in one step; nothing is no step. */
  stage(before: ModelFiles, after: ModelFiles, named: readonly string[], live: ModelFiles): boolean {
    const staged = new Map(this.#point.staged);
    const pins = new Map(this.#point.pins);
    let isChanged = false;
    for (const path of new Set([...before.keys(), ...after.keys()])) {
      if (equalFiles(before.get(path), after.get(path))) continue;
      staged.set(path, after.get(path));
      isChanged = true;
    }
    if (!isChanged) return false;
    for (const path of named) if (!pins.has(path)) pins.set(path, live.get(path));
    this.points = [...this.points.slice(0, this.cursor + 1), { staged, pins, labels: [] }];
    this.cursor += 1;
    while (this.cursor > this.undoDepth) {
      this.points = this.points.slice(1);
      this.cursor -= 1;
      this.squashed += 1;
    }
    return true;
  }

  /** Moves by so many steps; false when there are not so many. */
  move(by: number): boolean {
    const cursor = this.cursor + by;
    if (cursor < 0 || cursor >= this.points.length) return false;
    this.cursor = cursor;
    return true;
  }

  savepoint(label: string): void {
    this.points = this.points.map((point, index) =>
      index === this.cursor ? { ...point, labels: [...point.labels, label] } : point,
    );
  }

  moveTo(label: string): boolean {
    const index = this.points.findLastIndex(({ labels }) => labels.includes(label));
    if (index < 0) return false;
    this.cursor = index;
    return true;
  }

  /** What discarding paths must leave; `undefined` where a file and one below it would be left. Paths of moves may come back besides. */
  discarded(wants: (path: string) => boolean, live: ModelFiles): ModelFiles | undefined {
    const files = new Map(this.view(live));
    for (const path of this.changedPaths) {
      const pin = this.#point.pins.get(path);
      if (!wants(path)) continue;
      if (pin === undefined) files.delete(path);
      else files.set(path, pin);
    }
    return files;
  }

  /**
   * What a rebase must give at each changed path: a state, or `"either"` where both sides changed the text. `undefined` where files went away: what
   * was moved then is a matter of guesses that the model does not make.
   */
  rebased(live: ModelFiles): ReadonlyMap<string, ModelFile | undefined | "either"> | undefined {
    const { staged, pins } = this.#point;
    const wanted = new Map<string, ModelFile | undefined | "either">();
    if (hasClash(this.view(live))) return undefined;
    for (const path of this.changedPaths) {
      const base = pins.get(path);
      const incoming = staged.get(path);
      const current = live.get(path);
      if (base !== undefined && (incoming === undefined || current === undefined)) return undefined;
      if (equalFiles(current, base) || equalFiles(current, incoming)) wanted.set(path, incoming);
      else if (equalFiles(incoming, base)) wanted.set(path, current);
      else wanted.set(path, mergedFile(base, incoming, current));
    }
    return wanted;
  }

  /** Begins anew on the files of now, with one step that leads to these files; or with none when they are the same. */
  adopt(live: ModelFiles, view: ModelFiles): void {
    const relied = [...this.#point.pins.keys()];
    this.points = [{ staged: new Map(), pins: new Map(), labels: [] }];
    this.cursor = 0;
    this.squashed = 0;
    this.state = "active";
    const changed = [...new Set([...live.keys(), ...view.keys()])].filter(
      (path) => !equalFiles(live.get(path), view.get(path)),
    );
    this.stage(live, view, [...relied, ...changed], live);
  }
}

function mergedFile(
  base: ModelFile | undefined,
  incoming: ModelFile | undefined,
  current: ModelFile | undefined,
): ModelFile | "either" {
  if (base === undefined || incoming === undefined || current === undefined) return "either";
  const executable = incoming.executable === base.executable ? current.executable : incoming.executable;
  if (incoming.text === base.text || incoming.text === current.text)
    return { text: current.text, executable };
  if (current.text === base.text) return { text: incoming.text, executable };
  return "either";
}

/** Whether a file stands in the place of a folder. */
export function hasClash(files: ModelFiles): boolean {
  return [...files.keys()].some((path) => [...files.keys()].some((other) => other.startsWith(`${path}/`)));
}
