import fc from "fast-check";
import { type ListedEntry, type ListOptions, Workspace } from "holdfast";
import { expect, test } from "vitest";
import { runsHere } from "../support/grounds/runs-here.ts";
import { testStorage } from "../support/grounds/test-storage.ts";
import { collect } from "../support/refusal.ts";

const name = fc.constantFrom("a", "a-", "a.b", "b", "c", "~");
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

/** Trees in which no path is both a file and a folder. */
const tree = fc
  .uniqueArray(path, { maxLength: 14 })
  .map((paths) => paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`))));

const options = fc.record(
  {
    under: fc.oneof(fc.constant(""), path),
    depth: fc.integer({ min: 1, max: 3 }),
    exclude: fc.uniqueArray(name, { maxLength: 2 }),
    glob: fc.constantFrom("**", "*", "a*", "a/**", "*/*", "{a,b}/*"),
  },
  { requiredKeys: [] },
);

const depthOf = (one: string, under: string) =>
  (under === "" ? one : one.slice(under.length + 1)).split("/").length;

/** What a listing must give, said in the plainest way. */
function expected(
  files: readonly string[],
  { under = "", depth = 99, exclude = [], glob = "**" }: ListOptions,
): string[] {
  const entries = new Set<string>();
  for (const file of files) {
    const names = file.split("/");
    for (let length = 1; length < names.length; length++) entries.add(`${names.slice(0, length).join("/")}/`);
    entries.add(file);
  }
  const patterns: Record<string, RegExp> = {
    "**": /^/,
    "*": /^/,
    "a*": /(^|\/)a[^/]*$/,
    "a/**": /^a(\/|$)/,
    "*/*": /^[^/]+\/[^/]+$/,
    "{a,b}/*": /^[ab]\/[^/]+$/,
  };
  return [...entries].sort().filter((entry) => {
    const plain = entry.replace(/\/$/, "");
    if (under !== "" && !plain.startsWith(`${under}/`)) return false;
    if (depthOf(plain, under) > depth) return false;
    if (plain.split("/").some((part) => exclude.includes(part))) return false;
    return patterns[glob as string]?.test(plain);
  });
}

const spelled = ({ path: plain, kind }: ListedEntry) => (kind === "directory" ? `${plain}/` : plain);

async function open(files: readonly string[]): Promise<Workspace> {
  const storage = testStorage({ files: Object.fromEntries(files.map((file) => [file, "x"])) });
  return await Workspace.open(storage, { mode: "inspectionOnly" });
}

test("a listing gives what the plainest reading of its options gives, in the order of paths", async () => {
  await fc.assert(
    fc.asyncProperty(tree, options, async (files, asked) => {
      const workspace = await open(files);
      const listed = (await collect(workspace.list(asked))).map(spelled);
      expect(listed).toEqual(expected(files, asked));
    }),
    { numRuns: runsHere(500) },
  );
});

test("pages of any size, each going on after the last entry of the one before, make the listing", async () => {
  await fc.assert(
    fc.asyncProperty(tree, options, fc.integer({ min: 1, max: 4 }), async (files, asked, limit) => {
      const workspace = await open(files);
      const pages: string[] = [];
      for (let after: string | undefined; ; ) {
        const page = await collect(workspace.list({ ...asked, limit, after }));
        pages.push(...page.map(spelled));
        if (page.length < limit) break;
        after = page.at(-1)?.path;
      }
      expect(pages).toEqual(expected(files, asked));
    }),
    { numRuns: runsHere(300) },
  );
});
