import { describe, expect, test } from "vitest";
import { libraryLimits } from "../../../src/base/limits.ts";
import { applyOptionsSchema } from "../../../src/schema/apply-options.ts";
import { checkApply } from "../../../src/schema/check-apply.ts";
import { refusalOf } from "../../support/refusal.ts";

const limits = { ...libraryLimits, changes: 3, editsPerChange: 2 };

async function refusal(changes: unknown, options: unknown = {}, bounds = limits) {
  return await refusalOf(
    (async () => checkApply({ changes, optionsSchema: applyOptionsSchema, options }, bounds))(),
  );
}

const wrong = (count: number): unknown[] => Array.from({ length: count }, () => ({ action: "nothing" }));

describe("a list that is longer than its limit", () => {
  test("of changes is not looked into, while the options are", async () => {
    const error = await refusal(wrong(4), { dryrun: true });
    expect(error.problems.map(({ code }) => code)).toEqual(["LIMIT_EXCEEDED", "INVALID_ARGUMENT"]);
    expect((await refusal(wrong(4))).details).toEqual({ limit: "changes", maximum: 3, actual: 4 });
  });

  test("of edits is not looked into, while the rest is", async () => {
    const edit = { action: "edit", path: "a", edits: wrong(3) };
    const error = await refusal([edit, { action: "create", path: 5, content: "" }]);
    expect(error.problems).toMatchObject([
      { code: "LIMIT_EXCEEDED", changeIndex: 0, path: "a" },
      { code: "INVALID_ARGUMENT", changeIndex: 1, message: '"changes[1].path" must be a string, but is 5.' },
    ]);
    expect((await refusal(edit)).details).toEqual({ limit: "editsPerChange", maximum: 2, actual: 3 });
  });

  test("is refused as soon when it has fifty million holes", async () => {
    const holes = new Array(50_000_000);
    const started = performance.now();
    expect((await refusal(holes)).details).toMatchObject({ actual: 50_000_000 });
    expect((await refusal({ action: "edit", path: "a", edits: holes })).code).toBe("LIMIT_EXCEEDED");
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

test("holes within the limit are missing changes", async () => {
  expect((await refusal(new Array(2))).problems).toHaveLength(2);
});

test("of very many problems a thousand are kept, and all are counted", async () => {
  const error = await refusal(wrong(5000), {}, libraryLimits);
  expect(error.problems).toHaveLength(1000);
  expect(error.problems.at(-1)).toMatchObject({ changeIndex: 999 });
  expect(error.message).toContain("(and 4999 more problems, of which 999 are listed)");
});
