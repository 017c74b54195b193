import { envelope, lines, makes, ofOneFile, type PatchScenario, refuses } from "./patch-scenario.ts";

const update = (...body: readonly string[]) => envelope("*** Update File: f", ...body);
const one = (scenario: PatchScenario, more: object = {}) => ofOneFile({ path: "f", ...more }, scenario);
const abc = lines("a", "b", "c");
const two = lines("start();", "work();", "end();", "start();", "work();", "end();");

/** How hunks are found: grades, ambiguity, bytes that stay. */
export const matchingScenarios: readonly PatchScenario[] = [
  makes(
    "white space at the end of lines is passed over",
    { f: "a  \nb\t\nc\n" },
    update(" a", "-b", "+B", " c"),
    { f: "a  \nB\nc\n" },
    '"trailingSpace"',
  ),
  makes(
    "white space at the end of the patch's lines, too",
    { f: abc },
    update(" a ", "-b\t", "+B", " c"),
    { f: lines("a", "B", "c") },
    '"trailingSpace"',
  ),
  makes(
    "lines that are all indented more",
    { f: "    if x:\n      y\n\n    z\n" },
    update(" if x:", "-  y", "+  y2", "+", " ", " z"),
    { f: "    if x:\n      y2\n\n\n    z\n" },
    '"indent"',
  ),
  makes(
    "lines that are all indented less",
    { f: "if x:\n  y\n" },
    update("     if x:", "-      y", "+      y2"),
    { f: "if x:\n  y2\n" },
    '"indent"',
  ),
  makes(
    "a shift of tabs",
    { f: "\t\tx\n\t\t\ty\n" },
    update(" \tx", "-\t\ty", "+\t\tY", "+\tz"),
    { f: "\t\tx\n\t\t\tY\n\t\tz\n" },
    '"indent"',
  ),
  makes(
    "quotes, dashes and blanks that look alike",
    { f: "say(“hi”);\nx – y\u00a0z\nend\n" },
    update(' say("hi");', " x - y z", "-end", "+END"),
    { f: "say(“hi”);\nx – y\u00a0z\nEND\n" },
    '"lookalike"',
  ),
  makes(
    "a better grade elsewhere wins",
    { f: lines("  go();", "x", "go();") },
    update("-go();", "+went();"),
    { f: lines("  go();", "x", "went();") },
    '"exact"',
  ),
  makes(
    "CRLF stays, and new lines have it",
    { f: "a\r\nb\r\nc\r\n" },
    update(" a", "-b", "+B", "+B2", " c"),
    { f: "a\r\nB\r\nB2\r\nc\r\n" },
    '"exact"',
  ),
  makes(
    "mixed line ends stay as they are",
    { f: "a\r\nb\nc\r\nd\n" },
    update(" a", "-b", "+B", " c", "+c2", " d"),
    { f: "a\r\nB\nc\r\nc2\r\nd\n" },
  ),
  makes(
    "a byte order mark stays, and is not in the way",
    { f: "\ufeffimport os\nx\n" },
    update("-import os", "+import sys", " x"),
    { f: "\ufeffimport sys\nx\n" },
  ),
  makes(
    "a byte order mark that the patch shows",
    { f: "\ufeffimport os\nx\n" },
    update(" \ufeffimport os", "-x", "+y"),
    { f: "\ufeffimport os\ny\n" },
  ),
  makes("a byte order mark in both lines", { f: "\ufeffa\nx\n" }, update("-\ufeffa", "+\ufeffb"), {
    f: "\ufeffb\nx\n",
  }),
  makes("a byte order mark that the patch takes away", { f: "\ufeffa\nx\n" }, update("-\ufeffa", "+a"), {
    f: "a\nx\n",
  }),
  makes("a missing final newline is not invented", { f: "a\nb" }, update("-b", "+c", "+d"), { f: "a\nc\nd" }),
  makes("nor by a line that comes after it", { f: "a\nb" }, update(" b", "+c"), { f: "a\nb\nc" }),
  makes("a lone CR and U+2028 are content", { f: "a\rb\u2028c\nx\n" }, update(" a\rb\u2028c", "-x", "+y"), {
    f: "a\rb\u2028c\ny\n",
  }),
  makes(
    "both of two equal places, one after the other",
    { f: two },
    update(" start();", "-work();", "+w1();", "@@", " start();", "-work();", "+w2();"),
    { f: lines("start();", "w1();", "end();", "start();", "w2();", "end();") },
  ),
  makes(
    "an order that leaves one place",
    { f: lines("a", "x", "m", "a", "x") },
    update("-m", "+M", "@@", " a", "-x", "+X"),
    { f: lines("a", "x", "M", "a", "X") },
  ),
  makes(
    "a hunk that has been applied already",
    { f: lines("const first = 1;", "const second = 2;", "end();") },
    update(" const first = 1;", "+const second = 2;", " end();"),
    { f: lines("const first = 1;", "const second = 2;", "end();") },
    "HUNK_ALREADY_PRESENT",
  ),
  makes(
    "one hunk applied already and one not",
    { f: lines("const first = 1;", "const second = 2;", "end();", "x") },
    update(" const first = 1;", "+const second = 2;", " end();", "@@", "-x", "+y"),
    { f: lines("const first = 1;", "const second = 2;", "end();", "y") },
    "HUNK_ALREADY_PRESENT",
  ),
  refuses(
    "what is there already, on weak evidence",
    { f: lines("{", "a();", "}") },
    update(" {", "+a();", " }", "-b();"),
    ["PATCH_CONTEXT_NOT_FOUND", "line 3"],
  ),
  refuses(
    "new lines that are there twice",
    { f: lines("first one", "second one", "first one", "second one") },
    update(" first one", "-gone", "+second one"),
    ["PATCH_CONTEXT_NOT_FOUND", "do not stand together"],
  ),
  refuses("two places", { f: two }, update(" start();", "-work();", "+w();"), [
    "PATCH_CONTEXT_AMBIGUOUS",
    "lines 1, 4",
  ]),
  refuses("two places at a looser grade", { f: lines(" x y z", "q", " x y z") }, update("-x y z", "+X"), [
    "PATCH_CONTEXT_AMBIGUOUS",
    "lines 1, 3",
  ]),
  refuses(
    "an insertion between repeated lines",
    { f: lines("}", "", "}", "", "}") },
    update(" }", " ", "+new", " }"),
    ["PATCH_CONTEXT_AMBIGUOUS", "2 places"],
  ),
  refuses(
    "a number that names none of two places",
    { f: two },
    lines("--- a/f", "+++ b/f", "@@ -3,2 +3,2 @@", " start();", "-work();", "+w();"),
    ["PATCH_CONTEXT_AMBIGUOUS", "lines 1, 4"],
  ),
  refuses(
    "a number where the lines are not",
    { f: lines("a", "b") },
    lines("--- a/f", "+++ b/f", "@@ -2,1 +2,1 @@", "-gone line", "+x"),
    ["PATCH_CONTEXT_NOT_FOUND", "do not stand together"],
  ),
  refuses(
    "a near line",
    { f: lines("const value = compute(1);") },
    update("-const value = compute(2);", "+x"),
    ["PATCH_CONTEXT_NOT_FOUND", "nearest is at line 1"],
  ),
  refuses("different shifts", { f: lines("  a1", "    b1") }, update(" a1", "-b1", "+c1"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "only white space differs",
  ]),
  refuses("spaces for tabs", { f: lines("\ta1", "\tb1") }, update("   a1", "-  b1", "+  c1"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "only white space differs",
  ]),
  refuses(
    "a change of indentation that is there already",
    { f: lines("    foo();") },
    update("-  foo();", "+    foo();"),
    ["PATCH_CONTEXT_NOT_FOUND", "only white space differs"],
  ),
  refuses("hunks against the order of the file", { f: abc }, update("-c", "+C", "@@", "-a", "+A"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "order of the file",
  ]),
  refuses("hunks that overlap", { f: abc }, update(" a", "-b", "+B", "@@", " b", "-c", "+C"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "do not overlap",
  ]),
  refuses("an anchor that is not there", { f: abc }, update("@@ class X", "-b"), [
    "PATCH_CONTEXT_NOT_FOUND",
    '"class X"',
  ]),
  refuses("an anchor that is there twice", { f: two }, update("@@ start();", "-work();"), [
    "PATCH_CONTEXT_AMBIGUOUS",
    "lines 1, 4",
  ]),
  refuses("lines before their anchor only", { f: lines("x", "fn", "y") }, update("@@ fn", "-x"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "line 1",
  ]),
  refuses("new lines that could stand anywhere", { f: abc }, update("@@", "+x"), [
    "PATCH_CONTEXT_AMBIGUOUS",
    "anywhere",
  ]),
  refuses("an end that is not the end", { f: abc }, update("-b", "*** End of File"), [
    "PATCH_CONTEXT_NOT_FOUND",
    "end of the file",
  ]),
  refuses(
    "one bad hunk of three: nothing is written",
    { f: abc },
    update("-a", "+A", "@@", "-no such line", "@@", "-c", "+C"),
    ["PATCH_CONTEXT_NOT_FOUND", "Hunk 1"],
  ),
  one(makes("one file: hunks alone", { f: abc }, lines("@@", " a", "-b", "+B"), { f: lines("a", "B", "c") })),
  one(makes("one file: lines alone", { f: abc }, lines(" a", "-b", "+B"), { f: lines("a", "B", "c") })),
  one(
    makes("one file: a unified diff", { f: abc }, lines("--- a/f", "+++ b/f", "@@ -2 +2 @@", "-b", "+B"), {
      f: lines("a", "B", "c"),
    }),
  ),
  one(
    makes(
      "one file: headers, and hunks that do not count",
      { f: abc },
      lines("--- a/f", "+++ b/f", "@@", "-b", "+B"),
      { f: lines("a", "B", "c") },
    ),
  ),
  one(
    makes("one file: a section of an envelope", { f: abc }, lines("*** Update File: f", "-b", "+B"), {
      f: lines("a", "B", "c"),
    }),
  ),
  one(makes("one file: a whole envelope", { f: abc }, update("-b", "+B"), { f: lines("a", "B", "c") })),
  one(
    makes(
      "one file: lines that look like headers",
      { f: lines("-- x", "y") },
      lines("@@ -1,2 +1,2 @@", "--- x", "+++ z", " y"),
      { f: lines("++ z", "y") },
    ),
  ),
  one(
    makes(
      "one file: the same without counts",
      { f: lines("-- x", "y") },
      lines("@@", "--- x", "+++ z", " y"),
      { f: lines("++ z", "y") },
    ),
  ),
  one(makes("one file: it is made", {}, lines("+a", "+b"), { f: lines("a", "b") }), { create: true }),
  one(
    makes(
      "one file: it is made, with headers",
      {},
      lines("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"),
      { f: lines("a") },
    ),
    { create: true },
  ),
  one(makes("one file: it is moved", { f: abc }, lines("-b", "+B"), { g: lines("a", "B", "c") }), {
    destination: "g",
  }),
  one(
    refuses("one file: another name", { f: abc }, lines("--- a/g", "+++ b/g", "@@ -1 +1 @@", "-a", "+b"), [
      "PATCH_INVALID",
      '"g"',
    ]),
  ),
  one(
    refuses(
      "one file: a second one",
      { f: abc },
      lines("--- a/f", "+++ b/f", "@@ -1 +1 @@", "-a", "+b", "--- a/g", "+++ b/g", "@@ -1 +1 @@", "-a", "+b"),
      ["PATCH_INVALID", "another file"],
    ),
  ),
  one(
    refuses(
      "one file: a header of git between hunks",
      { f: abc },
      lines("@@ -1 +1 @@", "-a", "+b", "diff --git a/g b/g"),
      ["PATCH_INVALID", "Line 4"],
    ),
  ),
  one(
    refuses(
      "one file: a section of an envelope between hunks",
      { f: abc },
      lines("@@", "-a", "+b", "*** Update File: g"),
      ["PATCH_INVALID", "Line 4"],
    ),
  ),
  one(
    refuses(
      "one file: another one after the counted lines",
      { f: abc },
      lines("@@ -1 +1 @@", "-a", "+b", "--- g", "+++ g", "@@ -1 +1 @@", "-a", "+b"),
      ["PATCH_INVALID", "Line 4"],
    ),
  ),
  one(
    refuses("one file: made without saying so", {}, lines("*** Add File: f", "+a"), [
      "PATCH_INVALID",
      '"create"',
    ]),
  ),
  one(refuses("one file: made from old lines", {}, lines(" a", "+b"), ["PATCH_INVALID", '"create"']), {
    create: true,
  }),
  one(refuses("one file: deleted", { f: abc }, lines("*** Delete File: f"), ["PATCH_INVALID", "deletes"])),
  one(
    refuses(
      "one file: moved where nobody said",
      { f: abc },
      lines("*** Update File: f", "*** Move to: h", "-b"),
      ["PATCH_INVALID", '"h"'],
    ),
  ),
];
