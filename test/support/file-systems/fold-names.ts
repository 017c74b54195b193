import type { FileSystem } from "../../../src/storage/directory/file-system.ts";
import type { FileSystemLayer } from "./file-system-layer.ts";

/** How a file system takes names for one another. */
export interface NameRules {
  /** What names have in common that are one. */
  readonly keyOf: (name: string) => string;
  /** How a new name is written down. Default: as given. */
  readonly stored?: (name: string) => string;
  /** Whether a rename onto a file in another spelling leaves that spelling, and a rename of a file to another spelling of its own name does nothing. */
  readonly keepsSpelling?: boolean;
}

const composed = (name: string) => name.normalize("NFC");
const upper = (name: string) =>
  [...name]
    .map((letter) => (letter.toUpperCase().length === letter.length ? letter.toUpperCase() : letter))
    .join("");

/** Kinds of names that common file systems have. */
export const nameRules = {
  /** Case folds letter by letter, Unicode forms do not: NTFS, exFAT. */
  "case-folds": { keyOf: upper },
  /** Case folds fully (`ß` is `ss`) and so do Unicode forms: APFS as it comes. */
  "case-and-form-fold": { keyOf: (name) => composed(composed(name).toUpperCase().toLowerCase()) },
  /** Unicode forms fold, case does not: APFS made case-sensitive. */
  "form-folds": { keyOf: composed },
  /** Names come back decomposed, and case folds: HFS+. */
  "names-decompose": {
    keyOf: (name) => composed(upper(composed(name))),
    stored: (name) => name.normalize("NFD"),
  },
  /** Case and form fold, and a name once given keeps its spelling: folded folders of ext4 and F2FS. */
  "spelling-stays": {
    keyOf: (name) => composed(composed(name).toUpperCase().toLowerCase()),
    keepsSpelling: true,
  },
} as const satisfies Readonly<Record<string, NameRules>>;

/** Makes names one that a kind of file system takes for one. It keeps the first spelling of each. */
export function foldNames(rules: NameRules): FileSystemLayer {
  return (inner) => {
    const place = (path: string) => resolve(inner, rules, path);
    return {
      ...inner,
      open: (path, how) => inner.open(place(path), how),
      create: async (path, mode) => await inner.create(place(path), mode),
      lstat: (path) => inner.lstat(place(path)),
      readdir: (path) => inner.readdir(place(path)),
      mkdir: (path, mode) => inner.mkdir(place(path), mode),
      rmdir: (path) => inner.rmdir(place(path)),
      unlink: (path) => inner.unlink(place(path)),
      link: (from, to) => inner.link(place(from), place(to)),
      symlink: (target, path) => inner.symlink(target, place(path)),
      readlink: (path) => inner.readlink(place(path)),
      realpath: (path) => inner.realpath(place(path)),
      copy: async (from, to) => await inner.copy(place(from), place(to)),
      rename: (from, to) => {
        const [source, target] = [place(from), place(to)];
        const wanted = `${folderOf(target)}/${stored(rules, nameOf(to))}`;
        if (rules.keepsSpelling === true) return source === target ? undefined : inner.rename(source, target);
        if (source !== target) inner.rename(source, target);
        if (target !== wanted) inner.rename(target, wanted);
      },
    };
  };
}

function stored(rules: NameRules, name: string): string {
  return rules.stored?.(name) ?? name;
}

/** The path as it is spelled on the disk; what is not there gets the spelling that it would be made with. */
function resolve(inner: FileSystem, rules: NameRules, path: string): string {
  const name = nameOf(path);
  if (path === "" || name === "" || name === ".") return path;
  if (inner.lstat(path) !== undefined && stored(rules, name) === name) return path;
  const folder =
    inner.lstat(folderOf(path)) === undefined ? resolve(inner, rules, folderOf(path)) : folderOf(path);
  return `${folder}/${spellingIn(inner, rules, folder, name) ?? stored(rules, name)}`;
}

function spellingIn(inner: FileSystem, rules: NameRules, folder: string, name: string): string | undefined {
  const key = rules.keyOf(name);
  try {
    return inner.readdir(folder).find((entry) => rules.keyOf(entry.name) === key)?.name;
  } catch {
    // What cannot be listed holds no name; the call itself says what is wrong.
    return undefined;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
