import { runSteps } from "../../base/steps.ts";
import { composeAll } from "../../tree/compose-all.ts";
import { composeDeltas } from "../../tree/compose-deltas.ts";
import type { Delta } from "../../tree/delta.ts";
import { equalStates, type FileState } from "../../tree/file-state.ts";
import { compareText } from "../../tree/path-parts.ts";
import type { LineFacts } from "../../tree/plan-lines.ts";

/** What a path was when a transaction first relied on it. */
export interface Pin {
  /** The state; `undefined`: nothing was there. */
  readonly state: FileState | undefined;
  /** The revision of the file. */
  readonly revision: string | undefined;
  /** The storage's token of it, which a commit expects; `null`: absent. */
  readonly version: string | null;
  /** The stamp that it had when it was read; not kept in the storage. */
  readonly stamp?: string | undefined;
}

/** One staged step. */
export interface StagedStep {
  /** Names the step's record; never used twice in a transaction. */
  readonly number: number;
  /** Names the state after it. */
  readonly snapshotId: string;
  /** Savepoints set at the state after it. */
  readonly labels: readonly string[];
  /** From the state before to the state after it. */
  readonly delta: Delta;
  /** Paths that the transaction relies on from this step on. */
  readonly pins: ReadonlyMap<string, Pin>;
  /** What the step does to the lines of files that it changes in their place; not kept in the storage. */
  readonly facts?: ReadonlyMap<string, LineFacts> | undefined;
}

/**
 * The steps of a transaction, and how many of them count. Immutable: each change gives another list, and undo and redo cost the same whatever the
 * steps hold.
 */
export class StagedSteps {
  /** What can no longer be undone: the oldest steps as one. */
  readonly base: StagedStep | undefined;
  /** The steps that can be undone and redone, those that were undone at the end. */
  readonly steps: readonly StagedStep[];
  /** How many of `steps` count. */
  readonly cursor: number;
  #states: ReadonlyMap<string, FileState | undefined> | undefined;
  #pins: ReadonlyMap<string, Pin> | undefined;
  #delta: Delta | undefined;
  #changedPaths: readonly string[] | undefined;

  constructor(base: StagedStep | undefined, steps: readonly StagedStep[], cursor: number) {
    this.base = base;
    this.steps = steps;
    this.cursor = cursor;
  }

  /** The steps that count, the base first. */
  get counted(): readonly StagedStep[] {
    const steps = this.steps.slice(0, this.cursor);
    return this.base === undefined ? steps : [this.base, ...steps];
  }

  /** Every path that a counted step changes, with its staged state. */
  get states(): ReadonlyMap<string, FileState | undefined> {
    if (this.#states !== undefined) return this.#states;
    const states = new Map<string, FileState | undefined>();
    for (const { delta } of this.counted)
      for (const [path, { after }] of delta.changes) states.set(path, after);
    this.#states = states;
    return states;
  }

  /** Every path that the counted steps rely on, as it was when they first did. */
  get pins(): ReadonlyMap<string, Pin> {
    if (this.#pins !== undefined) return this.#pins;
    const pins = new Map<string, Pin>();
    for (const step of this.counted)
      for (const [path, pin] of step.pins) if (!pins.has(path)) pins.set(path, pin);
    this.#pins = pins;
    return pins;
  }

  /** What all counted steps do together. */
  get delta(): Delta {
    this.#delta ??= runSteps(composeAll(this.counted.map(({ delta }) => delta)));
    return this.#delta;
  }

  /** The paths that differ from what they were, sorted. */
  get changedPaths(): readonly string[] {
    if (this.#changedPaths !== undefined) return this.#changedPaths;
    const changed: string[] = [];
    for (const [path, state] of this.states)
      if (!equalStates(state, this.pins.get(path)?.state)) changed.push(path);
    this.#changedPaths = changed.sort(compareText);
    return this.#changedPaths;
  }

  /** What is known of the lines of a path that only one step changes; `undefined` elsewhere. */
  factsOf(path: string): LineFacts | undefined {
    const changing = this.counted.filter(({ delta }) => delta.changes.has(path));
    return changing.length === 1 ? changing[0]?.facts?.get(path) : undefined;
  }

  /** With a step more; those that were undone are dropped. */
  with(step: StagedStep): StagedSteps {
    return new StagedSteps(this.base, [...this.steps.slice(0, this.cursor), step], this.cursor + 1);
  }

  /** With so many steps counted: what undo and redo do. */
  at(cursor: number): StagedSteps {
    return new StagedSteps(this.base, this.steps, cursor);
  }

  /** With the oldest step as part of the base. */
  squashed(): StagedSteps {
    const [oldest, ...rest] = this.steps;
    if (oldest === undefined) return this;
    const { base } = this;
    const merged =
      base === undefined
        ? oldest
        : {
            ...oldest,
            facts: undefined,
            delta: composeDeltas(base.delta, oldest.delta),
            pins: new Map([...oldest.pins, ...base.pins]),
          };
    return new StagedSteps(merged, rest, this.cursor - 1);
  }
}
