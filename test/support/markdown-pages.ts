import { readRepositoryFile, repositoryFiles } from "./source-files.ts";

/** A fenced block of TypeScript, with the blocks that it continues put before it. */
export interface CodeFence {
  /** The page, relative to the repository root. */
  readonly page: string;
  /** The 1-based line of the first line of code. */
  readonly line: number;
  readonly code: string;
}

/** A link of a page. */
export interface PageLink {
  readonly page: string;
  readonly line: number;
  readonly target: string;
}

/** Lists the Markdown pages that are written for readers. */
export function markdownPages(): readonly string[] {
  return repositoryFiles().filter((file) => file.endsWith(".md") && !file.startsWith("etc/"));
}

/**
 * Finds the blocks marked `ts` of a page.
 *
 * A block marked `ts continue` goes on where the block before it ended, so its code begins with that block's; lines keep
 * their numbers of the page by blank lines in between.
 */
export function codeFences(page: string, text = readRepositoryFile(page)): readonly CodeFence[] {
  const fences: CodeFence[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index += 1) {
    const opening = /^```ts( continue)?\s*$/.exec(lines[index] ?? "");
    if (opening === null) continue;
    const start = index + 1;
    let end = start;
    while (end < lines.length && lines[end] !== "```") end += 1;
    const body = lines.slice(start, end).join("\n");
    const previous = opening[1] === undefined ? undefined : fences.pop();
    if (opening[1] !== undefined && previous === undefined) {
      throw new Error(`${page}:${index + 1} continues a block, but there is none before it.`);
    }
    fences.push(
      previous === undefined ? { page, line: start + 1, code: body } : continued(previous, body, start),
    );
    index = end;
  }
  return fences;
}

function continued(previous: CodeFence, body: string, start: number): CodeFence {
  const lineCount = previous.code.split("\n").length;
  const gap = start + 1 - previous.line - lineCount;
  return { ...previous, code: `${previous.code}${"\n".repeat(gap + 1)}${body}` };
}

/** Finds the links of a page, outside of code. */
export function pageLinks(page: string, text = readRepositoryFile(page)): readonly PageLink[] {
  let inFence = false;
  return text.split("\n").flatMap((line, index) => {
    if (line.startsWith("```")) inFence = !inFence;
    if (inFence) return [];
    const prose = line.replace(/`[^`]*`/g, "");
    return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => ({
      page,
      line: index + 1,
      target: match[1] ?? "",
    }));
  });
}

/** Lists the anchors of a page's headings, as Git hosts make them. */
export function headingAnchors(text: string): ReadonlySet<string> {
  const headings = text.matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map((match) =>
      (match[1] ?? "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replace(/ /g, "-"),
    ),
  );
}
