import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { pathKey } from "./path-key.ts";
import { ancestorsOf } from "./path-parts.ts";

/** What two files in one place, or nearly, have against each other; of several the first counts. */
export const collisionKinds = ["fileDirectory", "pathCollision", "addAdd"] as const;

/** What two files in one place, or nearly, have against each other. */
export type CollisionKind = (typeof collisionKinds)[number];

/** Sides whose tree has a file at a path: none, one or both. Files that one tree has do not collide. */
export type SideMask = 0 | 1 | 2 | 3;

/** The bits of a mask. */
export const currentBit = 1;
export const incomingBit = 2;

/** A path that a file may come to. */
export interface Claim {
  readonly path: string;
  readonly sides: SideMask;
}

/** The files that claim a place, by index: themselves, or below it. */
interface Node {
  readonly files: number[];
  readonly below: number[];
}

/** Nodes whose spellings fold to one. */
interface FoldedNode {
  readonly spellings: Map<string, Node>;
  /** A file of the group that all files here belong to, once different spellings have met. */
  member?: number;
}

/**
 * Gathers files into groups that cannot all stay where they are: two at one path, a file where another needs a folder, or two spellings of
 * one name. Whatever the number of files and spellings, each claim is looked at once.
 */
export class CollisionFinder {
  readonly #claimsOnceContested: (file: number) => readonly Claim[];
  readonly #nodes: readonly Map<string, FoldedNode>[] = [new Map(), new Map(), new Map(), new Map()];
  readonly #parents = new Map<number, number>();
  readonly #kinds = new Map<number, CollisionKind>();
  /** Files that are found to be in one group, before it is made. */
  readonly #joins: [a: number, b: number, kind: CollisionKind][] = [];
  /** Files that came into a group and whose further claims are to be looked at. */
  readonly #waiting: number[] = [];
  readonly #due = workCounter();

  /** A file that comes to be in a group may end where any side has it: these are its further claims. */
  constructor(claimsOnceContested: (file: number) => readonly Claim[]) {
    this.#claimsOnceContested = claimsOnceContested;
  }

  /** Adds a file's claims, and those of every file that comes into a group by them. */
  *add(file: number, claims: readonly Claim[]): Steps<void> {
    for (const claim of claims) if (this.#due(this.#claim(file, claim))) yield;
    for (;;) {
      for (let next = this.#joins.pop(); next !== undefined; next = this.#joins.pop()) {
        this.#join(...next);
        if (this.#due()) yield;
      }
      const entered = this.#waiting.pop();
      if (entered === undefined) return;
      for (const claim of this.#claimsOnceContested(entered))
        if (this.#due(this.#claim(entered, claim))) yield;
    }
  }

  /** The group of a file, named by one of its files; `undefined` when it collides with none. */
  groupOf(file: number): { readonly root: number; readonly kind: CollisionKind } | undefined {
    if (!this.#parents.has(file)) return undefined;
    const root = this.#root(file);
    return { root, kind: this.#kinds.get(root) ?? "addAdd" };
  }

  #claim(file: number, { path, sides }: Claim): number {
    const nodes = [...ancestorsOf(path), path];
    for (const spelling of nodes) {
      const key = pathKey(spelling);
      const isFile = spelling === path;
      for (const mask of [0, 1, 2, 3] as const)
        if ((mask & sides) === 0) this.#meet(file, this.#nodes[mask]?.get(key), spelling, isFile);
      this.#register(file, sides, key, spelling, isFile);
    }
    return nodes.length * (1 + (path.length >> 7));
  }

  #meet(file: number, folded: FoldedNode | undefined, spelling: string, isFile: boolean): void {
    if (folded === undefined) return;
    const same = folded.spellings.get(spelling);
    if (same !== undefined) {
      for (const other of same.files.splice(1))
        this.#joins.push([file, other, isFile ? "addAdd" : "fileDirectory"]);
      if (same.files[0] !== undefined)
        this.#joins.push([file, same.files[0], isFile ? "addAdd" : "fileDirectory"]);
      // Once joined, one stands for all.
      if (isFile && same.below.length > 0) {
        for (const other of same.below.splice(1)) this.#joins.push([file, other, "fileDirectory"]);
        this.#joins.push([file, same.below[0] as number, "fileDirectory"]);
      }
    }
    if (folded.member !== undefined) this.#joins.push([file, folded.member, "pathCollision"]);
    else if (folded.spellings.size > (same === undefined ? 0 : 1)) this.#meetAll(file, folded);
  }

  #meetAll(file: number, folded: FoldedNode): void {
    folded.member = file;
    for (const { files, below } of folded.spellings.values())
      for (const other of [...files, ...below]) this.#joins.push([file, other, "pathCollision"]);
  }

  #register(file: number, sides: SideMask, key: string, spelling: string, isFile: boolean): void {
    const nodes = this.#nodes[sides] as Map<string, FoldedNode>;
    const folded: FoldedNode = nodes.get(key) ?? { spellings: new Map() };
    const node: Node = folded.spellings.get(spelling) ?? { files: [], below: [] };
    nodes.set(key, folded);
    folded.spellings.set(spelling, node);
    (isFile ? node.files : node.below).push(file);
    if (folded.member !== undefined) this.#joins.push([file, folded.member, "pathCollision"]);
  }

  #join(a: number, b: number, kind: CollisionKind): void {
    if (a === b) return;
    const roots = [this.#enter(a), this.#enter(b)] as const;
    const into = Math.min(...roots);
    const from = Math.max(...roots);
    if (from !== into) this.#parents.set(from, into);
    const kinds = [kind, this.#kinds.get(into), this.#kinds.get(from)];
    this.#kinds.set(into, collisionKinds.find((one) => kinds.includes(one)) ?? kind);
  }

  #enter(file: number): number {
    if (!this.#parents.has(file)) {
      this.#parents.set(file, file);
      this.#waiting.push(file);
    }
    return this.#root(file);
  }

  #root(file: number): number {
    let root = file;
    for (let up = this.#parents.get(root); up !== undefined && up !== root; up = this.#parents.get(root))
      root = up;
    for (let at = file; at !== root; ) {
      const up = this.#parents.get(at) as number;
      this.#parents.set(at, root);
      at = up;
    }
    return root;
  }
}
