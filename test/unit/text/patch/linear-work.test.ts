import { expect, test } from "vitest";
import { runSteps } from "../../../../src/base/steps.ts";
import { applyHunks } from "../../../../src/text/patch/apply-hunks.ts";
import { parsePatch } from "../../../../src/text/patch/parse-patch.ts";
import { openText } from "../../../support/edit-text.ts";

interface Shape {
  readonly name: string;
  /** A file and a patch of it, in proportion to a size. */
  readonly make: (size: number) => { readonly file: string; readonly patch: string };
}

const repeat = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const envelope = (body: string) => `*** Begin Patch\n*** Update File: f\n${body}*** End Patch\n`;

const shapes: readonly Shape[] = [
  {
    name: "one line, repeated, and a hunk of half of them",
    make: (size) => ({ file: "a\n".repeat(size), patch: envelope(`@@\n${" a\n".repeat(size / 2)}+b\n`) }),
  },
  {
    name: "one line, repeated, and many hunks of a few of them",
    make: (size) => ({
      file: "a\n".repeat(size),
      patch: envelope(repeat(size / 8, () => "@@\n a\n-a\n+b\n a\n")),
    }),
  },
  {
    name: "two lines that take turns, and hunks that nearly fit",
    make: (size) => ({
      file: "a\nb\n".repeat(size / 2),
      patch: envelope(repeat(size / 40, (at) => `@@\n${" a\n b\n".repeat(8)} a\n-a\n+${at}\n`)),
    }),
  },
  {
    name: "different lines, and a hunk for each tenth, all indented otherwise",
    make: (size) => ({
      file: repeat(size, (at) => `    line ${at}\n`),
      patch: envelope(repeat(size / 10, (at) => `@@\n line ${at * 10}\n-line ${at * 10 + 1}\n+new ${at}\n`)),
    }),
  },
  {
    name: "lines that are equal but for their indentation, and hunks that are shifted unevenly",
    make: (size) => ({
      file: repeat(size, (at) => `${" ".repeat(2 + (at % 3))}a\n`),
      patch: envelope(
        repeat(size / 40, (at) => `@@\n${repeat(12, (line) => ` ${" ".repeat(line % 2)}a\n`)}+${at}\n`),
      ),
    }),
  },
  {
    name: "an anchor for each hunk",
    make: (size) => ({
      file: repeat(size / 4, (at) => `fn ${at}\n{\nbody\n}\n`),
      patch: envelope(repeat(size / 4, (at) => `@@ fn ${at}\n {\n-body\n+new\n`)),
    }),
  },
];

/** Counts the pieces of work that reading and applying a patch takes. */
function work({ file, patch }: { readonly file: string; readonly patch: string }): number {
  let pieces = 0;
  const count = <T>(steps: Generator<undefined, T, undefined>): T => {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      pieces++;
    }
  };
  const parsed = count(parsePatch(patch));
  const [section] = parsed.value ?? [];
  if (section === undefined) throw new Error(parsed.problem?.message);
  count(applyHunks(openText(file), section.hunks));
  return pieces;
}

test.each(shapes.map((shape) => [shape.name, shape] as const))(
  "twice the size is twice the work: %s",
  (_name, { make }) => {
    const small = work(make(20_000));
    const large = work(make(40_000));
    expect(large).toBeLessThan(2.3 * small + 40);
  },
);

test("a file of 200,000 equal lines is patched at its end", () => {
  const file = openText(`${"a\n".repeat(200_000)}b\n`);
  const parsed = runSteps(parsePatch(envelope(`@@\n${" a\n".repeat(1000)}-b\n+c\n`)));
  const result = runSteps(applyHunks(file, parsed.value?.[0]?.hunks ?? []));
  expect(result.problems).toBeUndefined();
  expect("hunks" in result && result.hunks[0]?.line).toBe(199_001);
});
