import type { TextPage } from "../schema/read-results.ts";

/**
 * Shows the lines of a page with their numbers: right-aligned, a tab, the line without its end; as tools show files to models.
 *
 * @param page - What `readLines` gave.
 * @returns One line for each line of the page; empty for a page without lines.
 */
export function numberLines(page: TextPage): string {
  if (page.endLine < page.startLine) return "";
  const lines = page.text.split(/\r?\n/);
  const width = String(page.endLine).length;
  const count = page.endLine - page.startLine + 1;
  return lines
    .slice(0, count)
    .map((line, index) => `${String(page.startLine + index).padStart(width)}\t${line}`)
    .join("\n");
}
