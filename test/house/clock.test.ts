import ts from "typescript";
import { expect, test } from "vitest";
import { parseSource, typeScriptFiles, visitNodes } from "../support/source-files.ts";

const clockFile = "src/base/clock.ts";

/** Members that answer differently each time, and functions that wait. */
const members = new Set([
  "Date.now",
  "Math.random",
  "performance.now",
  "crypto.randomUUID",
  "crypto.getRandomValues",
]);
const names = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
  "randomUUID",
  "randomBytes",
  "randomInt",
  "getRandomValues",
  "hrtime",
]);

function variableValues(source: ts.SourceFile): readonly string[] {
  const found = new Set<string>();
  visitNodes(source, (node) => {
    if (ts.isPropertyAccessExpression(node)) {
      const object = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const member = `${object.getText()}.${node.name.text}`;
      if (members.has(member) || names.has(node.name.text)) found.add(member);
    } else if (ts.isNewExpression(node) && node.expression.getText() === "Date") {
      if ((node.arguments ?? []).length === 0) found.add("new Date()");
    } else if (ts.isIdentifier(node) && names.has(node.text) && !ts.isPropertyAccessExpression(node.parent)) {
      found.add(node.text);
    }
  });
  return [...found];
}

test("time, chance and waiting come from the injected clock and ids alone", () => {
  const files = typeScriptFiles("src").filter((file) => file !== clockFile);
  expect(files.length).toBeGreaterThan(0);
  const found = files.flatMap((file) =>
    variableValues(parseSource(file)).map((value) => `${file}: ${value}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ["const a = Date.now();", "Date.now"],
  ["const a = globalThis.Date.now();", "Date.now"],
  ["const a = new Date();", "new Date()"],
  ["const a = Math.random();", "Math.random"],
  ["const a = crypto.randomUUID();", "crypto.randomUUID"],
  ["setTimeout(a, 1);", "setTimeout"],
  ["globalThis.setTimeout(a, 1);", "globalThis.setTimeout"],
  ['import { randomBytes } from "node:crypto";', "randomBytes"],
])("the search finds %s", (text, value) => {
  expect(variableValues(parseSource("src/core/a.ts", text))).toContain(value);
});

test("a date made of a given number is allowed", () => {
  expect(variableValues(parseSource("src/core/a.ts", "const a = new Date(clock.now());"))).toEqual([]);
});
