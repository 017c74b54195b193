import { describe, expect, it } from "vitest";
import { utf8 } from "../../../src/base/bytes.ts";
import { hashBytes, loadPortableHashing } from "../../../src/base/hashing.ts";

const hashing = await loadPortableHashing();

describe("portable hashing", () => {
  it.each([
    ["", "ef46db3751d8e999"],
    ["a", "d24ec4f1a98c6e5b"],
    ["abc", "44bc2cf5ad770999"],
    ["Nobody inspects the spammish repetition", "fbcea83c8a378bf1"],
  ])("gives the known xxh64 of %j", (text, digest) => {
    expect(hashBytes(hashing, "xxh64", utf8(text))).toBe(digest);
  });

  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("gives the known SHA-256 of %j", (text, digest) => {
    expect(hashBytes(hashing, "sha256", utf8(text))).toBe(digest);
  });

  it.each(["sha256", "xxh64"] as const)(
    "gives one %s for any cut of the bytes, also interleaved",
    (algorithm) => {
      const bytes = Uint8Array.from({ length: 1000 }, (_, index) => (index * 7) & 255);
      const states = [hashing[algorithm](), hashing[algorithm]()] as const;
      for (let at = 0; at < bytes.length; at += 37)
        for (const state of states) state.update(bytes.subarray(at, at + 37));
      const whole = hashBytes(hashing, algorithm, bytes);
      expect(states.map((state) => state.digest())).toEqual([whole, whole]);
    },
  );

  it("pads an xxh64 with leading zeros to 16 digits", () => {
    const short = Array.from({ length: 2000 }, (_, index) => hashBytes(hashing, "xxh64", utf8(`${index}`)));
    expect(short.every((digest) => /^[0-9a-f]{16}$/.test(digest))).toBe(true);
    expect(short.some((digest) => digest.startsWith("0"))).toBe(true);
  });
});
