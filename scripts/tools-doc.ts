// Writes docs/tools.md and the pinned list of tools from the definitions: `npx tsx scripts/tools-doc.ts && npm run format`.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { MemoryStorage, toolLimits, Workspace } from "../src/index.ts";
import { createTools, type ToolDefinition, toJsonSchemas } from "../src/mcp.ts";

interface FieldSchema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly items?: FieldSchema;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly required?: readonly string[];
}

/** What the list of tools is to a client, as plain JSON. */
export function listTools(tools: readonly ToolDefinition[]): readonly object[] {
  const inputs = toJsonSchemas(tools);
  const listed = tools.map(({ name, title, description, annotations, mutates, outputSchema }, index) => ({
    name,
    title,
    description,
    annotations,
    mutates,
    inputSchema: inputs[index]?.inputSchema,
    outputSchema: outputSchema && z.toJSONSchema(outputSchema, { io: "output" }),
  }));
  return JSON.parse(JSON.stringify(listed)) as readonly object[];
}

/** Renders the page about tools from their definitions. */
export function renderToolsDoc(tools: readonly ToolDefinition[]): string {
  return `${[introduction, ...tools.map(renderTool), conclusion].join("\n\n")}\n`;
}

const introduction = `# Tools

<!-- Generated from the definitions in src/mcp by scripts/tools-doc.ts. Do not edit. -->

\`createTools(workspace)\` of \`holdfast/mcp\` makes these tools, and \`registerTools(server, tools)\` publishes them on a
server of the official SDK, of either generation. \`toJsonSchemas(tools)\` gives the same as plain JSON for other hosts.

- Published schemas are flat: one object with every field, no union at any depth. The tool then checks strictly: which
  fields go with which \`action\` and \`op\`, and refuses the others by name with the nearest field that is known.
- Spellings that models use from habit are understood: \`file_path\`, \`old_string\`, \`new_str\`, \`replace_all\`,
  \`start_line\` and their like. A field that is \`null\` counts as left out.
- Paths are relative to the root. A workspace does not tell where its root is, so absolute paths are refused.`;

const conclusion = `## Answers

The text of an answer is enough for a model, its structure is enough for a program. A success is \`{ ok: true, … }\` with
the fields of the library's own result. A refusal is \`{ ok: false, error, continuation }\` and is marked \`isError\`:
\`error.code\` is one of the [codes](errors.md), \`error.problems\` names everything that is wrong with its place,
\`error.written\` says whether anything was written, and \`continuation\` is the next step, naming only tools that are
listed. Something unexpected is \`UNHANDLED_EXCEPTION\` with a correlation id and no other words.

Whole folders are not moved or deleted by tools: that needs a digest of the folder, and no tool gives one.

## Limits

One call may have ${amount(toolLimits.requestBytes)} bytes as JSON, ${amount(toolLimits.changes)} changes and ${amount(toolLimits.editsPerChange)} edits in each; one page has
${amount(toolLimits.pageLines)} lines and ${amount(toolLimits.pageBytes)} bytes. The option \`limits\` of \`createTools\` sets others; those of the workspace hold besides.`;

function amount(limit: number): string {
  return limit.toLocaleString("en-US");
}

function renderTool({ name, title, description, annotations, inputSchema }: ToolDefinition): string {
  const json = z.toJSONSchema(inputSchema, { io: "input" }) as FieldSchema;
  const hints = Object.entries(annotations).map(([hint, value]) => `\`${hint}: ${value}\``);
  const rows = fieldRows(json, "");
  return [
    `## ${name}`,
    `**${title}.** ${description}`,
    hints.join(", "),
    ["| field | type | |", "| --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

function fieldRows({ properties = {}, required = [] }: FieldSchema, prefix: string): readonly string[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const needed = required.includes(name) ? "**needed.** " : "";
    const words = `${needed}${field.description ?? ""}`.replaceAll("|", "\\|");
    const inner = field.items?.properties === undefined ? [] : fieldRows(field.items, `${prefix}${name}[].`);
    return [`| \`${prefix}${name}\` | ${typeOf(field)} | ${words} |`, ...inner];
  });
}

function typeOf(field: FieldSchema): string {
  if (field.const !== undefined) return `\`"${field.const}"\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`"${value}"\``).join(", ");
  return field.type === "array" ? "list of objects" : (field.type ?? "");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const workspace = await Workspace.open(new MemoryStorage());
  const tools = createTools(workspace);
  const root = new URL("..", import.meta.url);
  writeFileSync(new URL("docs/tools.md", root), renderToolsDoc(tools));
  writeFileSync(
    new URL("test/mcp/tool-list.json", root),
    `${JSON.stringify(listTools(tools), undefined, 2)}\n`,
  );
  await workspace.close();
}
