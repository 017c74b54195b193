import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createTools, toJsonSchemas } from "holdfast/mcp";
import { expect, test } from "vitest";
import * as z from "zod";
import { listTools } from "../../scripts/tools-doc.ts";
import { testWorkspace } from "../support/grounds/test-workspace.ts";

await using opened = await testWorkspace();
const tools = createTools(opened.workspace);

function keywordsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(keywordsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keywordsOf(inner)]);
}

test("the list of tools is the one that is pinned", () => {
  const file = fileURLToPath(new URL("./tool-list.json", import.meta.url));
  expect(listTools(tools)).toEqual(JSON.parse(readFileSync(file, "utf8")));
});

test("no schema has a union or a reference at any depth", () => {
  const keywords = keywordsOf(listTools(tools));
  expect(keywords).toContain("additionalProperties");
  for (const union of ["oneOf", "anyOf", "allOf", "not", "$ref", "$defs"])
    expect(keywords).not.toContain(union);
});

test("every type is one name, since some hosts take no list of types", () => {
  const typesOf = (value: unknown): readonly unknown[] => {
    if (Array.isArray(value)) return value.flatMap(typesOf);
    if (typeof value !== "object" || value === null) return [];
    const own = "type" in value && typeof value.type !== "object" ? [value.type] : [];
    const lists = "type" in value && Array.isArray(value.type) ? [value.type] : [];
    return [...own, ...lists, ...Object.values(value).flatMap(typesOf)];
  };
  expect(typesOf(listTools(tools)).filter((type) => typeof type !== "string")).toEqual([]);
});

test.each(tools)("both schemas of $name convert as input and as output", ({ inputSchema, outputSchema }) => {
  for (const schema of [inputSchema, outputSchema as z.ZodObject]) {
    for (const io of ["input", "output"] as const)
      expect(z.toJSONSchema(schema, { io })).toMatchObject({ type: "object" });
  }
});

test.each(tools)("the description of $name is short and says what a repeat does", ({ description }) => {
  expect(description.split(/\s+/).length).toBeLessThanOrEqual(60);
  expect(description).toContain("repeat");
});

test("what a model pays for the list stays within 2,000 tokens", () => {
  const costs = toJsonSchemas(tools).map(({ name, description, inputSchema }) => ({
    name,
    tokens: Math.ceil((name.length + description.length + JSON.stringify(inputSchema).length) / 4),
  }));
  const sum = costs.reduce((total, { tokens }) => total + tokens, 0);
  console.log(
    [...costs, { name: "sum", tokens: sum }].map(({ name, tokens }) => `${name} ${tokens}`).join(", "),
  );
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThanOrEqual(2000);
});

test("hosts can see which tool only looks", () => {
  expect(tools.map(({ name, mutates, annotations }) => [name, mutates, annotations.readOnlyHint])).toEqual([
    ["read_file", false, true],
    ["apply_changes", true, false],
  ]);
});
