import type { StorageBatch, StorageOpenOptions } from "holdfast";
import type { PlantedFault } from "./faulty-naive-storages.ts";
import { callQuietly, NaiveStorage } from "./naive-storage.ts";

type Tell = (path: string) => void;

/** A storage that tells of changes in its own way. */
function telling(tell: (storage: NaiveStorage, path: string, soundly: Tell) => void) {
  return () =>
    new (class extends NaiveStorage {
      override tell(path: string) {
        tell(this, path, (told) => super.tell(told));
      }
    })();
}

const folderOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf("/"), 0));

/** A storage that hears only of names in folders that were there when a watch began, or are at the root. */
class DeafToNewFolders extends NaiveStorage {
  readonly #folders = new Set([""]);

  override watch(...[listener, options]: Parameters<NaiveStorage["watch"]>) {
    for (const path of this.state.files.keys()) this.#folders.add(folderOf(path));
    super.watch(listener, options);
  }

  override tell(path: string) {
    if (this.#folders.has(folderOf(path))) super.tell(path);
  }
}

/** A storage that hears only of files that came after a watch began. */
class DeafToOldFiles extends NaiveStorage {
  readonly #old = new Set<string>();

  override watch(...[listener, options]: Parameters<NaiveStorage["watch"]>) {
    for (const path of this.state.files.keys()) this.#old.add(path);
    super.watch(listener, options);
  }

  override tell(path: string) {
    if (!this.#old.has(path)) super.tell(path);
  }
}

/** A storage that watches files and not names: of one that it has replaced itself it hears nothing more. */
class DeafAfterCommits extends NaiveStorage {
  readonly #replaced = new Set<string>();

  override commit(batches: readonly StorageBatch[]) {
    for (const { putFiles } of batches) for (const { path } of putFiles) this.#replaced.add(path);
    return super.commit(batches);
  }

  override tell(path: string) {
    if (!this.#replaced.has(path)) super.tell(path);
  }
}

/** A storage that tells of one change in each turn. */
class OneOfMany extends NaiveStorage {
  #last: string | undefined;

  override tell(path: string) {
    if (this.#last === undefined)
      setImmediate(() => {
        super.tell(this.#last ?? path);
        this.#last = undefined;
      });
    this.#last = path;
  }
}

/** A storage that tells of its own state. */
class TellingOfItsState extends NaiveStorage {
  override commit(batches: readonly StorageBatch[]) {
    this.tell(".holdfast/log");
    return super.commit(batches);
  }
}

/** A storage that tells of a change before anybody can read it. */
class TellingTooEarly extends NaiveStorage {
  override writeOutside(path: string, bytes: Uint8Array | null) {
    super.tell(path);
    const write = () => super.writeOutside(path, bytes);
    setImmediate(() => setImmediate(() => setImmediate(write)));
  }

  override tell() {}
}

/** A storage whose watches end for good when any handle closes. */
class DeafAfterClosing extends NaiveStorage {
  #isDeaf = false;

  override async close() {
    this.#isDeaf = true;
  }

  override tell(path: string) {
    if (!this.#isDeaf) super.tell(path);
  }
}

/** A storage that watches only where it may write. */
class DeafReader extends NaiveStorage {
  #isDeaf = false;

  override open(options: Pick<StorageOpenOptions, "readOnly">) {
    this.#isDeaf = options.readOnly;
    return super.open(options);
  }

  override tell(path: string) {
    if (!this.#isDeaf) super.tell(path);
  }
}

const changes =
  "A watch tells of files that another program makes, changes and removes, and their new state can be read then";
const closing = "Closing ends what was watched, and watching begins anew after opening again";
const aborted = "After its signal a listener is told nothing more, and others still are";

const toEach = (storage: NaiveStorage, path: string) => {
  for (const listener of storage.listeners.keys()) callQuietly(listener, path);
};

/** Faults of watching. What is never told is waited for. */
export const watchFaults: readonly PlantedFault[] = [
  {
    fault: "the capability of watching is there, and no watch",
    foundBy: "The capability of watching says whether there is a watch",
    make: () => Object.assign(new NaiveStorage(), { watch: undefined }) as unknown as NaiveStorage,
  },
  { fault: "no change is told", foundBy: changes, waits: true, make: telling(() => undefined) },
  {
    fault: "no removal is told",
    foundBy: changes,
    waits: true,
    make: telling(({ state }, path, soundly) => (state.files.has(path) ? soundly(path) : undefined)),
  },
  {
    fault: "a change is told before it can be read",
    foundBy: changes,
    waits: true,
    make: () => new TellingTooEarly(),
  },
  {
    fault: "new folders are not watched",
    foundBy: "A watch tells of files in new folders, at any depth, and goes on telling of them",
    waits: true,
    make: () => new DeafToNewFolders(),
  },
  {
    fault: "files that were there before are not watched",
    foundBy: "A watch tells of files that were there when it began, in folders too",
    waits: true,
    make: () => new DeafToOldFiles(),
  },
  {
    fault: "files are not watched any more when a commit has replaced them",
    foundBy: "A watch tells of changes to files that a commit has replaced, made or moved since it began",
    waits: true,
    make: () => new DeafAfterCommits(),
  },
  {
    fault: "of several changes one is told",
    foundBy: "Each of many files that change at once is told",
    waits: true,
    make: () => new OneOfMany(),
  },
  {
    fault: "the state of the storage is told",
    foundBy: "What is told are paths that calls take, while the storage commits too",
    make: () => new TellingOfItsState(),
  },
  {
    fault: "listeners are called within the call that makes the change",
    foundBy: "Nobody is told within the call that makes the change or the one that begins the watch",
    make: telling(toEach),
  },
  {
    fault: "the signal of a watch is not looked at",
    foundBy: aborted,
    make: telling((storage, path) => void setImmediate(() => toEach(storage, path))),
  },
  {
    fault: "one signal ends all watches",
    foundBy: aborted,
    waits: true,
    make: telling(({ listeners }, path, soundly) =>
      [...listeners.values()].some(({ aborted }) => aborted) ? undefined : soundly(path),
    ),
  },
  {
    fault: "a listener that throws keeps others from hearing",
    foundBy: "A listener that throws harms neither the others nor the storage",
    waits: true,
    make: telling(
      ({ listeners }, path) =>
        void setImmediate(() => {
          try {
            for (const [listener, { aborted }] of listeners) if (!aborted) listener([path]);
          } catch {
            // The others hear nothing.
          }
        }),
    ),
  },
  {
    fault: "closing does not end a watch",
    foundBy: closing,
    make: telling((storage, path) => void setImmediate(() => toEach(storage, path))),
  },
  {
    fault: "after closing nothing is watched any more",
    foundBy: closing,
    waits: true,
    make: () => new DeafAfterClosing(),
  },
  {
    fault: "nothing is watched where nothing may be written",
    foundBy: "A storage that was opened for reading only tells of changes too",
    waits: true,
    make: () => new DeafReader(),
  },
];
