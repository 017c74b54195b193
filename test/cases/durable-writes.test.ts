import * as fs from "node:fs";
import { join } from "node:path";
import { type Change, isHoldfastError, type Workspace } from "holdfast";
import { openDirectory } from "holdfast/node";
import { describe, expect, test } from "vitest";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { countingFileSystem } from "../support/crashing-host.ts";
import { leftovers, readTree } from "../support/directory-tree.ts";
import { newFolder } from "./case-workspace.ts";
import { hostPath, injectedDirectory } from "./injected-directory.ts";

const edit = (path: string, oldText: string, newText: string): Change => ({
  action: "edit",
  path,
  edits: [{ op: "replace_text", oldText, newText }],
});

describe("A batch over three files of which one step fails", () => {
  const files = { "a.txt": "old a\n", "b/b.txt": "old b\n", "gone.txt": "gone\n" };
  const changes = async (workspace: Workspace): Promise<Change[]> => [
    edit("a.txt", "old", "new"),
    edit("b/b.txt", "old", "new"),
    { action: "delete", path: "gone.txt", revision: (await workspace.read("gone.txt")).revision },
    { action: "create", path: "c/new.txt", content: "new c\n" },
  ];
  const old = { "a.txt": "644 old a\n", "b/b.txt": "644 old b\n", "gone.txt": "644 gone\n" };
  const fresh = { "a.txt": "644 new a\n", "b/b.txt": "644 new b\n", "c/new.txt": "644 new c\n" };

  /** Commits with the n-th call failing, for each n, and checks that the files are all old or all new at once, and after opening again. */
  async function failEverywhere(
    only: "rename" | "write" | "link" | "mkdir" | "unlink",
    errorNumber: string,
    sticky: boolean,
  ): Promise<readonly string[]> {
    const outcomes: string[] = [];
    for (let failAt = 1; ; failAt++) {
      using directory = injectedDirectory(files);
      const workspace = await directory.open();
      const batch = await changes(workspace);
      directory.counting.arm({ failAt, errorNumber, sticky, only: [only] });
      const error = await workspace.apply(batch).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const isPast = directory.counting.calls() < failAt;
      directory.counting.arm({});
      if (error !== undefined && !isHoldfastError(error)) throw error;
      if (error === undefined) expect(directory.tree()).toEqual(fresh);
      else if (error.written === "no") expect(directory.tree()).toEqual(old);
      await workspace.close().catch(() => undefined);
      const again = await directory.open();
      const tree = directory.tree();
      // Also what could not be taken back at once: to take it back was decided, and opening does that.
      expect(tree).toEqual(error === undefined ? fresh : old);
      expect(leftovers(directory.root)).toEqual([]);
      await again.close();
      if (isPast) return outcomes;
      outcomes.push(error === undefined ? "done" : error.written);
    }
  }

  test.each([
    ["#91", "rename", "EACCES"],
    ["#91", "link", "EACCES"],
    ["#91", "mkdir", "EROFS"],
    ["#91", "write", "EIO"],
  ] as const)(
    "%s changes all files or none when a %s is refused with %s once",
    async (_number, only, errorNumber) => {
      const outcomes = await failEverywhere(only, errorNumber, false);
      expect(outcomes.length).toBeGreaterThan(0);
      expect(outcomes).toContain("no");
    },
  );

  test.each([
    ["#94", "rename", "EACCES"],
    ["#94", "link", "EIO"],
    ["#94", "unlink", "EIO"],
  ] as const)(
    "%s takes back at the next opening what could not be taken back when every %s fails with %s from one on",
    async (_number, only, errorNumber) => {
      expect((await failEverywhere(only, errorNumber, true)).length).toBeGreaterThan(0);
    },
  );
});

