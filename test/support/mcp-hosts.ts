import * as secondClient from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import * as secondServer from "@modelcontextprotocol/server";
import { registerTools, type ToolDefinition } from "holdfast/mcp";

/** What a client sees of a call, in either generation of the SDK. */
export interface SeenResult {
  readonly isError: boolean;
  readonly text: string;
  readonly structured: { readonly [name: string]: unknown } | undefined;
}

/** A client that is connected to a server with the given tools. */
interface ConnectedClient extends AsyncDisposable {
  listTools(): Promise<
    readonly {
      readonly name: string;
      readonly inputSchema: object;
      readonly outputSchema?: object | undefined;
    }[]
  >;
  callTool(name: string, input: object, signal?: AbortSignal): Promise<SeenResult>;
}

const info = { name: "test", version: "1.0.0" };

/** Connects with `@modelcontextprotocol/sdk`. */
async function connectFirst(tools: readonly ToolDefinition[]): Promise<ConnectedClient> {
  const server = new McpServer(info);
  registerTools(server, tools);
  const client = new Client(info);
  const [left, right] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, input, signal) =>
      seen(await client.callTool({ name, arguments: { ...input } }, undefined, signal && { signal })),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** Connects with `@modelcontextprotocol/server` and `client`. */
async function connectSecond(tools: readonly ToolDefinition[]): Promise<ConnectedClient> {
  const server = new secondServer.McpServer(info);
  registerTools(server, tools);
  const client = new secondClient.Client(info);
  const [left, right] = secondServer.InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(left), client.connect(right)]);
  return {
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, input, signal) =>
      seen(await client.callTool({ name, arguments: { ...input } }, signal && { signal })),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** Both generations of the official SDK. */
export const generations = [
  { sdk: "the first generation of the SDK", connect: connectFirst },
  { sdk: "the second generation of the SDK", connect: connectSecond },
] as const;

/** Reads a result as either generation gives it; fails when its only content is not one text. */
export function seen(result: object): SeenResult {
  const { content, structuredContent, isError } = result as {
    readonly content: readonly { readonly type: string; readonly text?: string }[];
    readonly structuredContent?: SeenResult["structured"];
    readonly isError?: boolean;
  };
  const [part, ...others] = content;
  if (part?.type !== "text" || part.text === undefined || others.length > 0)
    throw new Error(`The content is not one text: ${JSON.stringify(content)}`);
  return { isError: isError === true, text: part.text, structured: structuredContent };
}
