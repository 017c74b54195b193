import type { CancelOptions } from "../base/clock.ts";
import { HoldfastError } from "../base/holdfast-error.ts";
import { PastStates } from "../history/past-states.ts";
import { parseInput } from "../schema/check-input.ts";
import { viewDiffOptionsSchema } from "../schema/diff-options.ts";
import type { ListOptions, SearchOptions } from "../schema/list-options.ts";
import type { ReadLinesOptions, ReadOptions, StatOptions } from "../schema/read-options.ts";
import type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "../schema/read-results.ts";
import type { TreeDiff } from "../tree/tree-diff.ts";
import { FileReader } from "./file-reader.ts";
import type { FileView, ViewDiffOptions } from "./file-view.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { PastFiles } from "./past-files.ts";
import type { ViewPoint, ViewPoints } from "./view-points.ts";
import { wantedDiff } from "./wanted-diff.ts";
import type { WorkspaceContext } from "./workspace-context.ts";

/** What a view of the past works with. */
export interface PastViewParts {
  readonly context: WorkspaceContext;
  readonly lifecycle: Lifecycle;
  readonly points: ViewPoints;
}

/** The files as they were at a workspace revision. Stays there while the workspace goes on. */
export class PastView implements FileView {
  readonly #parts: PastViewParts;
  readonly #reader: FileReader;

  /** @throws {@link HoldfastError} `INVALID_ARGUMENT` when the text has not the form of a workspace revision. */
  constructor(parts: PastViewParts, revision: string) {
    const { context, lifecycle, points } = parts;
    const past = new PastStates(context.storage, revision);
    const files = new PastFiles(context, past);
    const view = { ...context, files };
    this.#parts = parts;
    this.#reader = new FileReader({
      lifecycle,
      context: async (options) => {
        await past.read({ signal: options.signal });
        return view;
      },
    });
    points.add(this, { past });
  }

  /** {@inheritDoc FileView.read} */
  async read(path: string, options?: ReadOptions): Promise<TextFile> {
    return await this.#reader.read(path, options);
  }

  /** {@inheritDoc FileView.readLines} */
  async readLines(path: string, options?: ReadLinesOptions): Promise<TextPage> {
    return await this.#reader.readLines(path, options);
  }

  /** {@inheritDoc FileView.readBytes} */
  async readBytes(path: string, options?: ReadOptions): Promise<BinaryFile> {
    return await this.#reader.readBytes(path, options);
  }

  /** {@inheritDoc FileView.stat} */
  async stat(path: string, options?: StatOptions): Promise<FileStat | undefined> {
    return await this.#reader.stat(path, options);
  }

  /** {@inheritDoc FileView.list} */
  list(options?: ListOptions): AsyncIterable<ListedEntry> {
    return this.#reader.list(options);
  }

  /** {@inheritDoc FileView.search} */
  search(text: string, options?: SearchOptions): AsyncIterable<SearchMatch> {
    return this.#reader.search(text, options);
  }

  /** {@inheritDoc FileView.diff} */
  async diff(options: ViewDiffOptions = {}): Promise<TreeDiff> {
    return await diffView(this, this.#parts, options);
  }
}

/**
 * Shows what a view has that an older or newer state of the same workspace has not.
 *
 * @throws {@link HoldfastError} `INVALID_ARGUMENT` when `from` is left out, or is no such state; `REVISION_NOT_FOUND`.
 */
export async function diffView(
  view: FileView,
  { context, lifecycle, points }: PastViewParts,
  options: ViewDiffOptions,
): Promise<TreeDiff> {
  return await lifecycle.run(options, async () => {
    const { from, signal, ...rest } = parseInput(viewDiffOptionsSchema, options, "options");
    const to = points.of(view);
    const wanted = wantedDiff(rest);
    if (to === undefined || wanted === undefined) throw new HoldfastError("INTERNAL");
    const start = await findPoint({ context, points }, from, { signal });
    const { diffPoints } = await import("./diff-points.ts");
    return await diffPoints(context, { from: start, to }, wanted, { signal });
  });
}

async function findPoint(
  { context, points }: Pick<PastViewParts, "context" | "points">,
  from: unknown,
  options: CancelOptions,
): Promise<ViewPoint> {
  const point = typeof from === "string" ? { past: new PastStates(context.storage, from) } : points.of(from);
  if (point === undefined)
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: `"from" must be a workspace revision, or a view of this workspace such as at() gives; it is ${from === undefined ? "left out" : "something else"}.`,
    });
  await point.past?.read(options);
  return point;
}
