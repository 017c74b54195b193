import type { CommitOutcome, StorageReadOptions } from "holdfast";
import { type PlantedFault, pruning, rewriting, spoiling } from "./faulty-naive-storages.ts";
import { NaiveStorage } from "./naive-storage.ts";

const writtenFile = { kind: "file", executable: false } as const;

/** Faults of commits: what they check, write and tell. */
export const commitFaults: readonly PlantedFault[] = [
  {
    fault: "versions of files are not looked at",
    foundBy: "An older version of a file fails",
    make: rewriting((batch) => ({
      ...batch,
      expect: batch.expect.filter(({ version }) => version === null),
    })),
  },
  {
    fault: "absence of files is not looked at",
    foundBy: "Absence of a file that is there fails",
    make: rewriting((batch) => ({
      ...batch,
      expect: batch.expect.filter(({ version }) => version !== null),
    })),
  },
  {
    fault: "records are not looked at",
    foundBy: "Versions and absence of records fail as those of files do",
    make: rewriting((batch) => ({ ...batch, expect: batch.expect.filter(({ space }) => space === "files") })),
  },
  {
    fault: "only paths that are written are looked at",
    foundBy: "An expectation of a path that the batch does not write counts too",
    make: rewriting((batch) => {
      const written = [...batch.putFiles.map(({ path }) => path), ...batch.deleteFiles];
      return { ...batch, expect: batch.expect.filter(({ key }) => written.includes(key)) };
    }),
  },
  {
    fault: "only the first failed expectation is told",
    foundBy: "All failed expectations are told, and only those",
    make: spoiling((_state, _batch, outcome) =>
      "failed" in outcome ? { ...outcome, failed: outcome.failed.slice(0, 1) } : outcome,
    ),
  },
  {
    fault: "a failed batch writes its records all the same",
    foundBy: "A batch with a failed expectation writes neither files nor records nor log nor staged content",
    make: spoiling((state, batch, outcome) => {
      if (!outcome.committed)
        for (const { key, bytes } of batch.putRecords) state.records.set(key, { bytes, version: "spoilt" });
      return outcome;
    }),
  },
  {
    fault: "a failed batch leaves its first file behind",
    foundBy: "A put below a file that stays is not committed and leaves all as it was",
    make: spoiling((state, batch, outcome) => {
      const [first] = batch.putFiles;
      if (!outcome.committed && first !== undefined && "bytes" in first.content)
        state.files.set(first.path, { ...writtenFile, bytes: first.content.bytes, version: "spoilt" });
      return outcome;
    }),
  },
  {
    fault: "a failed batch takes a number",
    foundBy: "Failed batches leave no gap in the numbers and call no entry",
    make: spoiling((state, _batch, outcome) => {
      if (!outcome.committed) state.last = { ...state.last, sequence: state.last.sequence + 1 };
      return outcome;
    }),
  },
  {
    fault: "a batch without an entry takes a number",
    foundBy: "A batch without an entry takes no number and gives number and hash of the last one",
    make: rewriting((batch) => (batch.entry ? batch : { ...batch, entry: () => new Uint8Array(0) })),
  },
  {
    fault: "the entry is made twice",
    foundBy: "Each entry is made once, with the next number and the hash of the entry before it",
    make: rewriting((batch) => ({
      ...batch,
      ...(batch.entry && {
        entry: (sequence: number, previousHash: string) => {
          batch.entry?.(sequence, previousHash);
          return batch.entry?.(sequence, previousHash) ?? new Uint8Array(0);
        },
      }),
    })),
  },
  {
    fault: "the hash of an entry does not cover the one before",
    foundBy: "Each entry is made once, with the next number and the hash of the entry before it",
    make: spoiling((state, _batch, outcome) => {
      state.last = { ...state.last, hash: "0".repeat(64) };
      return outcome;
    }),
  },
  {
    fault: "one failed batch of a list takes the others with it",
    foundBy: "A batch of a list that fails takes nothing from the others",
    make: () =>
      new (class extends NaiveStorage {
        override async commit(
          batches: Parameters<NaiveStorage["commit"]>[0],
        ): Promise<readonly CommitOutcome[]> {
          const before = this.state;
          const outcomes = await super.commit(batches);
          const failed = outcomes.find((outcome) => !outcome.committed);
          if (failed === undefined) return outcomes;
          this.state = before;
          return batches.map(() => failed);
        }
      })(),
  },
  {
    fault: "others are let in between check and write",
    foundBy: "Of calls at the same time that expect the same version, exactly one takes effect",
    make: () =>
      new (class extends NaiveStorage {
        override async commit(
          batches: Parameters<NaiveStorage["commit"]>[0],
        ): Promise<readonly CommitOutcome[]> {
          const { files } = this.state;
          await new Promise((resolve) => setImmediate(resolve));
          const checked = batches.filter(({ expect }) =>
            expect.every(({ key, version }) => (files.get(key)?.version ?? null) === version),
          );
          return await super.commit(checked.map((batch) => ({ ...batch, expect: [] })));
        }
      })(),
  },
];

