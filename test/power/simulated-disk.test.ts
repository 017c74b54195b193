import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { FileSystem } from "../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../src/storage/directory/node-file-system.ts";
import { crashStates } from "../support/simulated-disk/crash-states.ts";
import { diskFileSystem } from "../support/simulated-disk/disk-file-system.ts";
import { readDiskTree, showTree } from "../support/simulated-disk/plan-model.ts";
import { type Random, seededRandom } from "../support/simulated-disk/random.ts";
import { SimulatedDisk } from "../support/simulated-disk/simulated-disk.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function put(fileSystem: FileSystem, path: string, text: string): Promise<number> {
  const descriptor = await fileSystem.create(path, 0o644);
  fileSystem.write(descriptor, bytes(text), 0);
  return descriptor;
}

async function flushFolder(fileSystem: FileSystem, path: string): Promise<void> {
  const descriptor = fileSystem.open(path, "folder");
  await fileSystem.flush(descriptor, "all");
  fileSystem.close(descriptor);
}

/** All trees that a power cut may leave. */
function remains(disk: SimulatedDisk): ReadonlySet<string> {
  const states = [...crashStates(disk, { random: seededRandom(1), exhaustiveUpTo: 12, samples: 0 })];
  return new Set(states.map((state) => showTree(readDiskTree(state.disk, "/"))));
}

describe("After a power cut, a simulated disk", () => {
  test("has of an unflushed file nothing, or a part, or all", async () => {
    const disk = new SimulatedDisk();
    await put(diskFileSystem(disk), "/a", "text");
    const left = remains(disk);
    expect(left).toContain("");
    expect(left).toContain('a 644 ""');
    expect(left).toContain('a 644 "text"');
  });

  test("has a file for certain when the file and its folder are flushed, and not before", async () => {
    const disk = new SimulatedDisk();
    const fileSystem = diskFileSystem(disk);
    const descriptor = await put(fileSystem, "/a", "text");
    await fileSystem.flush(descriptor, "data");
    expect(remains(disk)).toEqual(new Set(["", 'a 644 "text"']));
    await flushFolder(fileSystem, "/");
    expect(remains(disk)).toEqual(new Set(['a 644 "text"']));
  });

  test("has a rename whole or not at all, and a link and an unlink each for itself", async () => {
    const disk = new SimulatedDisk();
    const fileSystem = diskFileSystem(disk);
    await put(fileSystem, "/a", "text");
    disk.sync();
    fileSystem.rename("/a", "/b");
    expect(remains(disk)).toEqual(new Set(['a 644 "text"', 'b 644 "text"']));
    disk.sync();
    fileSystem.link("/b", "/c");
    fileSystem.unlink("/b");
    expect(remains(disk)).toEqual(
      new Set(["", 'b 644 "text"', 'c 644 "text"', 'b 644 "text"\nc 644 "text"']),
    );
  });

  test("does not have again what a failed flush lost, unless it is written again", async () => {
    const disk = new SimulatedDisk();
    let fails = false;
    const fileSystem = diskFileSystem(disk, {
      before: (call) => {
        if (fails && call === "flush") throw Object.assign(new Error("injected"), { code: "EIO" });
      },
    });
    const descriptor = await put(fileSystem, "/a", "text");
    disk.sync();
    fileSystem.write(descriptor, bytes("next"), 0);
    fails = true;
    await expect(fileSystem.flush(descriptor, "data")).rejects.toThrow("injected");
    fails = false;
    await fileSystem.flush(descriptor, "data");
    expect(disk.find("/a")?.durable?.bytes).toEqual(bytes("text"));
    fileSystem.write(descriptor, bytes("next"), 0);
    await fileSystem.flush(descriptor, "data");
    expect(disk.find("/a")?.durable?.bytes).toEqual(bytes("next"));
  });
});

const names = ["a", "b", "a/c", "b/c", "a/c/d"];

/** Does something, the same on every file system, and says what came of it. */
async function act(
  fileSystem: FileSystem,
  root: string,
  choice: readonly [number, string, string],
): Promise<string> {
  const [what, one, other] = [choice[0], join(root, choice[1]), join(root, choice[2])];
  const acts: readonly (() => unknown)[] = [
    async () => fileSystem.close(await put(fileSystem, one, choice[2])),
    () => fileSystem.mkdir(one, 0o755),
    () => fileSystem.rmdir(one),
    () => fileSystem.unlink(one),
    () => fileSystem.rename(one, other),
    () => fileSystem.link(one, other),
    () => fileSystem.symlink("a", one),
    () => fileSystem.lstat(one)?.kind,
    () => fileSystem.close(fileSystem.open(one, "folder")),
    () => fileSystem.close(fileSystem.open(one, "update")),
    () => [...fileSystem.readdir(one)].map(({ name, kind }) => `${name} ${kind}`).sort(),
    () => fileSystem.readlink(one),
    async () => await fileSystem.copy(one, other),
    () => fileSystem.lstat(one)?.size,
  ];
  try {
    return JSON.stringify(await acts[what % acts.length]?.()) ?? "done";
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

function simulatedKind(disk: SimulatedDisk, path: string): string | undefined {
  try {
    return disk.find(path)?.kind;
  } catch {
    return undefined;
  }
}

function choose(random: Random): readonly [number, string, string] {
  return [random.below(14), random.pick(names), random.pick(names)];
}

test.runIf(process.platform === "linux")(
  "A simulated disk answers as the real one does, errors included",
  async () => {
    process.umask(0o022);
    for (let seed = 1; seed <= 150; seed++) {
      const { path, remove } = temporaryFolder("quick");
      const random = seededRandom(seed);
      const disk = new SimulatedDisk();
      const simulated = diskFileSystem(disk);
      simulated.mkdir("/r", 0o755);
      for (let step = 0; step < 40; step++) {
        const choice = choose(random);
        // The real one copies what a link leads to; nobody copies links here.
        if (choice[0] === 12 && simulatedKind(disk, `/r/${choice[1]}`) === "symlink") continue;
        const [found, wanted] = [await act(simulated, "/r", choice), await act(nodeFileSystem, path, choice)];
        // A folder's size is the file system's own affair.
        if (choice[0] === 13 && simulatedKind(disk, `/r/${choice[1]}`) === "directory") continue;
        expect(found, `seed ${seed}, step ${step}: ${choice.join(" ")}`).toBe(wanted);
      }
      remove();
    }
  },
  60_000,
);
