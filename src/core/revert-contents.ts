import type { CancelOptions } from "../base/clock.ts";
import type { Delta } from "../tree/delta.ts";
import type { FileState } from "../tree/file-state.ts";
import { eachBounded } from "./each-bounded.ts";
import { knownContent } from "./known-content.ts";
import type { RevertGround } from "./revert-ground.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** The bytes that a revert looks at or writes: those that are there now, those of the history, and those that a merge made. */
export class RevertContents {
  readonly #context: WorkspaceContext;
  readonly #named = new Map<string, { readonly state: FileState; readonly path: string }>();
  readonly #held = new Map<string, Uint8Array>();
  readonly #loaded = new Map<string, Uint8Array>();

  constructor(context: WorkspaceContext, { view, states }: RevertGround, deltas: readonly Delta[]) {
    this.#context = context;
    for (const { changes } of deltas)
      for (const [path, { before, after }] of changes)
        for (const state of [before, after]) if (state !== undefined) this.#name(path, state);
    for (const [path, state] of states) {
      if (state !== undefined) this.#name(path, state);
      const file = view.file(path);
      if (file?.bytes !== undefined) this.#held.set(file.contentId, file.bytes);
    }
  }

  #name(path: string, state: FileState): void {
    if (!this.#named.has(state.contentId)) this.#named.set(state.contentId, { state, path });
  }

  /** Adds bytes by content id. */
  add(contents: ReadonlyMap<string, Uint8Array>): void {
    for (const [contentId, bytes] of contents) this.#loaded.set(contentId, bytes);
  }

  /** Gives bytes that are at hand. */
  get(contentId: string): Uint8Array | undefined {
    return this.#held.get(contentId) ?? this.#loaded.get(contentId);
  }

  /** Gives bytes, looking for them in the history where they are not at hand. */
  async load(contentId: string, options: CancelOptions): Promise<Uint8Array | undefined> {
    const known = this.get(contentId);
    if (known !== undefined) return known;
    const named = this.#named.get(contentId);
    const bytes = named && (await knownContent(this.#context, named.state, [named.path], options));
    if (bytes !== undefined) this.#loaded.set(contentId, bytes);
    return bytes;
  }

  /** Loads all that a delta leaves; what nobody knows is told. */
  async loadAfter(
    { changes }: Delta,
    options: CancelOptions,
    unknown: (path: string) => void,
  ): Promise<void> {
    await eachBounded([...changes], async ([path, { before, after }]) => {
      if (after === undefined || after.contentId === before?.contentId) return;
      if ((await this.load(after.contentId, options)) === undefined) unknown(path);
    });
  }
}
