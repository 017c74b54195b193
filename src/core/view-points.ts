import type { PastStates } from "../history/past-states.ts";
import type { FileView } from "./file-view.ts";

/** Which state of a workspace a view shows: that at a revision, or the one of now. */
export type ViewPoint = { readonly past: PastStates } | { readonly past?: undefined };

/** The views of one handle and what they show; views of others it does not know. */
export class ViewPoints {
  readonly #points = new WeakMap<object, ViewPoint>();

  /** Notes what a view shows. */
  add(view: FileView, point: ViewPoint): void {
    this.#points.set(view, point);
  }

  /** Tells what a view shows; `undefined` for what is no such view of this handle. */
  of(view: unknown): ViewPoint | undefined {
    return typeof view === "object" && view !== null ? this.#points.get(view) : undefined;
  }
}
