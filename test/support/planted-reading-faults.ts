import { type StorageReadOptions, tooLongToRead } from "holdfast";
import { listing, type PlantedFault, rewriting, spoiling } from "./faulty-naive-storages.ts";
import { NaiveStorage } from "./naive-storage.ts";

/** A storage that reads in its own way. */
function reading(
  read: (
    storage: NaiveStorage,
    path: string,
    options: StorageReadOptions,
  ) => ReturnType<NaiveStorage["read"]>,
) {
  return () => {
    const sound = new NaiveStorage();
    return new (class extends NaiveStorage {
      override async read(path: string, options: StorageReadOptions) {
        sound.state = this.state;
        return await read(sound, path, options);
      }
    })();
  };
}

/** Follows links in the places of folders. */
function followed({ state }: NaiveStorage, path: string): string {
  for (const [link, { kind, bytes }] of state.files)
    if (kind === "symlink" && path.startsWith(`${link}/`))
      return new TextDecoder().decode(bytes) + path.slice(link.length);
  return path;
}

/** Faults of readings other than of whole files. */
export const readingFaults: readonly PlantedFault[] = [
  {
    fault: "the bound of a reading is forgotten",
    foundBy: "A file that is longer than a reading may give is refused with its length and the bound",
    make: reading((storage, path) => storage.read(path, {})),
  },
  {
    fault: "a reading is cut at its bound",
    foundBy: "A file that is longer than a reading may give is refused with its length and the bound",
    make: reading(async (storage, path, { maxBytes }) => {
      const file = await storage.read(path, {});
      return file && { ...file, bytes: file.bytes.slice(0, maxBytes) };
    }),
  },
  {
    fault: "the refusal of a reading tells the bound for the length",
    foundBy: "A file that is longer than a reading may give is refused with its length and the bound",
    make: reading(async (storage, path, options) => {
      const { maxBytes = 0 } = options;
      return await storage.read(path, options).catch(() => {
        throw tooLongToRead(path, maxBytes, maxBytes);
      });
    }),
  },
  {
    fault: "a file as long as the bound is refused",
    foundBy: "A file as long as a reading may give is read whole",
    make: reading((storage, path, { maxBytes }) =>
      storage.read(path, { maxBytes: maxBytes === undefined || maxBytes === 0 ? maxBytes : maxBytes - 1 }),
    ),
  },
  {
    fault: "stat tells a version of its own",
    foundBy: "A version that stat tells is the one that reading gives, before and after a change",
    make: () =>
      new (class extends NaiveStorage {
        override async stat(path: string) {
          const stat = await super.stat(path);
          return stat && { ...stat, version: `length ${stat.byteLength}` };
        }
      })(),
  },
  {
    fault: "readings follow links",
    foundBy: "No link is followed: behind one in the place of a folder there is nothing",
    make: reading((storage, path, options) => storage.read(followed(storage, path), options)),
  },
  {
    fault: "stat follows links",
    foundBy: "No link is followed: behind one in the place of a folder there is nothing",
    make: () =>
      new (class extends NaiveStorage {
        override stat(path: string) {
          return super.stat(followed(this, path));
        }
      })(),
  },
  {
    fault: "a listing below a link gives what is in the folder that it leads to",
    foundBy: "No link is followed: behind one in the place of a folder there is nothing",
    make: () =>
      new (class extends NaiveStorage {
        override list(options: Parameters<NaiveStorage["list"]>[0]) {
          const { under } = options;
          return super.list(
            under ? { ...options, under: followed(this, `${under}/`).slice(0, -1) } : options,
          );
        }
      })(),
  },
  {
    fault: "a listing goes folder by folder",
    foundBy: "A listing gives all files by their whole paths in UTF-16 code unit order, and no folders",
    make: listing((paths) => {
      const keyOf = (path: string) => path.replaceAll("/", "\u0000");
      return [...paths].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    }),
  },
  {
    fault: "a listing is in the order of code points",
    foundBy: "A listing gives all files by their whole paths in UTF-16 code unit order, and no folders",
    make: listing((paths) => [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))),
  },
  {
    fault: "a listing below a folder takes in what is named alike",
    foundBy: "A listing below a folder gives what is in it and not what is named alike",
    make: listing((paths, { under = "" }) => paths.filter((path) => path.startsWith(under))),
  },
  {
    fault: "a listing after a path begins with that path",
    foundBy: "A listing goes on after any path, whether a file is there or not",
    make: listing((paths, { after = "" }) => paths.filter((path) => path >= after)),
  },
  {
    fault: "the offset of a reading in pieces is forgotten",
    foundBy: "Five mebibytes come in pieces that join to the whole, from any offset",
    make: () =>
      new (class extends NaiveStorage {
        override readChunks(source: Parameters<NaiveStorage["readChunks"]>[0]) {
          return super.readChunks(source, {});
        }
      })(),
  },
  {
    fault: "contents before a commit are forgotten",
    foundBy:
      "Contents before and after each commit can be read by their SHA-256 when the files have moved on",
    make: spoiling((state, _batch, outcome) => {
      for (const entry of state.log) entry.contents = [];
      return outcome;
    }),
  },
  {
    fault: "the offset of an append is forgotten",
    foundBy: "Appending before the end cuts what lies past the offset",
    make: rewriting((batch, state) => ({
      ...batch,
      appendContent: batch.appendContent.map((append) => ({
        ...append,
        at: state.staged.get(append.staged)?.byteLength ?? 0,
      })),
    })),
  },
  {
    fault: "reading in reverse begins at the end whatever was asked",
    foundBy: "The log is read in reverse from any number and to any length",
    make: () =>
      new (class extends NaiveStorage {
        override readLog(options: Parameters<NaiveStorage["readLog"]>[0]) {
          return super.readLog(options.reverse ? { ...options, from: undefined } : options);
        }
      })(),
  },
  {
    fault: "a prefix of record keys is forgotten",
    foundBy: "Record keys are listed by prefix in UTF-16 code unit order",
    make: () =>
      new (class extends NaiveStorage {
        override listRecords(_prefix: string, options: { after?: string | undefined }) {
          return super.listRecords("", options);
        }
      })(),
  },
];
