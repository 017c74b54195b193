import { expect, test } from "vitest";
import type { FileSystem } from "../../../../src/storage/directory/file-system.ts";
import { nodeFileSystem } from "../../../../src/storage/directory/node-file-system.ts";
import { patiently } from "../../../../src/storage/directory/patiently.ts";

/** Notes how long is waited, without waiting. */
function impatient(isWindows: boolean): { readonly fileSystem: FileSystem; readonly waits: number[] } {
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  return { fileSystem: { ...nodeFileSystem, isWindows, wait }, waits };
}

function failing(code: string, times: number): () => string {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw Object.assign(new Error(code), { code });
    return "done";
  };
}

test.each([
  ["EMFILE", false],
  ["ENFILE", false],
  ["EMFILE", true],
  ["EBUSY", true],
  ["EPERM", true],
  ["EACCES", true],
])("%s (Windows: %s) is waited for with growing waits", async (code, isWindows) => {
  const { fileSystem, waits } = impatient(isWindows);
  expect(await patiently(fileSystem, failing(code, 4))).toBe("done");
  expect(waits).toEqual([1, 2, 4, 8]);
});

test.each([
  ["EBUSY", false],
  ["EPERM", false],
  ["EACCES", false],
  ["ENOSPC", true],
  ["EEXIST", true],
])("%s (Windows: %s) is told at once", async (code, isWindows) => {
  const { fileSystem, waits } = impatient(isWindows);
  await expect(patiently(fileSystem, failing(code, 1))).rejects.toMatchObject({ code });
  expect(waits).toEqual([]);
});

test("what does not pass in five seconds is told", async () => {
  const { fileSystem, waits } = impatient(false);
  await expect(patiently(fileSystem, failing("EMFILE", 1_000))).rejects.toMatchObject({ code: "EMFILE" });
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThanOrEqual(5000);
  expect(waited).toBeLessThan(5300);
});
