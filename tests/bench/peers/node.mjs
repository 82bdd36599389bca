// A trivial tool on the MCP SDK for Node, without sessions, answers as JSON: what the benchmark stands beside.
//
//     node node.mjs PORT
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { z } from "zod";

function server() {
  const server = new McpServer({ name: "peer", version: "1.0.0" });
  const input = { text: z.string() };
  server.registerTool("echo", { description: "Says it back.", inputSchema: input }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
}

// Without sessions each request has a server and a transport of its own, as the SDK asks for.
async function answer(request, response) {
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  const one = server();
  response.on("close", () => {
    transport.close();
    one.close();
  });
  await one.connect(transport);
  await transport.handleRequest(request, response);
}

createServer(answer).listen(Number(process.argv[2]), "127.0.0.1");
