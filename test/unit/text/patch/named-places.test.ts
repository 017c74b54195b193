import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/base/steps.ts";
import { openHunkSearch } from "../../../../src/text/patch/hunk-search.ts";
import { findNamedPlaces } from "../../../../src/text/patch/named-places.ts";
import { parsePatch } from "../../../../src/text/patch/parse-patch.ts";
import { openDocument } from "../../../../src/text/text-document.ts";

/** Where hunks stand, when all stand where they say. */
function placesOf(file: string | Uint8Array, hunks: string) {
  const document = runSteps(openDocument(typeof file === "string" ? new TextEncoder().encode(file) : file));
  const { value } = runSteps(parsePatch(`--- a/file\n+++ b/file\n${hunks}`));
  if (document.kind !== "text" || value?.[0] === undefined)
    throw new Error("The case is not as it was meant.");
  return runSteps(findNamedPlaces(openHunkSearch(document, value[0].hunks)));
}

const equalLines = "a\n".repeat(20);

describe("the places that hunks name", () => {
  test.each<[string, string, string, number[]]>([
    ["among equal lines", equalLines, "@@ -5,2 +5,2 @@\n a\n-a\n+b\n", [4]],
    ["one behind the other", equalLines, "@@ -2,2 +2,2 @@\n a\n-a\n+b\n@@ -4,1 +4,1 @@\n-a\n+b\n", [1, 3]],
    ["up to the last line", "x\ny\n", "@@ -2,1 +2,1 @@\n-y\n+z\n", [1]],
    ["in a file with other line ends", "x\r\ny\r\n", "@@ -1,2 +1,2 @@\n x\n-y\n+z\n", [0]],
    ["behind a byte order mark", "\ufeffx\ny\n", "@@ -1,2 +1,2 @@\n x\n-y\n+z\n", [0]],
    ["with lines that are not ASCII", "ä\n日本\n", "@@ -1,2 +1,2 @@\n ä\n-日本\n+z\n", [0]],
  ])("are taken %s", (_, file, hunks, expected) => {
    expect(placesOf(file, hunks)).toEqual(expected);
  });

  test.each<[string, string | Uint8Array, string]>([
    ["one hunk stands elsewhere", "x\ny\nz\n", "@@ -1,1 +1,1 @@\n-x\n+w\n@@ -2,1 +2,1 @@\n-z\n+w\n"],
    ["a line only begins like that of the hunk", "xy\n", "@@ -1,1 +1,1 @@\n-x\n+w\n"],
    ["a line is shorter than that of the hunk", "x\n", "@@ -1,1 +1,1 @@\n-xy\n+w\n"],
    ["a line that is not ASCII is another", "xä\n", "@@ -1,1 +1,1 @@\n-xö\n+w\n"],
    ["blanks at the end of a line differ", "x \n", "@@ -1,1 +1,1 @@\n-x\n+w\n"],
    [
      "half of a surrogate pair stands for what it is written as",
      "\ufffd\n",
      "@@ -1,1 +1,1 @@\n-\ud800\n+w\n",
    ],
    ["hunks overlap", equalLines, "@@ -2,2 +2,2 @@\n a\n-a\n+b\n@@ -3,1 +3,1 @@\n-a\n+b\n"],
    ["the file ends before the hunk does", "x\ny\n", "@@ -2,2 +2,1 @@\n y\n-z\n"],
    ["a hunk has no lines to be found by", "x\n", "@@ -1,0 +2,1 @@\n+y\n"],
    [
      "a hunk belongs to the end of the file",
      "x\ny",
      "@@ -2,1 +2,1 @@\n-y\n\\ No newline at end of file\n+z\n",
    ],
    ["a hunk is written with the byte order mark", "\ufeffx\n", "@@ -1,1 +1,1 @@\n-\ufeffx\n+\ufeffy\n"],
    ["the file is not UTF-8", new Uint8Array([0xe9, 10, 0x78, 10]), "@@ -2,1 +2,1 @@\n-x\n+y\n"],
  ])("are not taken when %s", (_, file, hunks) => {
    expect(placesOf(file, hunks)).toBeUndefined();
  });
});
