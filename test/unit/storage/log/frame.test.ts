import { describe, expect, test } from "vitest";
import { utf8 } from "../../../../src/base/bytes.ts";
import { loadNodeHashing } from "../../../../src/storage/directory/node-hashing.ts";
import { encodeFrame, frameHeaderBytes, logFormat, scanFrame } from "../../../../src/storage/log/frame.ts";

const hashing = await loadNodeHashing();
const frame = encodeFrame(hashing, [utf8("one "), new Uint8Array(), utf8("payload")]);

/** Bytes in the middle of a file, so that windows on a larger buffer are tried too. */
function at(offset: number, bytes: Uint8Array, after: Uint8Array = new Uint8Array()): Uint8Array {
  const whole = new Uint8Array(offset + bytes.byteLength + after.byteLength + 7);
  whole.set(bytes, offset + 3);
  whole.set(after, offset + 3 + bytes.byteLength);
  return whole.subarray(3, 3 + offset + bytes.byteLength + after.byteLength);
}

test("a frame is read back with its payload and its end, wherever it begins", () => {
  for (const offset of [0, 1, 4095]) {
    const scanned = scanFrame(hashing, at(offset, frame), offset);
    expect(scanned).toEqual({ state: "whole", payload: utf8("one payload"), end: offset + frame.byteLength });
  }
});

test("two frames that follow each other are read one after the other", () => {
  const second = encodeFrame(hashing, [utf8("second")]);
  const bytes = at(0, frame, second);
  const first = scanFrame(hashing, bytes, 0);
  expect(first).toMatchObject({ state: "whole", end: frame.byteLength });
  expect(scanFrame(hashing, bytes, frame.byteLength)).toMatchObject({
    state: "whole",
    payload: utf8("second"),
    end: bytes.byteLength,
  });
});

describe("A frame that a power cut left unfinished", () => {
  test("is torn when it is cut off after any byte", () => {
    for (let length = 1; length < frame.byteLength; length++)
      expect(scanFrame(hashing, frame.slice(0, length), 0), `cut after ${length}`).toEqual({ state: "torn" });
  });

  test("is torn when it is zeros from any byte on", () => {
    for (let length = 1; length < frame.byteLength; length++) {
      const bytes = at(0, frame, new Uint8Array(4096));
      bytes.fill(0, length);
      expect(scanFrame(hashing, bytes, 0), `zeros from ${length} on`).toEqual({ state: "torn" });
    }
  });

  test("is torn when its beginning is zeros and its end has been written", () => {
    for (let zeros = 1; zeros < frameHeaderBytes; zeros++) {
      const bytes = frame.slice();
      bytes.fill(0, 0, zeros);
      expect(scanFrame(hashing, bytes, 0).state, `${zeros} zeros`).toBe("torn");
    }
  });

  test("is torn when any bit of its length, checksum or payload is another", () => {
    for (let index = 0; index < frame.byteLength; index++) {
      if (index >= 4 && index < 8) continue;
      for (let bit = 0; bit < 8; bit++) {
        const bytes = frame.slice();
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        expect(scanFrame(hashing, bytes, 0), `bit ${bit} of byte ${index}`).toEqual({ state: "torn" });
      }
    }
  });
});

describe("What stands where no frame was written", () => {
  test("is empty when it is zeros, also when fewer than a header are left, and at the end", () => {
    for (let length = 0; length <= frameHeaderBytes + 2; length++)
      expect(scanFrame(hashing, new Uint8Array(length), 0)).toEqual({ state: "empty" });
    expect(scanFrame(hashing, at(frame.byteLength, new Uint8Array(4096)), frame.byteLength)).toEqual({
      state: "empty",
    });
  });

  test("is torn when it is the rest of an older, longer frame", () => {
    const older = encodeFrame(hashing, [new Uint8Array(200).fill(0x61)]);
    const bytes = older.slice();
    bytes.set(frame);
    expect(scanFrame(hashing, bytes, 0)).toMatchObject({ state: "whole", end: frame.byteLength });
    expect(scanFrame(hashing, bytes, frame.byteLength)).toEqual({ state: "torn" });
  });

  test("is torn when it is text, or names a length of four gigabytes", () => {
    expect(scanFrame(hashing, utf8("some text that somebody wrote over the log"), 0)).toEqual({
      state: "torn",
    });
    const bytes = frame.slice();
    bytes.fill(0xff, 0, 4);
    expect(scanFrame(hashing, bytes, 0)).toEqual({ state: "torn" });
  });
});

test("a whole frame of a newer format is told apart from a torn one", () => {
  const newer = encodeFrame(hashing, [frame.subarray(frameHeaderBytes)], logFormat + 1);
  expect(scanFrame(hashing, newer, 0)).toEqual({ state: "newer", format: logFormat + 1 });
  newer[frameHeaderBytes] = ~(newer[frameHeaderBytes] ?? 0);
  expect(scanFrame(hashing, newer, 0)).toEqual({ state: "torn" });
  const flipped = frame.slice();
  new DataView(flipped.buffer).setUint32(4, logFormat + 1, true);
  expect(scanFrame(hashing, flipped, 0)).toEqual({ state: "torn" });
});
