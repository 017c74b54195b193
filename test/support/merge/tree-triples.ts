import { seededRandom } from "../../../src/testing/seeded-random.ts";
import { type Delta, makeDelta, type Origin } from "../../../src/tree/delta.ts";
import type { FileState } from "../../../src/tree/file-state.ts";
import { contentIdOf } from "../planning-view.ts";

/** A file of a generated tree: its bytes, one character a byte. */
export interface TripleFile {
  readonly content: string;
  readonly executable: boolean;
  readonly kind: "file" | "symlink";
}

/** A generated tree. */
export type TripleTree = ReadonlyMap<string, TripleFile>;

/** What a side made of the base, and what it did: what differs between two mergers is told by it. */
export interface TripleSide {
  readonly files: TripleTree;
  readonly origins: ReadonlyMap<string, Origin>;
  readonly done: readonly string[];
}

/** A base and what two sides made of it. */
export interface TreeTriple {
  readonly base: TripleTree;
  readonly current: TripleSide;
  readonly incoming: TripleSide;
}

const basePaths = ["a", "b", "c.txt", "d/x", "d/y", "d/z", "e/f/g", "e/f/h", "link", "data.bin"];
const newNames = ["n1", "n2", "d/n3", "e/n4", "a/in", "d/x/in", "new/n5"];
const lineCount = 14;

/** Makes the triple of a seed. */
export function makeTriple(seed: number): TreeTriple {
  const maker = new Maker(seededRandom(seed));
  const base = maker.base();
  return { base, current: maker.side(base), incoming: maker.side(base) };
}

/** The lines of a file: no two files have one in common. */
function textOf(name: string, variant = 0): string {
  return Array.from({ length: lineCount }, (_, line) => `${name} ${line} is ${variant}\n`).join("");
}

class Maker {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  base(): TripleTree {
    const files = new Map<string, TripleFile>();
    for (const path of basePaths) {
      if (this.#chance(0.25)) continue;
      const executable = this.#chance(0.2);
      if (path === "link") files.set(path, { content: "d/x", executable: false, kind: "symlink" });
      else if (path === "data.bin")
        files.set(path, { content: `\0${textOf(path)}`, executable, kind: "file" });
      else files.set(path, { content: textOf(path), executable, kind: "file" });
    }
    return files;
  }

  side(base: TripleTree): TripleSide {
    const state = { base, files: new Map(base), origins: new Map<string, Origin>(), done: [] as string[] };
    for (let left = 1 + this.#below(4); left > 0; left--) {
      const operation = this.#pick(operations);
      const done = operation(state, this);
      if (done !== undefined) state.done.push(done);
    }
    return state;
  }

  #chance(share: number): boolean {
    return this.#random() < share;
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound);
  }

  #pick<T>(items: readonly T[]): T {
    return items[this.#below(items.length)] as T;
  }

  chance(share: number): boolean {
    return this.#chance(share);
  }

  below(bound: number): number {
    return this.#below(bound);
  }

  /** One of the files that pass. */
  file(files: ReadonlyMap<string, TripleFile>, passes: (file: TripleFile) => boolean): string | undefined {
    const paths = [...files].filter(([, file]) => passes(file)).map(([path]) => path);
    return paths.length === 0 ? undefined : this.#pick(paths);
  }

  /** A name where a file has a place. */
  newName(files: ReadonlyMap<string, TripleFile>): string | undefined {
    const free = newNames.filter((name) => hasPlace(files, name));
    return free.length === 0 ? undefined : this.#pick(free);
  }
}

function hasPlace(files: ReadonlyMap<string, TripleFile>, name: string): boolean {
  return [...files.keys()].every(
    (path) => path !== name && !path.startsWith(`${name}/`) && !name.startsWith(`${path}/`),
  );
}

interface SideState {
  readonly base: TripleTree;
  readonly files: Map<string, TripleFile>;
  readonly origins: Map<string, Origin>;
}

type Operation = (state: SideState, maker: Maker) => string | undefined;

const isText = ({ kind, content }: TripleFile) => kind === "file" && !content.startsWith("\0");

const edit: Operation = ({ files }, maker) => {
  const path = maker.file(files, isText);
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  const lines = file.content.split(/(?<=\n)/);
  // Few places and few texts, so that both sides often do the same, or something else at one place.
  const at = Math.min(lines.length, 3 * maker.below(5));
  const how = maker.below(4);
  if (how === 0) lines.splice(at, 1);
  else if (how === 1) lines.splice(at, 0, `new ${path} ${at} ${maker.below(2)}\n`);
  else lines.splice(at, 1, `edited ${at} ${maker.below(2)}\n`);
  files.set(path, { ...file, content: lines.join("") });
  return "edit";
};

