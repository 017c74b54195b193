import { describe, expect, it } from "vitest";
import { errorCategories } from "../../../src/base/error-code-entry.ts";
import { type ErrorCode, errorCodes } from "../../../src/base/error-codes.ts";
import {
  HoldfastError,
  invariant,
  isHoldfastError,
  type Problem,
  throwProblems,
} from "../../../src/base/holdfast-error.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];

function thrownBy(run: () => unknown): HoldfastError {
  try {
    run();
  } catch (error) {
    if (isHoldfastError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("HoldfastError", () => {
  it.each(codes)("takes category, retry rule and next step of %s from the table", (code) => {
    const error = new HoldfastError(code);
    const entry = errorCodes[code];
    expect(error).toMatchObject({
      code,
      category: entry.category,
      retry: entry.retry,
      message: entry.meaning,
    });
    expect(errorCategories).toContain(error.category);
    expect(error.continuation).toMatchObject({ kind: entry.next.kind, instruction: entry.next.instruction });
    if (error.continuation?.kind === "callTool") expect(error.continuation.tool).not.toBe("");
  });

  it("has itself as its only problem, wrote nothing and has a new correlation id, unless told otherwise", () => {
    const error = new HoldfastError("NOT_FOUND", { message: "No a.txt." });
    expect(error.problems).toEqual([{ code: "NOT_FOUND", message: "No a.txt." }]);
    expect(error.written).toBe("no");
    expect(error.correlationId).not.toBe(new HoldfastError("NOT_FOUND").correlationId);
    expect("cause" in error).toBe(false);
  });

  it("goes to JSON without cause and stack", () => {
    const error = new HoldfastError("STORAGE_FAILED", {
      cause: new Error("/srv/secret"),
      written: "unknown",
    });
    const json = error.toJSON();
    expect(json).toMatchObject({ name: "HoldfastError", code: "STORAGE_FAILED", written: "unknown" });
    expect(JSON.stringify(json)).not.toMatch(/secret|stack/);
  });
});

describe("isHoldfastError", () => {
  it("knows errors of another copy of the package by their mark", () => {
    const foreign = Object.assign(new Error("x"), {
      code: "LOCKED",
      [Symbol.for("holdfast.HoldfastError")]: true,
    });
    expect(isHoldfastError(foreign)).toBe(true);
    expect(isHoldfastError(foreign, "LOCKED")).toBe(true);
    expect(isHoldfastError(foreign, "NOT_FOUND")).toBe(false);
  });

  it.each([[new Error("x")], ["NOT_FOUND"], [null], [undefined], [{ code: "NOT_FOUND" }]])(
    "does not take %s for one",
    (value) => {
      expect(isHoldfastError(value)).toBe(false);
    },
  );
});

describe("throwProblems", () => {
  it("takes the code of the first category in rank and keeps the order of the problems", () => {
    const problems: Problem[] = [
      { code: "REVISION_MISMATCH", message: "moved on", changeIndex: 0 },
      { code: "LINE_OUT_OF_RANGE", message: "no such line", changeIndex: 1, details: { a: 1 } },
      { code: "PROTECTED_PATH", message: "not there", changeIndex: 2, details: { b: 2 } },
      { code: "EMPTY_OLD_TEXT", message: "empty", changeIndex: 3 },
    ];
    const error = thrownBy(() => throwProblems(problems, { written: "unknown" }));
    expect(error).toMatchObject({ code: "PROTECTED_PATH", details: { b: 2 }, written: "unknown" });
    expect(error.message).toBe("not there (and 3 more problems)");
    expect(error.problems.map(({ changeIndex }) => changeIndex)).toEqual([0, 1, 2, 3]);
    expect(error.problems.every((problem) => !("details" in problem))).toBe(true);
  });

  it("takes the earlier of two problems of one category", () => {
    const problems: Problem[] = [
      { code: "EMPTY_OLD_TEXT", message: "first" },
      { code: "INVALID_PATH", message: "second" },
    ];
    expect(thrownBy(() => throwProblems(problems)).message).toBe("first (and 1 more problem)");
  });
});

describe("invariant", () => {
  it.each([[true], [0], [""], [{}]])("lets %j pass", (claim) => {
    expect(() => invariant(claim, "x")).not.toThrow();
  });

  it.each([[false], [undefined], [null]])("refuses %j as INTERNAL", (claim) => {
    expect(thrownBy(() => invariant(claim, "broken"))).toMatchObject({ code: "INTERNAL", message: "broken" });
  });
});
