import { HoldfastError, isHoldfastError } from "../../base/holdfast-error.ts";
import { errorNumber, type FileSystem } from "./file-system.ts";
import { fileSystemError } from "./file-system-error.ts";

/** What telling a damaged state folder from other trouble needs. */
export interface StateErrorHost {
  readonly fileSystem: FileSystem;
  readonly state: { readonly path: string };
}

const signs: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ELOOP", "ESPIPE"]);

/** Makes a refusal of what the platform threw, and says so when the reason is a state folder that was removed or damaged. */
export function storageError(host: StateErrorHost, error: unknown, doing: string): HoldfastError {
  return fileSystemError(orDamage(host, error), doing);
}

/** The refusal of a state folder that somebody has removed or damaged, where that is what an error comes from; else the error itself. */
export function orDamage(host: StateErrorHost, error: unknown): unknown {
  const part = isHoldfastError(error) ? undefined : damagedPart(host, error);
  if (part === undefined) return error;
  return new HoldfastError("STORAGE_FAILED", {
    message: `The state folder was removed or damaged: ${part}. The files of the workspace are untouched; restore the state folder, or remove it to begin a new history, then close this workspace and open it again.`,
    cause: error,
  });
}

/** What is wrong with the part of the state folder that an error names; `undefined` when nothing is. */
function damagedPart({ fileSystem, state }: StateErrorHost, error: unknown): string | undefined {
  const number = errorNumber(error);
  if (!signs.has(number)) return undefined;
  const { path, dest } = error as { readonly path?: unknown; readonly dest?: unknown };
  try {
    for (const at of [path, dest]) {
      if (typeof at !== "string" || !`${at}/`.startsWith(`${state.path}/`)) continue;
      const names = at.slice(state.path.length + 1).split("/");
      for (let count = 0; count < names.length; count++) {
        const name = names.slice(0, count).join("/");
        const kind = fileSystem.lstat(count === 0 ? state.path : `${state.path}/${name}`)?.kind;
        if (kind !== "directory") return count === 0 ? wrongRoot(kind) : wrongPart(name, kind);
      }
      const kind = fileSystem.lstat(at)?.kind;
      const isAsItShould = number === "ENOTDIR" ? kind === "directory" : kind === "file";
      if (kind === undefined ? at === path && dest === undefined : !isAsItShould)
        return wrongPart(names.join("/"), kind);
    }
  } catch {
    // What cannot be looked at is not known to be damaged.
  }
  return undefined;
}

function wrongRoot(kind: string | undefined): string {
  return kind === undefined ? "it is gone" : "it is no folder";
}

function wrongPart(name: string, kind: string | undefined): string {
  return kind === undefined ? `"${name}" in it is gone` : `"${name}" in it is not what the library made`;
}