/** Faults of files: what is kept of them. */
export const fileFaults: readonly PlantedFault[] = [
  {
    fault: "the executable bit is lost",
    foundBy: "The executable bit is kept, and copies say their own",
    make: rewriting((batch) => ({
      ...batch,
      putFiles: batch.putFiles.map((put) => ({ ...put, executable: false })),
    })),
  },
  {
    fault: "a copy takes the executable bit of its source",
    foundBy: "The executable bit is kept, and copies say their own",
    make: rewriting((batch, state) => ({
      ...batch,
      putFiles: batch.putFiles.map((put) =>
        "from" in put.content
          ? { ...put, executable: state.files.get(put.content.from)?.executable ?? false }
          : put,
      ),
    })),
  },
  {
    fault: "links become files",
    foundBy: "A symbolic link is kept as a link, with its target as bytes, also when nothing is there",
    make: rewriting((batch) => ({
      ...batch,
      putFiles: batch.putFiles.map((put) => ({ ...put, kind: "file" })),
    })),
  },
  {
    fault: "the version tells no more than the length",
    foundBy: "A version changes with bytes, also with bytes of the same length",
    make: spoiling((state, _batch, outcome) => {
      if (!outcome.committed) return outcome;
      for (const [path, file] of state.files)
        state.files.set(path, { ...file, version: `${file.bytes.length}` });
      const lengths = [...outcome.fileVersions.keys()].map((path) => [
        path,
        state.files.get(path)?.version ?? "",
      ]);
      return { ...outcome, fileVersions: new Map(lengths as [string, string][]) };
    }),
  },
  {
    fault: "a change of mode leaves the version",
    foundBy: "A change of the executable bit alone changes the version",
    make: spoiling((state, batch, outcome, before) => {
      for (const { path } of batch.putFiles) {
        const [was, is] = [before.files.get(path), state.files.get(path)];
        if (was && is && was.executable !== is.executable)
          state.files.set(path, { ...is, version: was.version });
      }
      return outcome;
    }),
  },
  {
    fault: "readers get the bytes of the storage itself",
    foundBy: "The bytes that a read gives are the reader's own",
    make: () =>
      new (class extends NaiveStorage {
        override async read(path: string, options: StorageReadOptions) {
          const [copy, file] = [await super.read(path, options), this.state.files.get(path)];
          return copy && file ? { ...copy, bytes: file.bytes } : undefined;
        }
      })(),
  },
  {
    fault: "puts from other paths see what the batch has written before them",
    foundBy: "Puts take the bytes that were there before the batch, so that two files can change places",
    make: rewriting((batch, state) => {
      const now = new Map([...state.files].map(([path, { bytes }]) => [path, bytes]));
      const putFiles = batch.putFiles.map((put) => {
        const { content } = put;
        const bytes =
          "from" in content ? now.get(content.from) : "bytes" in content ? content.bytes : undefined;
        if (bytes === undefined) return put;
        now.set(put.path, bytes);
        return { ...put, content: { bytes } };
      });
      return { ...batch, putFiles };
    }),
  },
  {
    fault: "a delete of a moved file is forgotten",
    foundBy: "A put from a path that the same batch deletes is a move",
    make: rewriting((batch) => {
      const sources = batch.putFiles.flatMap(({ content }) => ("from" in content ? [content.from] : []));
      return { ...batch, deleteFiles: batch.deleteFiles.filter((path) => !sources.includes(path)) };
    }),
  },
  {
    fault: "a name that objects inherit is taken for none",
    foundBy: "Names that objects inherit are names like any other",
    make: rewriting((batch) => ({
      ...batch,
      putFiles: batch.putFiles.filter(({ path }) => !path.includes("__proto__")),
    })),
  },
  {
    fault: "names are composed",
    foundBy: "Composed and decomposed letters are different names",
    make: rewriting((batch) => ({
      ...batch,
      putFiles: batch.putFiles.map((put) => ({ ...put, path: put.path.normalize("NFC") })),
    })),
  },
  {
    fault: "a change from outside leaves the version",
    foundBy: "A change by another program fails the version from before it, also at the same length",
    make: () =>
      new (class extends NaiveStorage {
        override writeOutside(path: string, bytes: Uint8Array | null) {
          const version = this.state.files.get(path)?.version;
          super.writeOutside(path, bytes);
          const file = this.state.files.get(path);
          if (file && version) this.state.files.set(path, { ...file, version });
        }
      })(),
  },
];

/** Faults of pruning and of opening again. */
export const lifeFaults: readonly PlantedFault[] = [
  {
    fault: "pruning takes one entry more",
    foundBy: "Pruning removes the entries before a number, and the rest stays chained",
    make: pruning((options) => ({ ...options, before: options.before + 1 })),
  },
  {
    fault: "pruning forgets what is to be kept",
    foundBy: "Contents that are to be kept stay, until a pruning lets them go",
    make: pruning((options) => ({ ...options, keep: new Set() })),
  },
  {
    fault: "pruning lets no content go",
    foundBy: "Contents that only pruned entries name are gone, those of kept entries stay",
    make: pruning((options, state) => {
      state.kept = state.log.flatMap((entry) => entry.contents);
      return { ...options, keep: { has: () => true } as unknown as ReadonlySet<string> };
    }),
  },
  {
    fault: "pruning removes all staged contents",
    foundBy: "Pruning removes the staged contents that it is given, and no others",
    make: pruning((options, state) => ({ ...options, staged: [...state.staged.keys()] })),
  },
  {
    fault: "nothing outlives closing",
    foundBy: "Everything that was committed is there after closing and opening again",
    make: () => new NaiveStorage(),
    reopen: () => new NaiveStorage(),
  },
  {
    fault: "the numbers of the log begin anew after opening again",
    foundBy: "Numbers and hashes of the log go on after opening again",
    make: () => new NaiveStorage(),
    reopen: (storage) => {
      storage.state.last = { sequence: 0, hash: "0".repeat(64) };
      return storage;
    },
  },
];
