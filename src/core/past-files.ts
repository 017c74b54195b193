import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import type { PastChanges, PastStates } from "../history/past-states.ts";
import type { ListedFile, StoredFile, StoredStat } from "../storage/storage-adapter.ts";
import type { StoredFiles } from "../storage/stored-files.ts";
import type { FileState } from "../tree/file-state.ts";
import { compareText } from "../tree/path-parts.ts";
import { quotePath } from "../tree/quote-path.ts";
import { knownContent } from "./known-content.ts";
import { type Overlay, overlayFiles } from "./overlay-files.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** Files of a listing that are collected before it is told which of them have changed since: so many at first, and most. */
const [firstCollected, mostCollected] = [16, 1024];

/**
 * Gives the files as they were at a workspace revision, however the workspace goes on: what commits have touched since is told by the history, all
 * else is as it is now. Each answer is of one state, also when somebody commits while it is looked for.
 */
export class PastFiles implements StoredFiles {
  readonly #context: WorkspaceContext;
  readonly #past: PastStates;
  #overlaid: { readonly changes: PastChanges; readonly files: StoredFiles } | undefined;

  constructor(context: WorkspaceContext, past: PastStates) {
    this.#context = context;
    this.#past = past;
  }

  get capabilities(): StoredFiles["capabilities"] {
    return this.#context.storage.capabilities;
  }

  async stat(path: string, options: CancelOptions): Promise<StoredStat | undefined> {
    return await this.#settled(path, options, (files) => files.stat(path, options));
  }

  async read(
    path: string,
    options: CancelOptions & { readonly maxBytes?: number | undefined },
  ): Promise<StoredFile | undefined> {
    return await this.#settled(path, options, (files) => files.read(path, options));
  }

  async *list(options: Parameters<StoredFiles["list"]>[0]): AsyncGenerator<ListedFile, void, undefined> {
    const { storage } = this.#context;
    for (let after = options.after, most = firstCollected; ; most = Math.min(4 * most, mostCollected)) {
      const collected: ListedFile[] = [];
      for await (const file of storage.list({ ...options, after })) if (collected.push(file) >= most) break;
      // Only now it is known which of them have changed since the revision, whoever did so while they were collected.
      const overlay = this.#overlay(await this.#past.read(options));
      const below = { ...unlistedFiles(storage), list: () => given(collected) };
      const end = collected.length < most ? undefined : collected.at(-1)?.path;
      for await (const file of overlayFiles(below, overlay).list({ ...options, after })) {
        if (end !== undefined && compareText(file.path, end) > 0) break;
        yield file;
      }
      if (end === undefined) return;
      after = end;
    }
  }

  /** The state at a path, where the history tells it; `undefined` where no commit has touched it since. */
  async recorded(
    path: string,
    options: CancelOptions,
  ): Promise<{ readonly state: FileState | undefined } | undefined> {
    const { states } = await this.#past.read(options);
    return states.has(path) ? { state: states.get(path) } : undefined;
  }

  /** Looks at the files, and again when the path was changed while it was looked at. */
  async #settled<T>(
    path: string,
    { signal }: CancelOptions,
    look: (files: StoredFiles) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const { changes, files } = await this.#current({ signal });
      const found = await look(files);
      const { states } = await this.#past.read({ signal });
      const isSettled = states.size === changes.states.size || changes.states.has(path);
      if (isSettled || (this.capabilities.caseSensitive && !states.has(path))) return found;
    }
  }

  async #current(
    options: CancelOptions,
  ): Promise<{ readonly changes: PastChanges; readonly files: StoredFiles }> {
    const changes = await this.#past.read(options);
    if (this.#overlaid?.changes !== changes)
      this.#overlaid = { changes, files: overlayFiles(this.#context.storage, this.#overlay(changes)) };
    return this.#overlaid;
  }

  #overlay({ states }: PastChanges): Overlay {
    return {
      states,
      bytesOf: async (path, state, options) => {
        const bytes = await knownContent(this.#context, state, [path], options);
        if (bytes === undefined) throw bytesNotKnown(path, this.#past.revision);
        return bytes;
      },
    };
  }
}

/** Says that bytes of the past are kept no longer. */
export function bytesNotKnown(path: string, revision: string): HoldfastError {
  return new HoldfastError("REVISION_NOT_FOUND", {
    message: `The bytes that ${quotePath(path)} had at ${revision} are not known any more: the history does not keep them.`,
    details: { revision },
  });
}

function unlistedFiles(files: StoredFiles): Omit<StoredFiles, "list"> {
  return {
    capabilities: files.capabilities,
    stat: (path, options) => files.stat(path, options),
    read: (path, options) => files.read(path, options),
  };
}

async function* given(files: readonly ListedFile[]): AsyncGenerator<ListedFile, void, undefined> {
  yield* files;
}
