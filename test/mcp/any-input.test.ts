import * as fc from "fast-check";
import { errorCodes } from "holdfast";
import { createTools } from "holdfast/mcp";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { refusalIn } from "../support/call-tool.ts";
import { runsHere } from "../support/grounds/runs-here.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

const names = [
  "path",
  "action",
  "edits",
  "op",
  "oldText",
  "newText",
  "content",
  "revision",
  "startLine",
  "__proto__",
  "file_path",
];
const words = ["create", "edit", "delete", "assert", "replace_text", "append", "a.txt", "../a", ""];

/** Values that look a little like what the tools take. */
const { likely } = fc.letrec<{ likely: unknown; fields: unknown }>((tie) => ({
  likely: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(...words, null, true, 1, -1, 1.5),
    fc.array(tie("likely"), { maxLength: 3 }),
    tie("fields"),
  ),
  fields: fc.dictionary(fc.constantFrom(...names), tie("likely"), { maxKeys: 5 }),
}));

const inputs = fc.oneof(
  fc.jsonValue(),
  likely,
  fc.array(likely, { maxLength: 3 }).map((changes) => ({ changes })),
);

describe.each([["read_file"], ["apply_changes"]])("%s, given anything at all,", (name) => {
  it("answers as its output schema says, and refuses with a code that names the caller's fault", async () => {
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await using opened = await testWorkspace({ "a.txt": "a\n" });
        const tool = createTools(opened.workspace).find((one) => one.name === name);
        const result = await (tool as NonNullable<typeof tool>).call(input);
        expect(
          z.strictObject({ ...tool?.outputSchema?.shape }).safeParse(result.structured).error,
        ).toBeUndefined();
        if (result.ok) return;
        const { code, written } = refusalIn(result);
        expect(["validation", "notFound", "conflict", "security", "limit"]).toContain(
          errorCodes[code as keyof typeof errorCodes].category,
        );
        expect(written).toBe("no");
        expect(result.text).toMatch(/\nNext: \S/);
      }),
      { numRuns: runsHere(300) },
    );
  });
});
