import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { countingFileSystem, simulatedHost } from "./crashing-host.ts";
import { writeTree } from "./directory-tree.ts";
import { makeBatch, openAdapter, type Wanted } from "./tree-batch.ts";

const large = "large ".repeat(50_000);

/** A tree to begin with. */
export const before: Parameters<typeof writeTree>[1] = {
  "replace.txt": "old\n",
  "private.txt": { text: "old secret\n", mode: 0o600 },
  "delete.txt": "gone soon\n",
  "folder/emptied/last.txt": "last\n",
  "move/from.txt": { text: "moved\n", mode: 0o755 },
  "script.sh": "#!/bin/sh\n",
  "file-to-folder": "file\n",
  "folder-to-file/a.txt": "a\n",
  "untouched/é.txt": "stays\n",
};

/** What the commit does: create, replace, delete, move, make and empty folders, swap file and folder, set a mode, write much. */
export const wanted: Wanted = {
  "create.txt": "new\n",
  "made/deep/create.txt": "new too\n",
  "replace.txt": "new\n",
  "private.txt": "new secret\n",
  "delete.txt": null,
  "folder/emptied/last.txt": null,
  "move/from.txt": null,
  "move/to/here.txt": { from: "move/from.txt", executable: true },
  "script.sh": { text: "#!/bin/sh\n", executable: true },
  "file-to-folder": null,
  "file-to-folder/inside.txt": "inside\n",
  "folder-to-file/a.txt": null,
  "folder-to-file": "now a file\n",
  "large.bin": large,
};

/** The tree that it leaves, but for what it does not touch. */
export const afterwards: Record<string, string> = {
  "create.txt": "644 new\n",
  "made/deep/create.txt": "644 new too\n",
  "replace.txt": "644 new\n",
  "private.txt": "600 new secret\n",
  "move/to/here.txt": "755 moved\n",
  "script.sh": "755 #!/bin/sh\n",
  "file-to-folder/inside.txt": "644 inside\n",
  "folder-to-file": "644 now a file\n",
  "large.bin": `644 ${large}`,
};

/** What each scenario does before the commit in question. */
export const scenarios = {
  "on files of other programs": async (root: string, _fileSystem?: FileSystem) => writeTree(root, before),
  "on files of an earlier commit that is not sealed": async (root: string, fileSystem?: FileSystem) => {
    writeTree(root, before);
    const { storage } = await openAdapter(simulatedHost(countingFileSystem(fileSystem).fileSystem), root);
    const texts = Object.entries(before).map(([path, content]) => [
      path,
      {
        text: `${typeof content === "string" ? content : content.text}`,
        executable: path === "move/from.txt",
      },
    ]);
    const outcomes = await storage.commit([await makeBatch(storage, Object.fromEntries(texts))], {
      flush: true,
    });
    if (outcomes[0]?.committed !== true) throw new Error("the earlier commit was refused");
  },
};
