import type { Steps } from "../base/steps.ts";
import { workCounter } from "../base/work-counter.ts";
import { pathKey } from "../tree/path-key.ts";
import { ancestorsOf } from "../tree/path-parts.ts";
import { writtenPaths } from "./batch-paths.ts";
import type { StorageBatch } from "./storage-adapter.ts";

/** The rounds in which something was last read, last written, and last had something written below it. */
interface Marks {
  readonly read: Map<string, number>;
  readonly written: Map<string, number>;
  readonly writtenBelow: Map<string, number>;
}

/** Everything that a batch reads or writes: files as `f:`, records as `r:`, staged contents as `s:` and the name. */
interface Touched {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Puts batches into rounds, such that within a round none depends on what another one writes, and each comes after those before it in the list
 * that it depends on. Gives the positions of the batches in each round. Two that only expect the same path may share a round.
 */
export function* splitBatches(
  batches: readonly StorageBatch[],
  caseSensitive: boolean,
): Steps<readonly (readonly number[])[]> {
  if (batches.length === 1) return [[0]];
  const marks: Marks = { read: new Map(), written: new Map(), writtenBelow: new Map() };
  const rounds: number[][] = [];
  const due = workCounter();
  for (const [position, batch] of batches.entries()) {
    const touched = touchedBy(batch, caseSensitive ? (path) => path : pathKey);
    const round = firstFreeRound(touched, marks);
    mark(touched, marks, round);
    const members = rounds[round];
    if (members === undefined) rounds.push([position]);
    else members.push(position);
    if (due(16 * (touched.reads.length + touched.writes.length))) yield;
  }
  return rounds;
}

function touchedBy(batch: StorageBatch, keyOf: (path: string) => string): Touched {
  const reads = batch.expect.map(({ space, key }) => (space === "files" ? `f:${keyOf(key)}` : `r:${key}`));
  const writes = writtenPaths(batch).map((path) => `f:${keyOf(path)}`);
  for (const { content } of batch.putFiles) {
    if ("from" in content) reads.push(`f:${keyOf(content.from)}`);
    if ("staged" in content) writes.push(`s:${content.staged}`);
  }
  for (const { staged } of batch.appendContent) writes.push(`s:${staged}`);
  for (const { key } of batch.putRecords) writes.push(`r:${key}`);
  for (const key of batch.deleteRecords) writes.push(`r:${key}`);
  return { reads, writes };
}

function firstFreeRound({ reads, writes }: Touched, marks: Marks): number {
  let last = -1;
  const after = (round: number | undefined) => {
    if (round !== undefined && round > last) last = round;
  };
  for (const name of reads) after(marks.written.get(name));
  for (const name of writes) {
    after(marks.written.get(name));
    after(marks.read.get(name));
    if (!name.startsWith("f:")) continue;
    after(marks.writtenBelow.get(name));
    for (const folder of ancestorsOf(name)) after(marks.written.get(folder));
  }
  return last + 1;
}

function mark({ reads, writes }: Touched, marks: Marks, round: number): void {
  const raise = (rounds: Map<string, number>, name: string) => {
    if ((rounds.get(name) ?? -1) < round) rounds.set(name, round);
  };
  for (const name of reads) raise(marks.read, name);
  for (const name of writes) {
    raise(marks.written, name);
    if (name.startsWith("f:")) for (const folder of ancestorsOf(name)) raise(marks.writtenBelow, folder);
  }
}
