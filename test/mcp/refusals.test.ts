import { Workspace } from "holdfast";
import { faultyStorage } from "holdfast/testing";
import { describe, expect, it } from "vitest";
import { callTool, refusalIn } from "../support/call-tool.ts";
import { testStorage } from "../support/grounds/test-storage.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

describe("a refusal", () => {
  it("of a stale revision reads so that a model knows what to do", async () => {
    await using opened = await testWorkspace({ "src/app.ts": "one\ntwo\n" });
    const { revision } = await opened.workspace.read("src/app.ts");
    await opened.workspace.edit("src/app.ts", { op: "replace_text", oldText: "one", newText: "1" });
    const result = await callTool(opened.workspace, "apply_changes", {
      changes: [
        {
          action: "edit",
          path: "src/app.ts",
          revision,
          edits: [{ op: "replace", startLine: 2, content: "2" }],
        },
      ],
    });
    const [what, ...rest] = result.text.split("\n");
    expect(what).toMatch(/^REVISION_MISMATCH: .*"src\/app\.ts"/);
    expect(rest).toEqual([
      '- in change 0, "src/app.ts"',
      "Nothing was written.",
      "Next: call read_file. Read the file again and base the change on what it holds now.",
    ]);
    const now = (await opened.workspace.read("src/app.ts")).revision;
    expect(JSON.stringify(result.structured)).not.toContain(now);
  });

  it("tells all problems of a batch at once, with their places", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const result = await callTool(opened.workspace, "apply_changes", {
      changes: [
        { action: "edit", path: "a.txt", edits: [{ op: "replace_text", oldText: "b", newText: "c" }] },
        { action: "create", path: "../b.txt", content: "" },
        { action: "delete", path: "missing.txt", revision: "0000000000000000" },
      ],
    });
    const { problems, written } = refusalIn(result);
    expect(written).toBe("no");
    expect(problems.map(({ code, changeIndex }) => [changeIndex, code])).toEqual([
      [0, "TEXT_NOT_FOUND"],
      [1, "INVALID_PATH"],
      [2, "NOT_FOUND"],
    ]);
    for (const { message } of problems) expect(result.text).toContain(message);
  });

  it("carries neither stack nor method names", async () => {
    await using opened = await testWorkspace();
    const { structured } = await callTool(opened.workspace, "read_file", { path: "a.txt" });
    expect(Object.keys(structured)).toEqual(["ok", "error", "continuation"]);
    expect(Object.keys(structured["error"] as object)).not.toContain("stack");
    expect(Object.keys(structured["error"] as object)).not.toContain("continuation");
  });

  it("of something unexpected tells a correlation id and nothing of what happened", async () => {
    const broken = {
      mode: "autonomousTrusted",
      readLines: () => Promise.reject(new Error("/srv/app/secret")),
    };
    const result = await callTool(broken as unknown as Workspace, "read_file", { path: "a.txt" });
    const { code, correlationId, written } = refusalIn(result);
    expect([code, written]).toEqual(["UNHANDLED_EXCEPTION", "no"]);
    expect(result.text).toContain(`Correlation id: ${correlationId}`);
    expect(result.text + JSON.stringify(result.structured)).not.toContain("secret");
  });

  it("of a storage that failed does not repeat what the platform said", async () => {
    const error = new Error("EIO: i/o error, open '/srv/app/project/a.txt'");
    const storage = testStorage({ files: { "a.txt": "a\n" } });
    const failing = faultyStorage(storage, { method: "read", failAt: 1, error });
    const workspace = await Workspace.open(failing);
    const result = await callTool(workspace, "read_file", { path: "a.txt" });
    expect(refusalIn(result)).toMatchObject({ code: "STORAGE_FAILED", written: "no" });
    expect(result.text + JSON.stringify(result.structured)).not.toContain("/srv/app");
    await workspace.close();
  });

  it("is not made of a cancelled call, which rejects with the signal's reason and has written nothing", async () => {
    await using opened = await testWorkspace({ "a.txt": "a\n" });
    const reason = new Error("enough");
    const context = { signal: AbortSignal.abort(reason) };
    const input = { changes: [{ action: "create", path: "b.txt", content: "" }] };
    await expect(callTool(opened.workspace, "apply_changes", input, { context })).rejects.toBe(reason);
    expect(await opened.workspace.stat("b.txt")).toBeUndefined();
  });

  it("of a closed workspace is a refusal like any other", async () => {
    const opened = await testWorkspace();
    await opened.workspace.close();
    expect(refusalIn(await callTool(opened.workspace, "read_file", { path: "a.txt" })).code).toBe(
      "WORKSPACE_CLOSED",
    );
  });
});
