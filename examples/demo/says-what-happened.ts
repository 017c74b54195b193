import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Change, Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { type Answer, answerOf, callTool, type DoorName, doorNames } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

const old = "0123456789abcdef";

/** Five changes, each wrong in its own way. */
const faults: readonly { readonly change: Change; readonly code: string }[] = [
  { change: editOf("a.txt", "missing text"), code: "TEXT_NOT_FOUND" },
  { change: editOf("b.txt", "twice"), code: "TEXT_AMBIGUOUS" },
  { change: { action: "create", path: "../c.txt", content: "" }, code: "INVALID_PATH" },
  { change: { action: "delete", path: "d.txt", revision: old }, code: "NOT_FOUND" },
  { change: { action: "create", path: "e.txt", content: "other\n" }, code: "ALREADY_EXISTS" },
];

function editOf(path: string, oldText: string): Change {
  return { action: "edit", path, edits: [{ op: "replace_text", oldText, newText: "new" }] };
}

const files = { "a.txt": "a\n", "b.txt": "twice twice\n", "e.txt": "e\n" };

/** P8: every fault of a call is told at once, with its code and the next step. */
export async function* saysWhatHappened(): AsyncIterable<Row> {
  for (const door of [...doorNames, "read_file" as const]) {
    yield await withFolder(files, async (root) => {
      await using workspace = await openDirectory(root);
      const { tried, expected, answer } = await fail(door, workspace);
      const codes = answer.ok ? [] : answer.problems.map(({ code }) => code);
      const isTold =
        expected.every((code, index) => codes[index] === code) && codes.length === expected.length;
      const untouched = (await readFile(join(root, "a.txt"), "utf8")) === "a\n";
      const next = answer.ok ? "" : answer.next;
      return {
        door,
        tried,
        found: `${codes.length === 1 ? codes[0] : `${new Set(codes).size} codes, ${codes.length} problems`}; ${next === "" ? "NO NEXT STEP" : "with next step"}`,
        holds: isTold && untouched && next !== "" && !answer.ok && answer.written === "no",
      };
    });
  }
}

async function fail(
  door: DoorName | "read_file",
  workspace: Workspace,
): Promise<{ readonly tried: string; readonly expected: readonly string[]; readonly answer: Answer }> {
  const changes = faults.map(({ change }) => change);
  const expected = faults.map(({ code }) => code);
  const tried = "a batch with five different faults";
  if (door === "apply") return { tried, expected, answer: await answerOf(workspace.apply(changes)) };
  if (door === "apply_changes")
    return { tried, expected, answer: await callTool(workspace, "apply_changes", { changes }) };
  if (door === "edit") {
    const edits = ["x", "", "y"].map((oldText) => ({ op: "replace_text" as const, oldText, newText: "z" }));
    const codes = ["TEXT_NOT_FOUND", "EMPTY_OLD_TEXT", "TEXT_NOT_FOUND"];
    return {
      tried: "three edits, all wrong",
      expected: codes,
      answer: await answerOf(workspace.edit("a.txt", edits)),
    };
  }
  if (door === "write") {
    const answer = await answerOf(workspace.write("a.txt", "over\n"));
    return { tried: "a write over a file that was never read", expected: ["REVISION_REQUIRED"], answer };
  }
  if (door === "update") {
    const answer = await answerOf(workspace.update("a.txt", () => 7 as never));
    return { tried: "a function that returns a number", expected: ["INVALID_ARGUMENT"], answer };
  }
  const answer = await callTool(workspace, "read_file", { path: "a.txt", startLine: 9 });
  return { tried: "lines after the end of a file", expected: ["LINE_OUT_OF_RANGE"], answer };
}
