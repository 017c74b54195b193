import { assertCommitted, assertEqual, assertTrue } from "./assertions.ts";
import type { ContractCheck } from "./contract-check.ts";
import { put } from "./contract-session.ts";
import { ToldPaths } from "./told-paths.ts";

/** Claims about telling of changes by other programs. Each waits for what is told, however long that takes. */
export const watchChecks: readonly ContractCheck[] = [
  {
    name: "The capability of watching says whether there is a watch",
    check: async ({ storage }) => {
      assertEqual(storage.capabilities.watch, storage.watch !== undefined, "The capability");
    },
  },
  {
    name: "A watch tells of files that another program makes, changes and removes, and their new state can be read then",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const told = new ToldPaths(session);
      await told.change("a", "made");
      await told.change("a", "changed");
      await told.change("a", null);
      await told.change("a", "made again");
    },
  },
  {
    name: "A watch tells of files in new folders, at any depth, and goes on telling of them",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const told = new ToldPaths(session);
      await told.change("new/folder/deep/a", "made");
      await told.change("new/folder/deep/a", "changed");
      await told.change("new/folder/b", "made");
      await told.change("new/folder/deep/a", null);
    },
  },
  {
    name: "A watch tells of files that were there when it began, in folders too",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "ours"), put("folder/deep/b", "ours")] });
      await session.writeOutside("folder/c", "theirs");
      const told = new ToldPaths(session);
      await told.change("folder/deep/b", "changed");
      await told.change("folder/c", "changed");
      await told.change("a", null);
    },
  },
  {
    name: "A watch tells of changes to files that a commit has replaced, made or moved since it began",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "1"), put("moved", "1")] });
      const told = new ToldPaths(session);
      await session.write({
        putFiles: [put("a", "2"), put("new/b", "2"), { ...put("new/c", ""), content: { from: "moved" } }],
        deleteFiles: ["moved"],
      });
      // What is told of the commit itself has been told when this has.
      await told.change("marker", "1");
      for (const path of ["a", "new/b", "new/c"]) {
        await told.change(path, "theirs");
        await told.change(path, "hers");
      }
    },
  },
  {
    name: "Each of many files that change at once is told",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const paths = Array.from({ length: 40 }, (_, index) => `folder-${index % 4}/file-${index}`);
      await Promise.all(paths.map((path) => session.writeOutside(path, "1")));
      const told = new ToldPaths(session);
      const all = told.next(...paths);
      await Promise.all(paths.map((path) => session.writeOutside(path, "22")));
      await all;
    },
  },
  {
    name: "What is told are paths that calls take, while the storage commits too",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const told = new ToldPaths(session);
      for (const text of ["1", "2", "3"]) {
        await session.write({ putFiles: [put("folder/a", text), put(text, text)] });
        await told.change("folder/b", text);
      }
    },
  },
  {
    name: "Nobody is told within the call that makes the change or the one that begins the watch",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      let isCalling = true;
      let early = 0;
      const stop = new AbortController();
      const heard = new Promise<void>((resolve) => {
        session.watch(() => {
          if (isCalling) early += 1;
          resolve();
        }, stop.signal);
      });
      const written = session.writeOutside("a", "1");
      isCalling = false;
      await written;
      await heard;
      assertEqual(early, 0, "The calls within a call");
    },
  },
  {
    name: "After its signal a listener is told nothing more, and others still are",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const [first, second, third] = [1, 2, 3].map(() => new ToldPaths(session));
      await Promise.all([first?.change("a", "1"), second?.all("a"), third?.all("a")]);
      for (const gone of [first, third]) {
        gone?.stop();
        const { calls } = gone ?? {};
        await second?.change("a", "2");
        await second?.change("a", "3");
        assertEqual(gone?.calls, calls, "The calls after the signal");
      }
    },
  },
  {
    name: "A listener that throws harms neither the others nor the storage",
    needs: ["watch", "writeOutside"],
    check: async (session) => {
      const before = new ToldPaths(session);
      session.watch(() => {
        throw new Error("A listener threw this.");
      }, new AbortController().signal);
      const after = new ToldPaths(session);
      for (const text of ["1", "2"]) {
        const told = before.next("a");
        await after.change("a", text);
        await told;
      }
      const expect = await session.expectNow("a");
      assertCommitted(await session.commit({ expect, putFiles: [put("a", "ours")] }));
    },
  },
  {
    name: "Closing ends what was watched, and watching begins anew after opening again",
    needs: ["watch", "writeOutside", "reopen"],
    check: async (session) => {
      const before = new ToldPaths(session);
      await before.change("a", "1");
      await session.reopen();
      const { calls } = before;
      const after = new ToldPaths(session);
      await after.change("a", "2");
      await after.change("a", "3");
      assertTrue(before.calls === calls, "A listener was called after closing.");
    },
  },
  {
    name: "A storage that was opened for reading only tells of changes too",
    needs: ["watch", "writeOutside", "reopen"],
    check: async (session) => {
      await session.write({ putFiles: [put("a", "ours")] });
      await session.reopen({ readOnly: true });
      const told = new ToldPaths(session);
      await told.change("a", "theirs");
      await told.change("folder/b", "theirs");
    },
  },
];
