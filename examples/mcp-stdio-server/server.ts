import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createTools, registerTools } from "holdfast/mcp";
import { openDirectory } from "holdfast/node";

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error("Name the folder to serve.");

const workspace = await openDirectory(root);
const server = new McpServer({ name: "files", version: "1.0.0" });
registerTools(server, createTools(workspace));
server.server.onclose = () => void workspace.close();
await server.connect(new StdioServerTransport());
