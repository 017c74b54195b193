import { existsSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { expect, test } from "vitest";
import { headingAnchors, markdownPages, type PageLink, pageLinks } from "../support/markdown-pages.ts";
import { readRepositoryFile, repositoryRoot } from "../support/source-files.ts";

function linkProblem({ page, line, target }: PageLink): string | undefined {
  if (/^(https?|mailto):/.test(target)) return undefined;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.normalize(posix.join(dirname(page), decodeURIComponent(path)));
  const place = `${page}:${line}: ${target}`;
  if (file.startsWith("..") || !existsSync(join(repositoryRoot, file))) return `${place} does not exist`;
  if (anchor === undefined) return undefined;
  if (!statSync(join(repositoryRoot, file)).isFile()) return `${place} has an anchor in a folder`;
  return headingAnchors(readRepositoryFile(file)).has(anchor) ? undefined : `${place} names no heading`;
}

test("every link between pages leads to a file, and every anchor to a heading", () => {
  const links = markdownPages().flatMap((page) => pageLinks(page));
  expect(links.length).toBeGreaterThan(0);
  expect(links.flatMap((link) => linkProblem(link) ?? [])).toEqual([]);
});

test.each([
  ["README.md", "no-such-page.md", /does not exist/],
  ["docs/README.md", "../../outside.md", /does not exist/],
  ["README.md", "LICENSE#no-such-heading", /names no heading/],
  ["README.md", "docs#heading", /anchor in a folder/],
])("in %s a link to %s is a dead one", (page, target, problem) => {
  expect(linkProblem({ page, line: 1, target })).toMatch(problem);
});
