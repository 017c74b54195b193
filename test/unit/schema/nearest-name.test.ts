import { expect, test } from "vitest";
import { nearestName } from "../../../src/schema/nearest-name.ts";

const known = ["path", "content", "startLine", "endLine", "idempotencyKey"];

test.each([
  ["start_line", "startLine"],
  ["StartLine", "startLine"],
  ["star_line", "startLine"],
  ["pth", "path"],
  ["contents", "content"],
  ["idempotency-key", "idempotencyKey"],
])("takes %s for %s", (wrong, meant) => {
  expect(nearestName(wrong, known)).toBe(meant);
});

test.each(["bananas", "x", "", "q".repeat(10_000)])(
  "takes a name like %j for none of the known ones",
  (wrong) => {
    expect(nearestName(wrong, known)).toBeUndefined();
  },
);
