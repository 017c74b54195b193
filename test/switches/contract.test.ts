import { join } from "node:path";
import {
  switchedFileSystem,
  switchedStorage,
  writePast,
} from "../support/file-systems/switched-file-system.ts";
import { type FileSystemSwitch, fileSystemSwitches } from "../support/file-systems/switches.ts";
import { runContract } from "../support/run-contract.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

function target(chosen: FileSystemSwitch) {
  return async () => {
    const { path: root, remove } = temporaryFolder("quick");
    const open = () => switchedStorage(chosen, root);
    const { isPatient = true } = chosen;
    // What another program has to wait for is its own matter.
    const outside = switchedFileSystem(isPatient ? chosen : { ...chosen, layers: () => [] });
    return {
      storage: open(),
      reopen: async () => open(),
      writeOutside: async (path: string, bytes: Uint8Array | null) =>
        writePast(outside, join(root, path), bytes),
      dispose: async () => remove(),
    };
  };
}

for (const [name, chosen] of Object.entries<FileSystemSwitch>(fileSystemSwitches)) {
  const { folds = false, lacks = [], unfit = {} } = chosen;
  const abilities = [
    "modes",
    "symlinks",
    "reopen",
    "writeOutside",
    "watch",
    ...(folds === false ? ["caseSensitive"] : folds === true ? ["caseInsensitive"] : []),
  ];
  runContract(
    `DirectoryStorage on a file system with ${name}`,
    target(chosen),
    abilities.filter((ability) => !lacks.some((lacking) => lacking === ability)),
    unfit,
  );
}
