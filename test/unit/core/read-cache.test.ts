import { describe, expect, test } from "vitest";
import { ReadCache } from "../../../src/core/read-cache.ts";

const room = 64 * 1024;

function file(length: number, executable = false) {
  return { kind: "file", executable, bytes: new Uint8Array(length) } as const;
}

describe("a cache of files that were read", () => {
  test("gives a file at the revision that it had, and at no other path or revision", () => {
    const cache = new ReadCache(room);
    const read = file(10);
    cache.remember("a", "r1", read);
    expect(cache.find("a", "r1")?.bytes).toBe(read.bytes);
    expect(cache.find("a", "r2")).toBeUndefined();
    expect(cache.find("b", "r1")).toBeUndefined();
  });

  test("keeps within its room and lets go of what was used longest ago", () => {
    const cache = new ReadCache(room);
    for (const name of ["1", "2", "3", "4"]) cache.remember("a", name, file(room / 4 - 1024));
    cache.find("a", "1");
    cache.remember("a", "3", file(room / 4 - 1024));
    cache.remember("a", "5", file(room / 4 - 1024));
    const kept = ["1", "2", "3", "4", "5"].filter((name) => cache.find("a", name) !== undefined);
    expect(kept).toEqual(["1", "3", "4", "5"]);
  });

  test("counts what it keeps once, however often it is read, and takes the mode of the last time", () => {
    const cache = new ReadCache(room);
    const first = file(room / 4 - 1024);
    cache.remember("b", "r1", file(room / 4 - 1024));
    cache.remember("a", "r1", first);
    for (let times = 0; times < 10; times++) cache.remember("a", "r1", file(first.bytes.byteLength, true));
    expect(cache.find("b", "r1")).toBeDefined();
    expect(cache.find("a", "r1")?.executable).toBe(true);
    expect(cache.find("a", "r1")?.bytes).toBe(first.bytes);
  });

  test("passes over what would take more than a quarter of the room", () => {
    const cache = new ReadCache(room);
    cache.remember("a", "r1", file(10));
    cache.remember("a", "r2", file(room / 4 + 1));
    expect(cache.takes(new Uint8Array(room / 4 + 1))).toBe(false);
    expect(cache.find("a", "r2")).toBeUndefined();
    expect(cache.find("a", "r1")).toBeDefined();
  });

  test("counts the whole memory that a part keeps alive", () => {
    const cache = new ReadCache(room);
    const { kind, executable, bytes } = file(room);
    cache.remember("a", "r1", { kind, executable, bytes: bytes.subarray(0, 1) });
    expect(cache.find("a", "r1")).toBeUndefined();
  });

  test("does not keep empty files without end", () => {
    const cache = new ReadCache(room);
    for (let count = 0; count < 1000; count++) cache.remember("a", `r${count}`, file(0));
    const kept = Array.from({ length: 1000 }, (_, at) => cache.find("a", `r${at}`)).filter(Boolean);
    expect(kept.length).toBeLessThan(200);
    expect(cache.find("a", "r999")).toBeDefined();
  });
});
