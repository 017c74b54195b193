import * as fs from "node:fs";
import type { FolderWatching } from "./folder-watching.ts";

const { platform } = process;
const wholeTrees = platform === "darwin" || platform === "win32";

/**
 * How this machine tells of changes; `undefined` where it tells only which names come and go.
 *
 * On Linux Node has a recursive watch too, but that one watches each file by its inode and hears nothing more of a name whose file has been
 * replaced, leaves out what it may not watch without a word, and needs one kernel watch for each file. So folders are watched there.
 */
export const nodeFolderWatching: FolderWatching | undefined =
  wholeTrees || platform === "linux"
    ? {
        wholeTrees,
        start: (path, listener) => {
          // An event of the folder itself has the last segment of its path for a name, which could be one of its files.
          const watched = wholeTrees ? path : `${path}/.`;
          const watcher = fs.watch(watched, { persistent: false, recursive: wholeTrees });
          watcher.on("change", (event, name) =>
            listener.changed(event === "change" ? event : "rename", name === null ? null : String(name)),
          );
          watcher.on("error", () => {
            watcher.close();
            listener.failed();
          });
          return () => watcher.close();
        },
      }
    : undefined;
