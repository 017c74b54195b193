import { expect, it } from "vitest";
import { sayChoice } from "../../../src/mcp/say-choice.ts";

it.each([
  ["reed", 'must be one of "read", "write", but is "reed"; "read" is meant, perhaps'],
  ["xyz", 'must be one of "read", "write", but is "xyz"'],
  [undefined, 'is missing; it is one of "read", "write"'],
  [7, 'must be one of "read", "write", but is of type number'],
  ["x".repeat(65), 'must be one of "read", "write", but is a text of 65 characters'],
])("says what is wrong with %j", (value, words) => {
  expect(sayChoice(value, ["read", "write"])).toBe(words);
});
