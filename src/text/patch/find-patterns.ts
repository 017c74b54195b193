import type { Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";

/** A number for each line; equal lines have equal numbers, 0 is a line that no pattern has. */
export type LineIds = Int32Array;

/** Lines that are looked for. No two patterns of one search are equal; none is empty or has a 0. */
export interface LinePattern {
  readonly ids: LineIds;
}

interface Trie<P> {
  /** The node that a node goes to with an id, by `node * width + id`. */
  readonly edges: Map<number, number>;
  readonly width: number;
  readonly parents: number[];
  readonly symbols: number[];
  readonly depths: number[];
  /** The pattern that ends at a node. */
  readonly ends: (P | undefined)[];
}

/**
 * Finds every place of many patterns in one pass over the lines (Aho and Corasick). The work is linear in the lines, the patterns and the places found.
 *
 * @param found - Is told each place: the pattern and its first line, from 0; ordered by their last line.
 */
export function* findPatterns<P extends LinePattern>(
  lines: LineIds,
  patterns: readonly P[],
  found: (pattern: P, start: number) => void,
): Steps<void> {
  const due = workCounter();
  const trie = yield* buildTrie(patterns);
  const { edges, width, ends, depths } = trie;
  const { fallbacks, outputs } = yield* linkNodes(trie);
  let node = 0;
  for (let at = 0; at < lines.length; at++) {
    const id = lines[at] as number;
    if (due()) yield;
    if (id === 0 || id >= width) {
      node = 0;
      continue;
    }
    node = follow(edges, width, fallbacks, node, id);
    for (let end = node; end > 0; end = outputs[end] as number) {
      const pattern = ends[end];
      if (pattern === undefined) continue;
      found(pattern, at + 1 - (depths[end] as number));
      if (due()) yield;
    }
  }
}

function* buildTrie<P extends LinePattern>(patterns: readonly P[]): Steps<Trie<P>> {
  const due = workCounter();
  let width = 1;
  for (const { ids } of patterns) for (const id of ids) width = Math.max(width, id + 1);
  const trie: Trie<P> = {
    edges: new Map(),
    width,
    parents: [0],
    symbols: [0],
    depths: [0],
    ends: [undefined],
  };
  for (const pattern of patterns) {
    let node = 0;
    for (const id of pattern.ids) {
      if (due()) yield;
      const key = node * width + id;
      let next = trie.edges.get(key);
      if (next === undefined) {
        next = trie.parents.length;
        trie.edges.set(key, next);
        trie.parents.push(node);
        trie.symbols.push(id);
        trie.depths.push((trie.depths[node] as number) + 1);
        trie.ends.push(undefined);
      }
      node = next;
    }
    trie.ends[node] = pattern;
  }
  return trie;
}

/** For each node the longest other node that is its end, and the nearest of those at which a pattern ends. */
function* linkNodes<P>(
  trie: Trie<P>,
): Steps<{ readonly fallbacks: Int32Array; readonly outputs: Int32Array }> {
  const due = workCounter();
  const { edges, width, parents, symbols, depths, ends } = trie;
  const fallbacks = new Int32Array(parents.length);
  const outputs = new Int32Array(parents.length);
  for (const node of byDepth(depths)) {
    if (due()) yield;
    const parent = parents[node] as number;
    if (parent > 0)
      fallbacks[node] = follow(edges, width, fallbacks, fallbacks[parent] as number, symbols[node] as number);
    const fallback = fallbacks[node] as number;
    outputs[node] = ends[fallback] === undefined ? (outputs[fallback] as number) : fallback;
  }
  return { fallbacks, outputs };
}

/** All nodes but the root, the nearest to the root first. */
function byDepth(depths: readonly number[]): Int32Array {
  const places = new Int32Array(depths.length + 1);
  for (let node = 1; node < depths.length; node++) add(places, (depths[node] as number) + 1, 1);
  for (let depth = 1; depth < places.length; depth++) add(places, depth, places[depth - 1] as number);
  const order = new Int32Array(depths.length - 1);
  for (let node = 1; node < depths.length; node++) order[add(places, depths[node] as number, 1) - 1] = node;
  return order;
}

function add(numbers: Int32Array, at: number, more: number): number {
  const sum = (numbers[at] as number) + more;
  numbers[at] = sum;
  return sum;
}

function follow(
  edges: ReadonlyMap<number, number>,
  width: number,
  fallbacks: Int32Array,
  from: number,
  id: number,
): number {
  let node = from;
  for (;;) {
    const next = edges.get(node * width + id);
    if (next !== undefined) return next;
    if (node === 0) return 0;
    node = fallbacks[node] as number;
  }
}

/** Where to look for one pattern. */
export interface SearchRange {
  /** First line, from 0. */
  readonly from: number;
  /** Line after the last. */
  readonly to: number;
  /** From the start of the range, or from its end. */
  readonly order: "first" | "last";
}

/**
 * Finds the first or the last place of one pattern in a range (Knuth, Morris and Pratt).
 *
 * @param accept - Says whether a place counts. Default: all do.
 * @returns Its first line, from 0; -1 when there is none.
 */
export function* findPattern(
  lines: LineIds,
  ids: LineIds,
  { from, to, order }: SearchRange,
  accept: (start: number) => boolean = () => true,
): Steps<number> {
  const due = workCounter();
  const { length } = ids;
  const isForward = order === "first";
  const pattern = isForward ? ids : ids.slice().reverse();
  const table = new Int32Array(length);
  for (let at = 1, matched = 0; at < length; at++) {
    while (matched > 0 && pattern[matched] !== pattern[at]) matched = table[matched - 1] as number;
    if (pattern[matched] === pattern[at]) matched++;
    table[at] = matched;
    if (due()) yield;
  }
  let matched = 0;
  for (let step = 0; step < to - from; step++) {
    if (due()) yield;
    const at = isForward ? from + step : to - 1 - step;
    while (matched > 0 && pattern[matched] !== lines[at]) matched = table[matched - 1] as number;
    if (pattern[matched] === lines[at]) matched++;
    if (matched < length) continue;
    const start = isForward ? at + 1 - length : at;
    if (accept(start)) return start;
    matched = table[matched - 1] as number;
  }
  return -1;
}
