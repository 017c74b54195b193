import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { waitingCases } from "./waiting.ts";

/** The numbers of all reported failures that concern this library; gaps are reports that do not. */
const corpus = [
  1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38, 40, 41,
  43, 44, 46, 47, 49, 50, 52, 53, 55, 56, 58, 59, 61, 62, 64, 65, 67, 68, 70, 71, 73, 74, 76, 77, 79, 80, 82,
  83, 85, 86, 88, 89, 91, 92, 94, 95, 97, 98, 100, 101, 103, 104, 106, 107, 109, 110, 112, 113, 115, 116, 118,
  119, 121, 122, 124, 125, 127, 128, 130, 131, 133, 134, 136, 137, 139, 140, 142, 143, 145, 146, 148, 149,
  151, 152, 154, 155, 157, 158, 160, 161, 163, 164, 166, 167, 169, 170, 172, 173, 175, 176, 178, 179, 181,
  182, 184, 185, 187, 188, 190, 191, 193, 194, 196, 197,
];

const folder = fileURLToPath(new URL(".", import.meta.url));
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".test.ts") && name !== "completeness.test.ts")
  .map((name) => ({ name, text: readFileSync(`${folder}${name}`, "utf8") }));

/** Numbers that stand, after a `#`, in the texts of a source. */
function numbersIn(text: string): number[] {
  return [...text.matchAll(/["`, ]#(\d+)\b/g)].map(([, digits]) => Number(digits));
}

const tried = new Set(sources.flatMap(({ text }) => numbersIn(text)));

test("every reported failure is tried or waits for a named feature", () => {
  const covered = new Set([...tried, ...waitingCases.map(({ number }) => number)]);
  expect([...covered].sort((a, b) => a - b)).toEqual(corpus);
});

test("what waits is not said to be untried when it is tried, nor the other way round", () => {
  expect(
    waitingCases.filter(({ number, tried: part }) => (part !== undefined) !== tried.has(number)),
  ).toEqual([]);
  expect(waitingCases.map(({ number }) => number)).toEqual(
    [...new Set(waitingCases.map(({ number }) => number))].sort((a, b) => a - b),
  );
});

test("no case is skipped or left for later", () => {
  const left = sources.flatMap(({ name, text }) =>
    /\b(?:test|describe|it)\.(?:skip|todo|only|fails)\b/.test(text) ? [name] : [],
  );
  expect(left).toEqual([]);
});

test("the cases that wait are told, by what they wait for", () => {
  const lines = [...new Set(waitingCases.map(({ feature }) => feature))].map((feature) => {
    const cases = waitingCases.filter((waiting) => waiting.feature === feature);
    return `  ${feature}: ${cases.map(({ number, tried: part }) => `#${number}${part === undefined ? "" : " (in part)"}`).join(", ")}`;
  });
  console.log(`Reported failures that wait, of ${corpus.length}:\n${lines.join("\n")}`);
  expect(lines.length).toBeGreaterThan(0);
});

test.each([
  ['test("#12 a sentence"', [12]],
  ["test(`every #7, #8 and #9`", [7, 8, 9]],
  ["a.#7 and x#8", []],
])("the search for numbers reads %s", (text, numbers) => {
  expect(numbersIn(text)).toEqual(numbers);
});
