import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foldCase } from "../../src/tree/fold-case.ts";
import { pathKey } from "../../src/tree/path-key.ts";
import { parseWorkspacePath } from "../../src/tree/workspace-path.ts";

const nasty = fc.constantFrom(
  "a",
  "B",
  ".",
  "..",
  "/",
  "\\",
  ":",
  " ",
  "~1",
  "git",
  ".git",
  "GIT",
  ".holdfast",
  "\u200c",
  "\u0000",
  "\ud800",
  "é",
  "e\u0301",
  "ß",
  "：",
  "．",
  "$INDEX_ALLOCATION",
);
const pathLike = fc.oneof(
  fc.array(nasty, { maxLength: 12 }).map((parts) => parts.join("")),
  fc
    .array(fc.oneof(nasty, fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 8 })
    .map((parts) => parts.join("/")),
  fc.string({ unit: "binary" }),
);

/** Where a path leads from `/root` when a platform resolves it. */
function resolve(path: string): string[] | "outside" {
  const at: string[] = [];
  for (const segment of path.split(/[/\\]/)) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") at.push(segment);
    else if (at.pop() === undefined) return "outside";
  }
  return at;
}

describe("parsing a path", () => {
  test.each([false, true])("is idempotent (folder: %s)", (folder) => {
    fc.assert(
      fc.property(pathLike, (input) => {
        const { path } = parseWorkspacePath(input, { folder });
        if (path !== undefined) expect(parseWorkspacePath(path, { folder })).toEqual({ path });
      }),
      { numRuns: 2000 },
    );
  });

  test("never leaves the root and gives one spelling, segment by segment", () => {
    fc.assert(
      fc.property(pathLike, (input) => {
        const { path } = parseWorkspacePath(input);
        if (path === undefined) return;
        expect(path.startsWith("/")).toBe(false);
        expect(resolve(path)).toEqual(path.split("/"));
        expect(/^.:|\p{Cc}/u.test(path)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test("never lets through a segment that folds to version control data", () => {
    const disguise = fc.array(fc.constantFrom("\u200c", "\u00ad", "\ufeff", ""), {
      minLength: 5,
      maxLength: 5,
    });
    const tail = fc.constantFrom("", ".", " ", ". .", ":x", "::$INDEX_ALLOCATION");
    const around = fc.constantFrom("", "a/", "a/b/");
    fc.assert(
      fc.property(
        disguise,
        tail,
        around,
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (marks, end, before, upper) => {
          const name = [...".git"]
            .map((letter, at) => marks[at] + (upper[at] ? letter.toUpperCase() : letter))
            .join("");
          expect(parseWorkspacePath(`${before}${name}${marks[4]}${end}/x`).problem?.code).toBe(
            "PROTECTED_PATH",
          );
        },
      ),
    );
  });
});

describe("the key of a path", () => {
  test("is its own key, and the same for every case and Unicode form", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const key = pathKey(text);
        expect(pathKey(key)).toBe(key);
        for (const form of ["NFC", "NFD"] as const) expect(pathKey(text.normalize(form))).toBe(key);
        expect(pathKey(text.toUpperCase())).toBe(key);
        expect(foldCase(text)).toBe(key);
      }),
      { numRuns: 2000 },
    );
  });

  test("of a folder begins the keys of what is in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (folder, name) => {
        expect(pathKey(`${folder}/${name}`)).toBe(`${pathKey(folder)}/${pathKey(name)}`);
      }),
      { numRuns: 2000 },
    );
  });
});
