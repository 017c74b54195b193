import { expect, test } from "vitest";
import { renderToolsDoc } from "../../scripts/tools-doc.ts";
import { MemoryStorage, Workspace } from "../../src/index.ts";
import { createTools } from "../../src/mcp.ts";
import { readRepositoryFile } from "../support/source-files.ts";

test("the page about tools is what the definitions give", async () => {
  await using workspace = await Workspace.open(new MemoryStorage());
  const tools = createTools(workspace);
  expect(readRepositoryFile("docs/tools.md")).toBe(renderToolsDoc(tools));
  expect([...renderToolsDoc(tools).matchAll(/^## (\w+_\w+)$/gm)].map((match) => match[1])).toEqual(
    tools.map(({ name }) => name),
  );
});
