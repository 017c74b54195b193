import { describe, expect, it } from "vitest";
import {
  changeSpellings,
  editSpellings,
  readSpellings,
  respell,
  type Spellings,
} from "../../../src/mcp/field-spellings.ts";

const edit = ["op", "oldText", "newText", "replaceAll", "startLine", "endLine", "content"];
const read = ["path", "startLine", "endLine", "maxLines", "encoding"];
const change = ["action", "path", "destination", "content", "edits", "revision"];

describe("respell", () => {
  it.each<[string, string, readonly string[], Spellings]>([
    ["file_path", "path", read, readSpellings],
    ["filePath", "path", read, readSpellings],
    ["start_line", "startLine", read, readSpellings],
    ["end-line", "endLine", read, readSpellings],
    ["limit", "maxLines", read, readSpellings],
    ["old_string", "oldText", edit, editSpellings],
    ["old_str", "oldText", edit, editSpellings],
    ["oldString", "oldText", edit, editSpellings],
    ["new_string", "newText", edit, editSpellings],
    ["new_str", "newText", edit, editSpellings],
    ["new_text", "newText", edit, editSpellings],
    ["replace_all", "replaceAll", edit, editSpellings],
    ["file_text", "content", change, changeSpellings],
    ["new_path", "destination", change, changeSpellings],
  ])("takes %s for %s", (given, meant, known, spellings) => {
    expect(respell({ [given]: "x" }, known, spellings, "")).toEqual({
      value: { [meant]: "x" },
      problems: [],
    });
  });

  it("leaves names that mean nothing, so that they are refused", () => {
    expect(respell({ colour: 1 }, read, readSpellings, "").value).toEqual({ colour: 1 });
  });

  it("takes null for left out", () => {
    expect(respell({ path: "a", startLine: null }, read, readSpellings, "").value).toEqual({ path: "a" });
  });

  it("refuses two names of one field that differ, and takes two that agree", () => {
    const { problems } = respell({ path: "a", file_path: "b" }, read, readSpellings, "changes[0].");
    expect(problems.map(({ message }) => message)).toEqual([
      '"changes[0].path" and "changes[0].file_path" are the same field and say different things.',
    ]);
    expect(respell({ path: "a", file_path: "a" }, read, readSpellings, "").problems).toEqual([]);
  });

  it("keeps a field named __proto__ a field", () => {
    const { value } = respell(JSON.parse('{"__proto__": {"path": "a"}}'), read, readSpellings, "");
    expect(Object.keys(value as object)).toEqual(["__proto__"]);
    expect((value as { path?: unknown }).path).toBeUndefined();
  });

  it.each([["text"], [1], [[1]], [undefined]])("leaves %j as it is", (input) => {
    expect(respell(input, read, readSpellings, "")).toEqual({ value: input, problems: [] });
  });
});
