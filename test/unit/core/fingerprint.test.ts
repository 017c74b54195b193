import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { loadPortableHashing } from "../../../src/base/hashing.ts";
import { fingerprintOf, isRevision, revisionOf } from "../../../src/core/fingerprint.ts";

const hashing = await loadPortableHashing();
const noPause = () => undefined;
const bytes = new Uint8Array(2_500_000).map((_, index) => index % 251);
const sha256 = createHash("sha256").update(bytes).digest("hex");

test("the revision is the hash of all bytes, however many pieces they are hashed in", async () => {
  expect(await revisionOf({ hashing, revisionAlgorithm: "sha256" }, bytes, noPause)).toBe(sha256);
  const whole = hashing.xxh64();
  whole.update(bytes);
  expect(await revisionOf({ hashing, revisionAlgorithm: "xxh64" }, bytes, noPause)).toBe(whole.digest());
});

test.each(["xxh64", "sha256"] as const)(
  "both names of bytes are found in one pass with %s",
  async (revisionAlgorithm) => {
    const context = { hashing, revisionAlgorithm };
    expect(await fingerprintOf(context, bytes, noPause)).toEqual({
      contentId: sha256,
      revision: await revisionOf(context, bytes, noPause),
    });
  },
);

test("of no bytes are the hashes of nothing", async () => {
  const nothing = new Uint8Array(0);
  expect(await revisionOf({ hashing, revisionAlgorithm: "xxh64" }, nothing, noPause)).toBe(
    "ef46db3751d8e999",
  );
});

test("many bytes are hashed in pieces between which others can run", async () => {
  let pauses = 0;
  await revisionOf({ hashing, revisionAlgorithm: "xxh64" }, bytes, () => {
    pauses += 1;
    return Promise.resolve();
  });
  expect(pauses).toBeGreaterThanOrEqual(3);
});

test.each([
  ["xxh64", "0123456789abcdef", true],
  ["xxh64", "0123456789ABCDEF", false],
  ["xxh64", "0123456789abcde", false],
  ["xxh64", sha256, false],
  ["sha256", sha256, true],
  ["sha256", "0123456789abcdef", false],
] as const)("with %s, whether %s has the form of a revision is %s", (revisionAlgorithm, text, expected) => {
  expect(isRevision({ revisionAlgorithm }, text)).toBe(expected);
});
