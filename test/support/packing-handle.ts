import { randomIds, systemClock } from "../../src/base/clock.ts";
import { letGo, refresh, takeOver } from "../../src/storage/directory/begin-session.ts";
import { runCheckpoint } from "../../src/storage/directory/checkpoint.ts";
import { commitList } from "../../src/storage/directory/commit-list.ts";
import { type DirectorySession, openSession } from "../../src/storage/directory/directory-session.ts";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { loadNodeHashing } from "../../src/storage/directory/node-hashing.ts";
import { packSealed } from "../../src/storage/directory/pack-sealed.ts";
import type { ProcessIdentity } from "../../src/storage/directory/process-table.ts";
import { pruneHistory } from "../../src/storage/directory/prune-history.ts";
import { readEntries } from "../../src/storage/directory/read-entries.ts";
import { readFile, readPieces } from "../../src/storage/directory/read-files.ts";
import { RootFolder } from "../../src/storage/directory/root-folder.ts";
import type { CommitOutcome, LogEntry } from "../../src/storage/storage-adapter.ts";
import { simulatedHost } from "./crashing-host.ts";
import { makeBatch, type Wanted } from "./tree-batch.ts";

/** One opening of a folder, whose sealing, packing and pruning are told apart. */
export class PackingHandle {
  readonly session: DirectorySession;

  private constructor(session: DirectorySession) {
    this.session = session;
  }

  /** @param others - Which of the other processes are gone: all, none, or those that it tells. */
  static async open(
    root: string,
    fileSystem: FileSystem = nodeFileSystem,
    boot?: string,
    others: "gone" | "alive" | ((pid: number) => boolean) = "gone",
  ): Promise<PackingHandle> {
    const hashing = await loadNodeHashing();
    const open = { hashing, clock: systemClock, ids: randomIds, readOnly: false, lockTimeoutMs: 1000 };
    const host = simulatedHost(fileSystem, boot);
    const isGone = typeof others === "function" ? others : () => false;
    const processes =
      others === "gone"
        ? host.processes
        : { ...host.processes, isGone: ({ pid }: ProcessIdentity) => isGone(pid) };
    const { session } = await openSession({ ...host, processes }, { root }, open);
    if (session === undefined) throw new Error("there is no state folder");
    await takeOver(session, {});
    return new PackingHandle(session);
  }

  async commit(wanted: Wanted): Promise<CommitOutcome | undefined> {
    const read = (path: string) => this.#withRoot((root) => readFile({ ...this.session, root }, path));
    const batch = await makeBatch({ read }, wanted);
    return (await commitList(this.session, [batch], { flush: true }))[0];
  }

  seal(): Promise<void> {
    return runCheckpoint(this.session);
  }

  /** Packs everything that is sealed, however little. */
  pack(): Promise<void> {
    return packSealed(this.session, { segments: 1, bytes: 0 });
  }

  async prune(before: number, keep: readonly string[] = []): Promise<number> {
    await this.seal();
    const { bytesFreed } = await pruneHistory(this.session, { before, keep: new Set(keep), staged: [] });
    return bytesFreed;
  }

  async log(options: { readonly reverse?: boolean; readonly limit?: number } = {}): Promise<LogEntry[]> {
    await refresh(this.session);
    const entries: LogEntry[] = [];
    for await (const entry of readEntries(this.session, options)) entries.push(entry);
    return entries;
  }

  /** The bytes of a content as text. */
  async text(sha256: string): Promise<string> {
    await refresh(this.session);
    return this.#withRoot(async (root) => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const piece of readPieces({ ...this.session, root }, { sha256 }, 0))
        text += decoder.decode(piece, { stream: true });
      return text;
    });
  }

  async close(): Promise<void> {
    await letGo(this.session);
  }

  async #withRoot<T>(work: (root: RootFolder) => Promise<T>): Promise<T> {
    const { fileSystem, rootPath, state } = this.session;
    const root = new RootFolder(fileSystem, rootPath, state.caseSensitive);
    try {
      return await work(root);
    } finally {
      root.close();
    }
  }
}
