import { HoldfastError } from "../base/holdfast-error.ts";
import { Workspace } from "../core/workspace.ts";
import type { OpenOptions } from "../schema/open-options.ts";
import type { DirectoryStorageOptions } from "../storage/directory/directory-options.ts";
import { DirectoryStorage } from "../storage/directory/directory-storage.ts";

/** How a directory is opened as a workspace. */
export interface OpenDirectoryOptions extends OpenOptions, Omit<DirectoryStorageOptions, "root"> {}

/**
 * Opens a real directory as a workspace, making its state folder when there is none, and finishes what an interrupted commit left.
 *
 * @param root - The folder; must exist.
 * @param options - Of the workspace and of its storage; nothing is needed.
 * @throws {@link HoldfastError} `INVALID_ARGUMENT`, `NOT_FOUND`, `NOT_SUPPORTED`, `LOCKED`, `RECOVERY_PENDING` or `STORAGE_FAILED`; nothing stays open then.
 */
export async function openDirectory(root: string, options: OpenDirectoryOptions = {}): Promise<Workspace> {
  const given: unknown = options;
  if (typeof given !== "object" || given === null)
    throw new HoldfastError("INVALID_ARGUMENT", {
      message: "The options of openDirectory must be an object.",
    });
  const { stateDir, durability, hardLinks, ...workspace } = options;
  return await Workspace.open(new DirectoryStorage({ root, stateDir, durability, hardLinks }), workspace);
}
