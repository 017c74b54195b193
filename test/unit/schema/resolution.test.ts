import { describe, expect, test } from "vitest";
import { checkInput } from "../../../src/schema/check-input.ts";
import { conflictSchema } from "../../../src/schema/conflict.ts";
import { resolutionsSchema } from "../../../src/schema/resolution.ts";
import { conflictOf, lines } from "../../support/merge/tree-notation.ts";

function messagesOf(input: unknown): readonly string[] {
  const { problems = [] } = checkInput(resolutionsSchema, input, { name: "resolutions" });
  return problems.map(({ message }) => message);
}

describe("resolutions", () => {
  test("may be of files and regions with any name", () => {
    const input = JSON.parse('{"__proto__":{"take":"base"},"a":{"regions":{"__proto__":"current"}}}');
    const { value } = checkInput(resolutionsSchema, input, { name: "resolutions" });
    expect(Object.entries(value ?? {}).map(([path, one]) => [path, JSON.stringify(one)])).toEqual([
      ["__proto__", '{"take":"base"}'],
      ["a", '{"regions":{"__proto__":"current"}}'],
    ]);
  });

  test.each([
    [null, ['"resolutions" must be an object.']],
    [[], ['"resolutions" must be an object.']],
    [
      { a: { take: "ours" }, b: { delete: false } },
      [
        '"resolutions.a" must be { take }, { content }, { delete: true } or { regions }.',
        '"resolutions.b" must be { take }, { content }, { delete: true } or { regions }.',
      ],
    ],
    [
      { a: { take: "base", content: "x" } },
      ['"resolutions.a" must be { take }, { content }, { delete: true } or { regions }.'],
    ],
  ])("of another form are refused: %j", (input, messages) => {
    expect(messagesOf(input)).toEqual(messages);
  });
});

test("a conflict as the merge tells it passes its schema unchanged, also through JSON", () => {
  const conflict = conflictOf({ a: lines() }, { a: lines({ 2: "mine" }) }, { a: lines({ 2: "theirs" }) });
  expect(conflictSchema.parse(JSON.parse(JSON.stringify(conflict)))).toEqual(conflict);
});
