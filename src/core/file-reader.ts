import type { CancelOptions } from "../base/clock.ts";
import { parseInput } from "../schema/check-input.ts";
import {
  type ListOptions,
  listOptionsSchema,
  type SearchOptions,
  searchedTextSchema,
  searchOptionsSchema,
} from "../schema/list-options.ts";
import {
  type ReadLinesOptions,
  type ReadOptions,
  readLinesOptionsSchema,
  readOptionsSchema,
  type StatOptions,
  statOptionsSchema,
} from "../schema/read-options.ts";
import type {
  BinaryFile,
  FileStat,
  ListedEntry,
  SearchMatch,
  TextFile,
  TextPage,
} from "../schema/read-results.ts";
import type { FileView } from "./file-view.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { listEntries } from "./list-entries.ts";
import { parsePath } from "./parse-path.ts";
import { readBinary, readPage, readText } from "./read-file.ts";
import { searchText } from "./search-text.ts";
import { statPath } from "./stat-path.ts";
import type { ViewContext } from "./workspace-context.ts";

/** What a view reads through. */
export interface FileReaderParts {
  /** Lets calls in as long as the workspace is open. */
  readonly lifecycle: Lifecycle;
  /** Gives the files as the view has them now, or refuses. Asked once for each call, and when an iteration begins. */
  readonly context: (options: CancelOptions) => ViewContext | Promise<ViewContext>;
}

/** The reading half of every view: checks the arguments and reads what the view's files are at that moment. What it is compared with is the view's matter. */
export class FileReader implements Omit<FileView, "diff"> {
  readonly #parts: FileReaderParts;

  constructor(parts: FileReaderParts) {
    this.#parts = parts;
  }

  /** {@inheritDoc FileView.read} */
  async read(path: string, options: ReadOptions = {}): Promise<TextFile> {
    const { lifecycle, context } = this.#parts;
    return await lifecycle.run(options, async () => {
      const checked = parseInput(readOptionsSchema, options, "options");
      return await readText(await context(checked), parsePath(path), checked);
    });
  }

  /** {@inheritDoc FileView.readLines} */
  async readLines(path: string, options: ReadLinesOptions = {}): Promise<TextPage> {
    const { lifecycle, context } = this.#parts;
    return await lifecycle.run(options, async () => {
      const checked = parseInput(readLinesOptionsSchema, options, "options");
      return await readPage(await context(checked), parsePath(path), checked);
    });
  }

  /** {@inheritDoc FileView.readBytes} */
  async readBytes(path: string, options: ReadOptions = {}): Promise<BinaryFile> {
    const { lifecycle, context } = this.#parts;
    return await lifecycle.run(options, async () => {
      const checked = parseInput(readOptionsSchema, options, "options");
      return await readBinary(await context(checked), parsePath(path), checked);
    });
  }

  /** {@inheritDoc FileView.stat} */
  async stat(path: string, options: StatOptions = {}): Promise<FileStat | undefined> {
    const { lifecycle, context } = this.#parts;
    return await lifecycle.run(options, async () => {
      const checked = parseInput(statOptionsSchema, options, "options");
      return await statPath(await context(checked), parsePath(path, { folder: true }), checked);
    });
  }

  /** {@inheritDoc FileView.list} */
  list(options: ListOptions = {}): AsyncIterable<ListedEntry> {
    const { lifecycle, context } = this.#parts;
    return lifecycle.iterate(options, async function* () {
      const checked = parseInput(listOptionsSchema, options, "options");
      yield* listEntries((await context(checked)).files, checked);
    });
  }

  /** {@inheritDoc FileView.search} */
  search(text: string, options: SearchOptions = {}): AsyncIterable<SearchMatch> {
    const { lifecycle, context } = this.#parts;
    return lifecycle.iterate(options, async function* () {
      const wanted = parseInput(searchedTextSchema, text, "text");
      const checked = parseInput(searchOptionsSchema, options, "options");
      yield* searchText(await context(checked), wanted, checked);
    });
  }
}
