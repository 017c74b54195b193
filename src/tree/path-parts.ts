/** Lists the folders that hold a path, outermost first: `a/b/c` is held by `a` and `a/b`. */
export function ancestorsOf(path: string): string[] {
  const ancestors: string[] = [];
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1))
    ancestors.push(path.slice(0, at));
  return ancestors;
}

/** The folder that holds a path; `""`, the root, for a path of one segment. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The last segment of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Says whether a path lies below a folder, at any depth; the root, `""`, holds every path. */
export function isBelow(path: string, folder: string): boolean {
  return folder === "" ? path !== "" : path.startsWith(`${folder}/`);
}

/** Orders texts by UTF-16 code units: the one order of paths everywhere. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