describe("A full disk", () => {
  const big = "old line\n".repeat(60_000);

  /** Makes a change with the n-th write of it meeting a full disk, for each n, and checks that the files are as before, and that the next try works. */
  async function fillEverywhere(
    files: Readonly<Record<string, string>>,
    change: (workspace: Workspace) => Promise<unknown>,
    fresh: Readonly<Record<string, string>>,
  ): Promise<void> {
    for (const sticky of [false, true]) {
      const met = { refused: 0, unknown: 0 };
      for (let failAt = 1; ; failAt++) {
        using directory = injectedDirectory(files);
        const old = directory.tree();
        const workspace = await directory.open();
        directory.counting.arm({ failAt, errorNumber: "ENOSPC", sticky, only: ["write"] });
        const error: unknown = await change(workspace).then(() => undefined, Object);
        // Once nothing is refused, only what comes after the commit can fail.
        expect(directory.tree()).toEqual(error === undefined ? fresh : old);
        directory.counting.arm({});
        if (isHoldfastError(error, "RECOVERY_PENDING")) {
          // Not even that the entry is void could be written, so what opening finds decides.
          met.unknown += 1;
          expect(error.written).toBe("unknown");
          await workspace.close().catch(() => undefined);
          await (await directory.open()).close();
          expect([old, fresh]).toContainEqual(directory.tree());
          continue;
        }
        if (error !== undefined) {
          met.refused += 1;
          const refusal = { code: "STORAGE_FAILED", written: "no", retry: "same", cause: { code: "ENOSPC" } };
          expect(error).toMatchObject(refusal);
          expect(leftovers(directory.root)).toEqual([]);
          await change(workspace);
          expect(directory.tree()).toEqual(fresh);
        }
        await workspace.close();
        if (error === undefined) break;
      }
      expect(met.refused).toBeGreaterThan(1);
      if (!sticky) expect(met.unknown).toBe(0);
    }
  }

  test.each([
    ["#112", "a small file", "old line\n"],
    ["#113", "a large file", big],
  ])("%s leaves %s as it was, at whichever write it is met", async (_number, _name, text) => {
    const write = async (workspace: Workspace) => {
      const { revision } = await workspace.read("config.yaml");
      await workspace.write("config.yaml", `${text}new\n`, { revision });
    };
    await fillEverywhere({ "config.yaml": text }, write, { "config.yaml": `644 ${text}new\n` });
  });

  test.each([
    ["small", "new\n"],
    ["large", big],
  ])(
    "#115 makes no short %s file where there was none, at whichever write it is met",
    async (_size, text) => {
      const create = (workspace: Workspace) =>
        workspace.apply({ action: "create", path: "new/file.txt", content: text });
      const fresh = { "a.txt": "644 a\n", "new/file.txt": `644 ${text}` };
      await fillEverywhere({ "a.txt": "a\n" }, create, fresh);
    },
  );
});

describe("A power cut after a commit that was reported as done", () => {
  const before = "old\n".repeat(300);
  const after = "new\n".repeat(500);

  /** What a disk can make of a target whose bytes or whose folder were never flushed. */
  const losses: readonly (readonly [string, string, (at: string) => void])[] = [
    [
      "#116",
      "the file has its length and nothing but zeros",
      (at) => overwrite(at, Buffer.alloc(after.length)),
    ],
    [
      "#116",
      "the second half of the file is zeros",
      (at) =>
        overwrite(at, Buffer.concat([Buffer.from(after.slice(0, 1024)), Buffer.alloc(after.length - 1024)])),
    ],
    ["#118", "the file is empty", (at) => fs.truncateSync(at, 0)],
    ["#118", "the file is cut short", (at) => fs.truncateSync(at, 700)],
  ];

  for (const [number, name, lose] of losses)
    for (const path of ["replaced.txt", "created.txt"])
      test(`${number} is mended when ${name}: ${path}`, async () => {
        using directory = injectedDirectory({ "replaced.txt": before });
        await commitAndCrash(directory);
        const at = hostPath(directory, path);
        spoil(at, () => lose(at));
        await expectBothNew(directory);
      });

  test("#119 is mended when the new name never reached the folder", async () => {
    using directory = injectedDirectory({ "replaced.txt": before });
    await commitAndCrash(directory);
    fs.unlinkSync(hostPath(directory, "created.txt"));
    await expectBothNew(directory);
  });

  test("#119 is mended when the old name is back in the folder", async () => {
    using directory = injectedDirectory({ "replaced.txt": before });
    fs.linkSync(hostPath(directory, "replaced.txt"), join(directory.root, ".second-name"));
    await commitAndCrash(directory);
    fs.renameSync(join(directory.root, ".second-name"), hostPath(directory, "replaced.txt"));
    await expectBothNew(directory);
  });

  test("#121 brings back a file of zeros, and the old bytes are kept until the new ones are durable", async () => {
    using directory = injectedDirectory({ "replaced.txt": before });
    await commitAndCrash(directory);
    const kept = join(directory.root, ".holdfast/pre");
    expect(fs.readdirSync(kept).map((name) => fs.readFileSync(join(kept, name), "utf8"))).toEqual([before]);
    for (const path of ["replaced.txt", "created.txt"]) {
      const at = hostPath(directory, path);
      spoil(at, () => overwrite(at, Buffer.alloc(after.length)));
    }
    await expectBothNew(directory);
  });

  test("#119 has been flushed before the first file was touched and before the answer", async () => {
    const seen: string[] = [];
    using directory = injectedDirectory(
      { "replaced.txt": before },
      {
        flush: async (descriptor, what) => {
          await nodeFileSystem.flush(descriptor, what);
          seen.push(fs.readFileSync(hostPath(directory, "replaced.txt"), "utf8"));
        },
      },
    );
    const workspace = await directory.open();
    seen.length = 0;
    await workspace.apply(edit("replaced.txt", before, after));
    expect(seen).toEqual(seen.map(() => before));
    expect(seen.length).toBeGreaterThan(0);
    expect(directory.tree()).toEqual({ "replaced.txt": `644 ${after}` });
    await workspace.close();
  });

  async function commitAndCrash(directory: ReturnType<typeof injectedDirectory>): Promise<void> {
    const counting = countingFileSystem();
    const workspace = await directory.open({ counting });
    await workspace.apply([
      {
        action: "write",
        path: "replaced.txt",
        content: after,
        revision: (await workspace.read("replaced.txt")).revision,
      },
      { action: "create", path: "created.txt", content: after },
    ]);
    // The process is gone, so nothing more is flushed or sealed.
    counting.arm({ crashAt: 1 });
    await workspace.close().catch(() => undefined);
  }

  async function expectBothNew(directory: ReturnType<typeof injectedDirectory>): Promise<void> {
    const workspace = await directory.open({ boot: "boot-2" });
    expect((await workspace.info()).recovery.conflicts).toEqual([]);
    expect(directory.tree()).toEqual({ "replaced.txt": `644 ${after}`, "created.txt": `644 ${after}` });
    await workspace.close();
  }
});

