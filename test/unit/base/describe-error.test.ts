import { describe, expect, it } from "vitest";
import { describeError } from "../../../src/base/describe-error.ts";
import { errorCodes } from "../../../src/base/error-codes.ts";
import { HoldfastError, type Problem } from "../../../src/base/holdfast-error.ts";

const byteLength = (text: string) => new TextEncoder().encode(text).byteLength;

const manyProblems: Problem[] = Array.from({ length: 50 }, (_, index) => ({
  code: "LINE_OUT_OF_RANGE",
  message: `startLine ${index} is outside the file 🟢, which has 3 lines.`,
  changeIndex: 0,
  editIndex: index,
  path: "src/a.ts",
}));

describe("describeError", () => {
  it("tells message, place, effect and next step", () => {
    const message = 'The file "a.txt" is not at that revision.';
    const error = new HoldfastError("REVISION_MISMATCH", {
      message,
      problems: [{ code: "REVISION_MISMATCH", message, changeIndex: 1, path: "a.txt" }],
    });
    expect(describeError(error).split("\n")).toEqual([
      `REVISION_MISMATCH: ${message}`,
      '- in change 1, "a.txt"',
      "Nothing was written.",
      `Next: call read. ${errorCodes.REVISION_MISMATCH.next.instruction}`,
    ]);
  });

  it("names tools in place of methods, and no method that has no tool", () => {
    const error = new HoldfastError("REVISION_MISMATCH");
    expect(describeError(error, { toolNames: { read: "read_file" } })).toContain(
      "Next: call read_file. Read",
    );
    expect(describeError(error, { toolNames: {} })).toContain("Next: Read the file again");
  });

  it("gives every problem a line with its indexes and path", () => {
    const problems: Problem[] = [
      { code: "NOT_FOUND", message: "No file.", changeIndex: 0, path: 'odd"\n.txt' },
      { code: "EMPTY_OLD_TEXT", message: "Empty.", changeIndex: 2, editIndex: 1 },
    ];
    const text = describeError(new HoldfastError("NOT_FOUND", { problems }));
    expect(text).toContain('- change 0, "odd\\"\\n.txt": NOT_FOUND: No file.');
    expect(text).toContain("- change 2, edit 1: EMPTY_OLD_TEXT: Empty.");
  });

  it.each([
    ["no", "Nothing was written."],
    ["yes", "Something was written."],
    ["unknown", "It is not known whether anything was written."],
  ] as const)("says what was written: %s", (written, line) => {
    expect(describeError(new HoldfastError("STORAGE_FAILED", { written }))).toContain(line);
  });

  it("counts the problems that there is no room for, and keeps the next step", () => {
    const text = describeError(new HoldfastError("LINE_OUT_OF_RANGE", { problems: manyProblems }), {
      maxBytes: 1000,
    });
    const shown = text.split("\n").filter((line) => line.startsWith("- change")).length;
    expect(shown).toBeGreaterThan(3);
    expect(text).toContain(`- and ${50 - shown} more`);
    expect(text).toContain("Next: call readLines.");
    expect(byteLength(text)).toBeLessThanOrEqual(1000);
  });

  it("keeps to the bound at the end of a character, whatever the bound", () => {
    const error = new HoldfastError("LINE_OUT_OF_RANGE", {
      message: "🟢".repeat(40),
      problems: manyProblems,
    });
    for (let maxBytes = 0; maxBytes < 700; maxBytes++) {
      const text = describeError(error, { maxBytes });
      expect(byteLength(text)).toBeLessThanOrEqual(maxBytes);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }
    expect(
      byteLength(describeError(new HoldfastError("INTERNAL", { message: "x".repeat(9999) }))),
    ).toBeLessThanOrEqual(4096);
  });

  it.each([
    ["an error of the platform", new Error("EACCES: /srv/secret/file")],
    ["a text", "secret"],
    ["nothing", undefined],
    ["null", null],
    [
      "an object that throws",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("secret");
          },
        },
      ),
    ],
  ])("shows nothing of %s but a correlation id", (_, error) => {
    const text = describeError(error);
    expect(text).toMatch(/^UNHANDLED_EXCEPTION: /);
    expect(text).toMatch(/Correlation id: corr_[0-9a-f]{24}/);
    expect(text).not.toContain("secret");
  });
});
