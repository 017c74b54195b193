import { describe, expect, it } from "vitest";
import { callTool, refusalIn } from "../support/call-tool.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("read_file", () => {
  it("shows numbered lines, the total, the revision, and how to get the next page", async () => {
    await using opened = await testWorkspace({ "a.txt": lines(12) });
    const { revision } = await opened.workspace.read("a.txt");
    const result = await callTool(opened.workspace, "read_file", {
      path: "a.txt",
      startLine: 8,
      maxLines: 3,
    });
    expect(result.text.split("\n")).toEqual([
      `"a.txt", lines 8-10 of 12, revision ${revision}`,
      " 8\tline 8",
      " 9\tline 9",
      "10\tline 10",
      "[2 more lines in the file. Next page: startLine 11.]",
    ]);
    expect(result.structured).toMatchObject({ ok: true, revision, lineCount: 12, nextStartLine: 11 });
  });

  it("reaches every line by following the pages", async () => {
    await using opened = await testWorkspace({ "a.txt": lines(25) });
    let startLine: number | undefined = 1;
    let text = "";
    for (let pages = 0; startLine !== undefined && pages < 10; pages++) {
      const page = await callTool(
        opened.workspace,
        "read_file",
        { path: "a.txt", startLine },
        { tools: { limits: { pageLines: 7 } } },
      );
      text += String(page.structured["text"]);
      startLine = page.structured["nextStartLine"] as number | undefined;
    }
    expect(text).toBe(lines(25));
  });

  it("never gives more than a page, whatever is asked", async () => {
    await using opened = await testWorkspace({ "a.txt": lines(3000) });
    const result = await callTool(opened.workspace, "read_file", { path: "a.txt", maxLines: 1_000_000 });
    expect(result.structured).toMatchObject({ endLine: 2000, nextStartLine: 2001, truncatedBy: "lines" });
  });

  it("says when a line is longer than a page", async () => {
    await using opened = await testWorkspace({ "a.txt": `${"x".repeat(300)}\nend\n` });
    const result = await callTool(
      opened.workspace,
      "read_file",
      { path: "a.txt" },
      { tools: { limits: { pageBytes: 100 } } },
    );
    expect(result.text).toContain("[Line 1 is longer than a page; only its first 100 bytes are shown.]");
    expect(result.text).toContain("Next page: startLine 2.");
  });

  it.each([
    ["an empty file", "", "no lines, revision"],
    ["CRLF", "a\r\nb\r\n", "(CRLF line ends)"],
    ["mixed line ends", "a\r\nb\n", "(mixed line ends)"],
    ["a byte order mark", "\uFEFFa\n", "(byte order mark)"],
  ])("tells of %s in the heading", async (_what, text, told) => {
    await using opened = await testWorkspace({ "a.txt": text });
    const result = await callTool(opened.workspace, "read_file", { path: "a.txt" });
    expect(result.text.split("\n")[0]).toContain(told);
  });

  it("shows bytes that are not UTF-8 when the encoding is named, and says how else", async () => {
    await using opened = await testWorkspace({ "a.txt": new Uint8Array([0x61, 0xe9, 0x0a]) });
    const refused = await callTool(opened.workspace, "read_file", { path: "a.txt" });
    expect(refusalIn(refused).code).toBe("UNSUPPORTED_ENCODING");
    expect(refused.text).toContain('Name encoding "latin1"');
    const shown = await callTool(opened.workspace, "read_file", { path: "a.txt", encoding: "latin1" });
    expect(shown.text).toContain("1\taé");
  });

  it("refuses a binary file without naming a tool that is not there", async () => {
    await using opened = await testWorkspace({ "a.bin": new Uint8Array([0, 1, 2]) });
    const refused = await callTool(opened.workspace, "read_file", { path: "a.bin" });
    expect(refused.text).toBe(
      'BINARY_FILE: "a.bin" is no text: it holds a NUL byte.\nNothing was written.\nNext: Leave the file as it is; these tools work on text.',
    );
  });
});
