import { runSteps, type Steps } from "../../base/steps.ts";
import { workCounter } from "../../base/work-counter.ts";
import { compareText } from "../../tree/path-parts.ts";
import { mergeInSteps, sortInSteps } from "../../tree/sort-in-steps.ts";

/** Changes that are put in one by one; more than these are sorted in together. */
const fewChanges = 32;

/** A set of texts that can be walked in UTF-16 code unit order, also while it changes. */
export class SortedTexts {
  #texts: string[] = [];
  readonly #changes = new Map<string, "added" | "removed">();

  /** Adds a text that is not in the set. */
  add(text: string): void {
    if (this.#changes.get(text) === "removed") this.#changes.delete(text);
    else this.#changes.set(text, "added");
  }

  /** Removes a text that is in the set. */
  remove(text: string): void {
    if (this.#changes.get(text) === "added") this.#changes.delete(text);
    else this.#changes.set(text, "removed");
  }

  /** Walks the texts at or after `from` that come after `after` and before `end`, each as the set is when it is asked for. */
  *walk(from: string, after?: string, end?: string): Generator<string, undefined, undefined> {
    runSteps(this.settle());
    // No text stands between another one and that one with a NUL.
    const next = after === undefined ? "" : `${after}\u0000`;
    let index = Math.max(this.#find(from), this.#find(next));
    for (;;) {
      const text = this.#texts[index];
      if (text === undefined || (end !== undefined && text >= end)) return;
      yield text;
      if (this.#changes.size > 0) runSteps(this.settle());
      if (this.#texts[index] === text) index += 1;
      else {
        index = this.#find(text);
        if (this.#texts[index] === text) index += 1;
      }
    }
  }

  /** Sorts in what was added and takes out what was removed, so that the next walk need not. */
  *settle(): Steps<void> {
    if (this.#changes.size === 0) return;
    if (this.#changes.size <= fewChanges) this.#settleFew();
    else yield* this.#settleMany();
    this.#changes.clear();
  }

  #settleFew(): void {
    for (const [text, change] of this.#changes) {
      const index = this.#find(text);
      if (change === "added") this.#texts.splice(index, 0, text);
      else this.#texts.splice(index, 1);
    }
  }

  *#settleMany(): Steps<void> {
    const due = workCounter();
    const kept: string[] = [];
    for (const text of this.#texts) {
      if (this.#changes.get(text) !== "removed") kept.push(text);
      if (due()) yield;
    }
    const added: string[] = [];
    for (const [text, change] of this.#changes) {
      if (change === "added") added.push(text);
      if (due()) yield;
    }
    this.#texts = [...(yield* mergeInSteps(kept, yield* sortInSteps(added, compareText), compareText))];
  }

  /** Position of the first text that is not before the given one. */
  #find(text: string): number {
    let low = 0;
    let high = this.#texts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#texts[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
