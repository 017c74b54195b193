// Serves the folder that is named as its only argument, over standard input and output.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createTools, registerTools } from "holdfast/mcp";
import { openDirectory } from "holdfast/node";

const workspace = await openDirectory(process.argv[2] ?? "");
const server = new McpServer({ name: "test", version: "1.0.0" });
registerTools(server, createTools(workspace));
server.server.onclose = () => void workspace.close();
await server.connect(new StdioServerTransport());
