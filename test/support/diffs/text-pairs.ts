import fc from "fast-check";

/** Lines that readers of diffs have tripped over, each as the bytes of a latin1 text. */
const oddLines = [
  "",
  "",
  " ",
  "\t",
  "a",
  "a",
  "b",
  "b ",
  "\ra",
  "a\rb",
  "-",
  "+",
  "-- a/f.txt",
  "++ b/f.txt",
  "--- a/f.txt",
  "+++ b/f.txt",
  "@@ -1 +1 @@",
  "diff --git a/f.txt b/f.txt",
  "\\ No newline at end of file",
  "GIT binary patch",
  "rename from x",
  "\f\v\b\u001b[31m",
  Buffer.from("naïve\u2028\u2029\u0085\ufeff日本😀").toString("latin1"),
];

/** Bytes that are no UTF-8. */
const eightBitLines = ["caf\u00e9", "\u00ff", "\u0085", "\u00e9\u00e9", "\u00c3"];

const line = (all: readonly string[]) => fc.constantFrom(...all);
const terminator = fc.constantFrom("\n", "\n", "\n", "\r\n");

/** Text before its lines are put together. */
interface Lines {
  readonly lines: readonly (readonly [string, string])[];
  readonly bom: boolean;
  readonly open: boolean;
}

function put({ lines, bom, open }: Lines): Buffer {
  const text = lines.map(([content, end]) => content + end).join("");
  const whole = open ? text.replace(/\r?\n$/, "") : text;
  return Buffer.from((bom ? "\u00ef\u00bb\u00bf" : "") + whole, "latin1");
}

function linesOf(all: readonly string[], maxLength: number): fc.Arbitrary<Lines["lines"]> {
  return fc.array(fc.tuple(line(all), terminator), { maxLength });
}

const ends = { bom: fc.boolean(), open: fc.boolean() };

/** Two texts that share most of their lines. */
function relatedPair(all: readonly string[]): fc.Arbitrary<readonly [Buffer, Buffer]> {
  const splice = fc.tuple(fc.nat(40), fc.nat(3), linesOf(all, 3));
  return fc
    .record({
      lines: linesOf(all, 40),
      splices: fc.array(splice, { maxLength: 4 }),
      old: fc.record(ends),
      now: fc.record(ends),
    })
    .map(({ lines, splices, old, now }) => {
      const changed = [...lines];
      for (const [at, removed, added] of splices) changed.splice(at, removed, ...added);
      return [put({ lines, ...old }), put({ lines: changed, ...now })] as const;
    });
}

/** Two texts, of UTF-8 or of 8 bits; never the same. */
export const textPair: fc.Arbitrary<readonly [Buffer, Buffer]> = fc
  .oneof(
    { weight: 4, arbitrary: relatedPair(oddLines) },
    { weight: 2, arbitrary: relatedPair([...oddLines, ...eightBitLines]) },
    { weight: 1, arbitrary: relatedPair(["x", ""]) },
  )
  .filter(([a, b]) => !a.equals(b) && isText(a) && isText(b));

/** A mark of UTF-16 at the beginning makes a file binary. */
function isText(bytes: Buffer): boolean {
  return !["\u00ff\u00fe", "\u00fe\u00ff"].includes(bytes.subarray(0, 2).toString("latin1"));
}

/** Lines of context, and how many are enough for all. */
export const contextLines = fc.constantFrom(0, 1, 2, 3, 3, 10, 1_000_000);
