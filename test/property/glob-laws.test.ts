import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesGlob, parseGlob } from "../../src/core/glob.ts";

const part = fc
  .array(fc.constantFrom("a", "b", "*", "?", "+"), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.join(""));
const glob = fc.array(fc.oneof({ weight: 3, arbitrary: part }, { weight: 1, arbitrary: fc.constant("**") }), {
  minLength: 1,
  maxLength: 4,
});
const path = fc
  .array(
    fc
      .array(fc.constantFrom("a", "b", "+"), { minLength: 1, maxLength: 5 })
      .map((letters) => letters.join("")),
    { minLength: 1, maxLength: 5 },
  )
  .map((names) => names.join("/"));

/** The same glob as a regular expression: slow on bad shapes, and plainly right. */
function patternOf(segments: readonly string[]): RegExp {
  const anchored = segments.length > 1 ? segments : ["**", ...segments];
  const spelled = anchored.map((segment) => {
    if (/^\*\*$/.test(segment)) return "(?:[^/]+/)*";
    const names = segment.replaceAll("+", "\\+").replaceAll("?", "[^/]").replaceAll(/\*+/g, "[^/]*");
    return `${names}/`;
  });
  return new RegExp(`^${spelled.join("")}$`);
}

test("a glob matches what the regular expression that it stands for matches", () => {
  fc.assert(
    fc.property(glob, path, (segments, one) => {
      const matched = matchesGlob(parseGlob(segments.join("/")), one);
      expect(matched).toBe(patternOf(segments).test(`${one}/`));
    }),
    { numRuns: 5000 },
  );
});

test("braces match what one of their choices matches", () => {
  fc.assert(
    fc.property(part, part, part, path, (before, one, other, target) => {
      const either = matchesGlob(parseGlob(`${before}{${one},${other}}`), target);
      const each = [one, other].some((choice) => matchesGlob(parseGlob(before + choice), target));
      expect(either).toBe(each);
    }),
  );
});
