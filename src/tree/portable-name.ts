import { ancestorsOf, nameOf } from "./path-parts.ts";
import { quotePath } from "./quote-path.ts";

/** Device names of Windows, which win over files of that name in every folder and with every extension. */
const reservedStem = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

/**
 * Says what keeps one name from working on every platform; `undefined` when nothing does. Only names that a change creates are held to this.
 */
export function portableNameProblem(name: string): string | undefined {
  const stem = name.replace(/[.:].*$/s, "").trimEnd();
  if (reservedStem.test(stem)) return `${quotePath(name)} is a device name on Windows`;
  const special = /[:<>"|?*]/.exec(name);
  if (special !== null)
    return `${quotePath(name)} holds ${special[0]}, which Windows does not allow in names`;
  if (/^\s/u.test(name)) return `${quotePath(name)} begins with a blank`;
  if (/[\s.]$/u.test(name)) return `${quotePath(name)} ends in a blank or a dot, which Windows drops`;
  return undefined;
}

/**
 * Says what keeps a path that is about to be created from working on every platform. Folders that exist already may keep their odd names.
 *
 * @param path - A checked path.
 * @param folderExists - Asked only for folders with an odd name.
 */
export function portablePathProblem(
  path: string,
  folderExists: (folder: string) => boolean,
): string | undefined {
  for (const node of [...ancestorsOf(path), path]) {
    const trouble = portableNameProblem(nameOf(node));
    if (trouble !== undefined && (node === path || !folderExists(node))) return trouble;
  }
  return undefined;
}

/** Lists the folders of a path whose names are odd: those that `portablePathProblem` asks about. */
export function oddlyNamedFolders(path: string): string[] {
  return ancestorsOf(path).filter((folder) => portableNameProblem(nameOf(folder)) !== undefined);
}
