/** How a directory storage is set up. */
export interface DirectoryStorageOptions {
  /** The folder to work in; must exist. Links in its path are resolved once, at opening. */
  readonly root: string;
  /** The state folder, on the same file system. Default: `.holdfast` in the root. */
  readonly stateDir?: string | undefined;
  /** `"power"`: what is committed outlives a power cut. `"process"`: it outlives the end of the process only. Default: `"power"`. */
  readonly durability?: "power" | "process" | undefined;
  /** A file with other hard links gets a file of its own and the others keep the old bytes, or the change is refused. Default: `"break"`. */
  readonly hardLinks?: "break" | "refuse" | undefined;
}