/** Changes a file as a disk does that loses bytes: nobody writes, so its time is no later than before. */
function spoil(at: string, lose: () => void): void {
  const { mtimeMs } = fs.statSync(at);
  lose();
  const before = Math.floor(mtimeMs / 1000);
  fs.utimesSync(at, before, before);
}

function overwrite(at: string, bytes: Uint8Array): void {
  const descriptor = fs.openSync(at, "r+");
  fs.writeSync(descriptor, bytes, 0, bytes.byteLength, 0);
  fs.closeSync(descriptor);
}

describe("Where new contents are written before they are published", () => {
  test("#127 is inside the root, whatever the system's own folder for temporary files", async () => {
    using directory = injectedDirectory({ "a.txt": "old\n" });
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = "/proc/no-such-folder";
    try {
      const workspace = await directory.open();
      await workspace.apply([
        edit("a.txt", "old", "new"),
        { action: "create", path: "big.bin", content: new Uint8Array(600_000) },
      ]);
      await workspace.close();
    } finally {
      process.env["TMPDIR"] = TMPDIR;
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
    }
    const touched = directory.counting.trace
      .map((call) => call.split(" "))
      .filter(
        ([name, path]) =>
          name !== "lstat" && path?.startsWith("/") === true && !path.startsWith("/proc/self/fd/"),
      )
      .map(([, path]) => path ?? "");
    expect(touched.length).toBeGreaterThan(0);
    expect(
      touched.filter((path) => path !== directory.root && !path.startsWith(`${directory.root}/`)),
    ).toEqual([]);
    expect(directory.tree()["a.txt"]).toBe("644 new\n");
  });
});

describe("A file on a real disk", () => {
  test("#130 keeps its executable bit through every kind of change", async () => {
    const root = newFolder();
    try {
      fs.writeFileSync(join(root, "run.sh"), "#!/bin/sh\n");
      fs.chmodSync(join(root, "run.sh"), 0o755);
      await using workspace = await openDirectory(root);
      await workspace.edit("run.sh", { op: "replace_text", oldText: "sh\n", newText: "bash\n" });
      const { revision, executable } = await workspace.read("run.sh");
      expect(executable).toBe(true);
      await workspace.write("run.sh", "#!/bin/dash\n", { revision });
      await workspace.update("run.sh", (file) => `${file?.text}exit\n`);
      const moved = (await workspace.read("run.sh")).revision;
      await workspace.apply({ action: "move", path: "run.sh", destination: "bin/go.sh", revision: moved });
      expect(readTree(root)).toEqual({ "bin/go.sh": "755 #!/bin/dash\nexit\n" });
    } finally {
      fs.rmSync(root, { recursive: true, force: true });
    }
  });

  test.each([0o644, 0o600, 0o640, 0o755, 0o700])(
    "#131 of mode %o keeps it, and what is kept of it is no wider",
    async (mode) => {
      using directory = injectedDirectory({ "a.txt": { text: "secret\n", mode } });
      const counting = countingFileSystem();
      const workspace = await directory.open({ counting });
      await workspace.apply(edit("a.txt", "secret", "secret 2"));
      expect(directory.tree()).toEqual({ "a.txt": `${mode.toString(8)} secret 2\n` });
      const state = join(directory.root, ".holdfast");
      expect(fs.statSync(state).mode & 0o777).toBe(0o700);
      for (const name of fs.readdirSync(state, { recursive: true, encoding: "utf8" })) {
        const status = fs.statSync(join(state, name));
        if (status.isDirectory()) expect(status.mode & 0o077).toBe(0);
        else if (fs.readFileSync(join(state, name), "latin1").includes("secret") && name.startsWith("pre/"))
          expect(status.mode & 0o777 & ~mode).toBe(0);
      }
      await workspace.close();
    },
  );
});
