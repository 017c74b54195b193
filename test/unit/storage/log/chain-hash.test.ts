import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { chainHash, firstPreviousHash } from "../../../../src/storage/log/chain-hash.ts";

const hashing = await loadNodeHashing();

test("the hash is SHA-256 over the number, the previous hash and the bytes, with line feeds between", () => {
  const expected = createHash("sha256").update(`7\n${firstPreviousHash}\n{"a":1}`).digest("hex");
  expect(chainHash(hashing, 7, firstPreviousHash, utf8('{"a":1}'))).toBe(expected);
});

test("the hash before the first entry is 64 zeros", () => {
  expect(firstPreviousHash).toMatch(/^0{64}$/);
});

test("number, previous hash and bytes each change the hash, and no digit moves between them", () => {
  const other = "1".repeat(64);
  const hashes = [
    chainHash(hashing, 1, firstPreviousHash, utf8("a")),
    chainHash(hashing, 2, firstPreviousHash, utf8("a")),
    chainHash(hashing, 1, other, utf8("a")),
    chainHash(hashing, 1, firstPreviousHash, utf8("b")),
    chainHash(hashing, 1, firstPreviousHash, utf8("")),
    chainHash(hashing, 11, other, utf8("")),
    chainHash(hashing, 1, `1${other}`, utf8("")),
    chainHash(hashing, 1, other, utf8("1")),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{64}$/);
});
