import { expect, test } from "vitest";
import { callTool } from "../support/call-tool.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

const changes = [
  { action: "edit", path: "a", edits: [{ op: "replace_text", oldText: "2", newText: "\u001b[2J" }] },
  { action: "create", path: "long", content: "line\n".repeat(1000) },
];

test("a model sees the lines that change, escape sequences spelled out, and a program gets them as they are", async () => {
  await using opened = await testWorkspace({ a: "1\n2\n" });
  const { ok, structured, text } = await callTool(opened.workspace, "apply_changes", {
    changes: changes.slice(0, 1),
    dryRun: true,
    includeDiff: true,
  });
  expect(ok).toBe(true);
  expect(text).toContain("\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+\\x1b[2J");
  expect(structured["diff"]).toMatchObject({ files: [{ hunks: [{ lines: [" 1", "-2", "+\u001b[2J"] }] }] });
});

test("a diff is bounded as pages are, and there is none unless it is asked for", async () => {
  await using opened = await testWorkspace({ a: "1\n2\n" });
  const call = (includeDiff?: boolean) =>
    callTool(
      opened.workspace,
      "apply_changes",
      { changes, dryRun: true, includeDiff },
      { tools: { limits: { pageBytes: 1000 } } },
    );
  const { structured, text } = await call(true);
  expect(structured["diff"]).toMatchObject({
    truncated: true,
    files: [{ path: "a" }, { path: "long", unified: "" }],
  });
  expect(text).toContain("added long: too long to be shown");
  for (const none of [await call(), await call(false)]) {
    expect(none.ok).toBe(true);
    expect(none.structured).not.toHaveProperty("diff");
  }
});
