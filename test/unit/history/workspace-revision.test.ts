import { expect, test } from "vitest";
import { formatWorkspaceRevision, parseWorkspaceRevision } from "../../../src/history/workspace-revision.ts";

const hash = "0123456789abcdef".repeat(4);

test.each([0, 1, 7, 123_456])("what was formatted for entry %i can be read again", (sequence) => {
  const parsed = parseWorkspaceRevision(formatWorkspaceRevision(sequence, hash));
  expect(parsed).toEqual({ sequence, hashStart: sequence === 0 ? "" : "0123456789abcdef" });
});

test.each(["", "7", "r", "r01-0123456789abcdef", "r7", "r7-0123", "r7-0123456789ABCDEF", "r-1", " r0"])(
  "%j is no workspace revision",
  (text) => {
    expect(parseWorkspaceRevision(text)).toBeUndefined();
  },
);
