import fc from "fast-check";
import { expect, test } from "vitest";
import { SortedTexts } from "../../../../src/storage/memory/sorted-texts.ts";

test("the texts come in order after any adding and removing, a few at a time or many", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 3 });
  fc.assert(
    fc.property(
      fc.array(fc.array(text, { maxLength: 80 }), { maxLength: 6 }),
      text,
      text,
      (rounds, from, after) => {
        const sorted = new SortedTexts();
        const model = new Set<string>();
        for (const round of rounds) {
          for (const each of round) {
            if (model.delete(each)) sorted.remove(each);
            else {
              model.add(each);
              sorted.add(each);
            }
          }
          expect([...sorted.walk("")]).toEqual([...model].sort());
        }
        const part = [...model].sort().filter((each) => each >= from && each > after);
        expect([...sorted.walk(from, after)]).toEqual(part);
      },
    ),
  );
});

test("a walk goes on in order while texts come and go", () => {
  const sorted = new SortedTexts();
  for (const text of ["b", "d", "f", "h"]) sorted.add(text);
  const walked: string[] = [];
  for (const text of sorted.walk("")) {
    walked.push(text);
    if (text !== "d") continue;
    sorted.remove("b");
    sorted.remove("d");
    sorted.remove("f");
    for (const added of ["a", "e", "i"]) sorted.add(added);
  }
  expect(walked).toEqual(["b", "d", "e", "h", "i"]);
});