const rewrite: Operation = ({ files }, maker) => {
  const path = maker.file(files, ({ kind }) => kind === "file");
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  const nul = file.content.startsWith("\0") ? "\0" : "";
  files.set(path, { ...file, content: `${nul}${textOf(`other ${path}`, maker.below(2))}` });
  return "rewrite";
};

const remove: Operation = ({ files, origins }, maker) => {
  const path = maker.file(files, () => true);
  if (path === undefined) return undefined;
  files.delete(path);
  origins.delete(path);
  return "delete";
};

const chmod: Operation = ({ files }, maker) => {
  const path = maker.file(files, ({ kind }) => kind === "file");
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  files.set(path, { ...file, executable: !file.executable });
  return "chmod";
};

const add: Operation = ({ files }, maker) => {
  const path = maker.newName(files);
  if (path === undefined) return undefined;
  const executable = maker.chance(0.2);
  files.set(path, { content: textOf(`new ${path}`, maker.below(2)), executable, kind: "file" });
  return "add";
};

const move: Operation = ({ base, files, origins }, maker) => {
  const path = maker.file(files, ({ kind }) => kind === "file");
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  files.delete(path);
  const to = maker.newName(files);
  if (to === undefined) {
    files.set(path, file);
    return undefined;
  }
  files.set(to, file);
  // A move of what was not there before, or was moved before, is told of as what it comes to.
  const earlier = origins.get(path);
  origins.delete(path);
  if (earlier !== undefined) origins.set(to, earlier);
  else if (base.has(path) && maker.chance(0.7)) origins.set(to, { kind: "moved", path });
  return "move";
};

const relink: Operation = ({ files }, maker) => {
  const path = maker.file(files, ({ kind }) => kind === "symlink");
  if (path === undefined) return undefined;
  files.set(path, { content: maker.chance(0.5) ? "d/y" : "c.txt", executable: false, kind: "symlink" });
  return "relink";
};

const changeKind: Operation = ({ files }, maker) => {
  const path = maker.file(files, () => true);
  const file = path === undefined ? undefined : files.get(path);
  if (path === undefined || file === undefined) return undefined;
  const toLink = file.kind === "file";
  files.set(path, {
    content: toLink ? "e/f/h" : textOf(`was link ${path}`),
    executable: false,
    kind: toLink ? "symlink" : "file",
  });
  return "kind";
};

const fileToFolder: Operation = ({ files, origins }, maker) => {
  const path = maker.file(files, ({ kind }) => kind === "file");
  if (path === undefined) return undefined;
  files.delete(path);
  origins.delete(path);
  files.set(`${path}/in`, { content: textOf(`in ${path}`, maker.below(2)), executable: false, kind: "file" });
  return "file to folder";
};

const folderToFile: Operation = ({ files, origins }, maker) => {
  const folder = maker.chance(0.5) ? "d" : "e/f";
  const below = [...files.keys()].filter((path) => path.startsWith(`${folder}/`));
  if (below.length === 0) return undefined;
  for (const path of below) {
    files.delete(path);
    origins.delete(path);
  }
  files.set(folder, { content: textOf(`file ${folder}`, maker.below(2)), executable: false, kind: "file" });
  return "folder to file";
};

const operations: readonly Operation[] = [
  edit,
  edit,
  edit,
  edit,
  edit,
  edit,
  rewrite,
  remove,
  remove,
  chmod,
  add,
  add,
  move,
  move,
  relink,
  changeKind,
  fileToFolder,
  folderToFile,
];

/** The bytes of a generated file. */
export function bytesOf({ content }: TripleFile): Uint8Array {
  return Uint8Array.from(content, (character) => character.charCodeAt(0));
}

/** The state of a generated file. */
export function stateOf(file: TripleFile): FileState {
  const bytes = bytesOf(file);
  const { kind, executable } = file;
  return { kind, executable, contentId: contentIdOf(bytes), byteLength: bytes.byteLength };
}

/** The delta from a base to what a side made of it. */
export function deltaOf(base: TripleTree, { files, origins }: Omit<TripleSide, "done">): Delta {
  const paths = new Set([...base.keys(), ...files.keys()]);
  return makeDelta(
    [...paths].map((path) => {
      const before = base.get(path);
      const after = files.get(path);
      const origin = origins.get(path);
      return [
        path,
        {
          before: before && stateOf(before),
          after: after && stateOf(after),
          ...(origin !== undefined && { origin }),
        },
      ];
    }),
  );
}

/** All contents of a triple, by content id. */
export function contentsOf({ base, current, incoming }: TreeTriple): ReadonlyMap<string, Uint8Array> {
  const all = [base, current.files, incoming.files].flatMap((tree) => [...tree.values()]);
  return new Map(all.map((file) => [stateOf(file).contentId, bytesOf(file)]));
}
