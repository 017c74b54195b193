import { describe, expect } from "vitest";
import { collect } from "../support/refusal.ts";
import { testCase } from "./case-workspace.ts";

describe("what is taken back with revert", () => {
  testCase(
    "#130 a script that was rewritten and deleted comes back executable",
    { "run.sh": "#!/bin/sh\n" },
    async ({ workspace, revision }) => {
      await workspace.apply({
        action: "chmod",
        path: "run.sh",
        revision: await revision("run.sh"),
        executable: true,
      });
      await workspace.edit("run.sh", { op: "replace_text", oldText: "sh\n", newText: "bash\n" });
      const gone = await workspace.apply({
        action: "delete",
        path: "run.sh",
        revision: await revision("run.sh"),
      });
      await workspace.revert(gone.workspaceRevision);
      expect(await workspace.read("run.sh")).toMatchObject({ text: "#!/bin/bash\n", executable: true });
    },
    { needs: ["modes", "it is about the executable bit"] },
  );

  testCase(
    "#139, #140 files that nobody asked about stay, whatever the ignore rules said before and say then",
    { ".gitignore": "out/\n", a: "0\n" },
    async ({ workspace, outside, revision, files }) => {
      const { workspaceRevision } = await workspace.apply([
        { action: "write", path: ".gitignore", content: "", revision: await revision(".gitignore") },
        { action: "write", path: "a", content: "1\n", revision: await revision("a") },
      ]);
      outside("out/large.bin", "untracked\n");
      outside("notes", "untracked\n");
      await workspace.revert(workspaceRevision);
      expect(await files()).toEqual({
        ".gitignore": "out/\n",
        a: "0\n",
        "out/large.bin": "untracked\n",
        notes: "untracked\n",
      });
    },
  );

  testCase("#142 can be taken back again, and again", { a: "0\n" }, async ({ workspace, revision, raw }) => {
    const first = await workspace.write("a", "1\n", { revision: await revision("a") });
    let { workspaceRevision } = first;
    for (const text of ["0\n", "1\n", "0\n", "1\n"]) {
      const result = await workspace.revert(workspaceRevision);
      expect(result.reverted).toBe(true);
      expect(await raw("a")).toBe(text);
      ({ workspaceRevision } = result);
    }
    expect((await collect(workspace.history())).map(({ cause }) => cause)).toEqual([
      ...Array.from({ length: 4 }, () => "revert"),
      "apply",
    ]);
  });

  testCase(
    "#145 takes away the files that the revision made, and no others that are as new",
    { "d/old": "old\n" },
    async ({ workspace, outside, files }) => {
      const { workspaceRevision } = await workspace.apply([
        { action: "create", path: "d/made", content: "made\n" },
        { action: "create", path: "e/f/made", content: "made\n" },
      ]);
      outside("d/theirs", "theirs\n");
      outside("e/theirs", "theirs\n");
      await workspace.revert(workspaceRevision);
      expect(await files()).toEqual({ "d/old": "old\n", "d/theirs": "theirs\n", "e/theirs": "theirs\n" });
    },
  );

  testCase(
    "#146 brings back what was there at that moment, work that no commit ever knew included, and what it took away",
    { a: "committed elsewhere\n" },
    async ({ workspace, outside, revision, raw }) => {
      outside("a", "work of a person, saved a second ago\n");
      const edit = await workspace.write("a", "of the agent\n", { revision: await revision("a") });
      const back = await workspace.revert(edit.workspaceRevision);
      expect(await raw("a")).toBe("work of a person, saved a second ago\n");
      await workspace.revert(back.workspaceRevision);
      expect(await raw("a")).toBe("of the agent\n");
    },
  );

  testCase(
    "#152 brings pointer files back as the bytes that they are",
    { "big.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n", other: "" },
    async ({ workspace, revision, files }) => {
      const before = await files();
      const { workspaceRevision } = await workspace.apply([
        { action: "delete", path: "big.bin", revision: await revision("big.bin") },
        { action: "delete", path: "other", revision: await revision("other") },
      ]);
      await workspace.revert(workspaceRevision);
      expect(await files()).toEqual(before);
    },
  );
});
