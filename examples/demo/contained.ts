import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { type Answer, answerOf, callTool, type DoorName, doorNames } from "./doors.ts";
import type { Row } from "./matrix.ts";
import { withFolder } from "./trees.ts";

const refusals = ["INVALID_PATH", "PROTECTED_PATH", "SYMLINK_ESCAPE"];

/** P6: every way out of the root that is known from elsewhere, and every way into the library's own state. */
export async function* contained(): AsyncIterable<Row> {
  for (const door of [...doorNames, "read_file" as const]) {
    yield await withFolder({ "root/a.txt": "a\n", "outside.txt": "secret\n" }, async (folder) => {
      const root = join(folder, "root");
      await mkdir(join(root, ".git"));
      await writeFile(join(root, ".git", "config"), "[core]\n");
      await symlink("../outside.txt", join(root, "link.txt"));
      await symlink("..", join(root, "up"));
      await using workspace = await openDirectory(root);
      const paths = [
        "../outside.txt",
        "a/../../outside.txt",
        join(folder, "outside.txt"),
        "link.txt",
        "up/outside.txt",
        ".git/config",
        ".GIT/config",
        ".holdfast/format",
        ".HOLDFAST/format",
      ];
      const answers = await Promise.all(paths.map((path) => reach(door, workspace, path)));
      const refused = answers.filter((answer) => !answer.ok && refusals.includes(answer.code)).length;
      const untouched =
        (await readFile(join(folder, "outside.txt"), "utf8")) === "secret\n" &&
        (await readFile(join(root, ".git", "config"), "utf8")) === "[core]\n";
      return {
        door,
        tried: "../, absolute, links out, .git, .GIT, .holdfast",
        found: `${refused} of ${paths.length} refused${untouched ? ", nothing touched" : ", TOUCHED"}`,
        holds: refused === paths.length && untouched,
      };
    });
  }
}

async function reach(door: DoorName | "read_file", workspace: Workspace, path: string): Promise<Answer> {
  const change = { action: "write" as const, path, content: "taken\n" };
  if (door === "apply") return await answerOf(workspace.apply(change));
  if (door === "edit") return await answerOf(workspace.edit(path, { op: "append", content: "taken" }));
  if (door === "write") return await answerOf(workspace.write(path, "taken\n"));
  if (door === "update") return await answerOf(workspace.update(path, () => "taken\n"));
  if (door === "read_file") return await callTool(workspace, "read_file", { path });
  return await callTool(workspace, "apply_changes", { changes: [change] });
}
