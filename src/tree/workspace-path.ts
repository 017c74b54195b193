import { utf8 } from "../base/bytes.ts";
import { protectedName } from "./protected-name.ts";
import { quotePath } from "./quote-path.ts";

declare const checked: unique symbol;

/** A path that has been checked: relative, `/`-separated, inside the root; `""` is the root itself and only a folder. */
export type WorkspacePath = string & { readonly [checked]: true };

/** Why a text is no path of a workspace. */
export interface PathProblem {
  /** Malformed, or not to be touched. */
  readonly code: "INVALID_PATH" | "PROTECTED_PATH";
  /** What is wrong, with the path in quotes. */
  readonly message: string;
}

/** A checked path, or what is wrong with it. */
export type ParsedPath =
  | { readonly path: WorkspacePath; readonly problem?: undefined }
  | { readonly path?: undefined; readonly problem: PathProblem };

/** How a path is read. */
export interface ParsePathOptions {
  /** Takes the path for a folder: one trailing `/` is dropped, and `""`, `"."` and `"./"` are the root. Default: false. */
  readonly folder?: boolean | undefined;
}

const longestPath = 4096;
const mostSegments = 256;
const longestSegment = 255;

/**
 * Checks a path that came from outside and gives its one spelling: a leading `./` is dropped, nothing else is repaired. What it accepts it
 * accepts again unchanged.
 *
 * @param input - The path as the caller wrote it.
 * @param options - `folder` for arguments that name a folder.
 */
export function parseWorkspacePath(input: string, options: ParsePathOptions = {}): ParsedPath {
  const folder = options.folder === true;
  if (folder && (input === "" || input === "." || input === "./")) return { path: "" as WorkspacePath };
  // Before anything that takes time in proportion to the length.
  if (input.length > longestPath) return tooLong(input);
  let path = input.startsWith("./") ? input.slice(2) : input;
  if (folder && path.endsWith("/")) path = path.slice(0, -1);
  const malformed = describeMalformed(path, folder);
  if (malformed !== undefined) return invalid(input, malformed);
  if (utf8(path).byteLength > longestPath) return tooLong(input);
  const segments = path.split("/");
  if (segments.length > mostSegments)
    return invalid(input, `has ${segments.length} segments, more than ${mostSegments}`);
  for (const segment of segments) {
    const trouble = describeSegment(segment);
    if (trouble !== undefined) return invalid(input, trouble);
  }
  for (const segment of segments) {
    const name = protectedName(segment);
    if (name !== undefined) {
      const message = `The path ${quotePath(input)} names ${quotePath(name)}, which no call may touch; choose another path.`;
      return { problem: { code: "PROTECTED_PATH", message } };
    }
  }
  return { path: path as WorkspacePath };
}

function describeMalformed(path: string, folder: boolean): string | undefined {
  if (path === "") return "is empty";
  // A lone surrogate is a code point of its own only outside a pair, which the flag u sees.
  if (/[\ud800-\udfff]/u.test(path)) return "holds half of a surrogate pair";
  if (/\p{Cc}/u.test(path)) return "holds a control character";
  if (path.includes("\\")) return "holds a backslash; separate folders with /";
  if (path.startsWith("/")) return "is absolute; give it relative to the root";
  if (/^.:/su.test(path)) return "begins with a drive letter; give it relative to the root";
  if (!folder && path.endsWith("/")) return "ends in a slash; name a file";
  return undefined;
}

function describeSegment(segment: string): string | undefined {
  if (segment === "") return "has an empty segment";
  if (segment === "." || segment === "..") return `has a ${quotePath(segment)} segment`;
  if (segment.length * 3 > longestSegment && utf8(segment).byteLength > longestSegment)
    return `has a segment of ${utf8(segment).byteLength} bytes, more than ${longestSegment}`;
  return undefined;
}

function tooLong(input: string): ParsedPath {
  return invalid(input, `is longer than ${longestPath} bytes`);
}

function invalid(input: string, trouble: string): ParsedPath {
  return { problem: { code: "INVALID_PATH", message: `The path ${quotePath(input)} ${trouble}.` } };
}
