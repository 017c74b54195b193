import { describe, expect, it } from "vitest";
import { concatBytes, equalBytes, utf8 } from "../../../src/base/bytes.ts";

describe("equalBytes", () => {
  it.each([
    [[], [], true],
    [[1, 2], [1, 2], true],
    [[1, 2], [1, 3], false],
    [[1, 2], [1], false],
    [[0], [], false],
  ])("compares %j with %j", (a, b, equal) => {
    expect(equalBytes(Uint8Array.from(a), Uint8Array.from(b))).toBe(equal);
  });
});

describe("concatBytes", () => {
  it("joins in order into bytes of its own", () => {
    const part = utf8("ab");
    const joined = concatBytes([part, new Uint8Array(), utf8("c")]);
    part[0] = 0;
    expect(new TextDecoder().decode(joined)).toBe("abc");
    expect(concatBytes([]).byteLength).toBe(0);
  });
});
