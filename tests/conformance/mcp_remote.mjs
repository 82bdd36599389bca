// A program that speaks MCP over its standard streams only reaches the service through mcp-remote, which signs in.
//
// usage: BROWSER=… node mcp_remote.mjs MCP_URL

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const bridge = join(dirname(createRequire(import.meta.url).resolve('mcp-remote/package.json')), 'dist', 'proxy.js');
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [bridge, process.argv[2], '--host', '127.0.0.1', '--transport', 'http-only'],
  env: process.env,
  stderr: 'ignore',
});
const client = new Client({ name: 'conformance', version: '1.0.0' });
await client.connect(transport, { timeout: 30_000 });
const { tools } = await client.listTools();
const account = await client.callTool({ name: 'service_account_snapshot', arguments: {} });
if (tools.length !== 9 || account.isError) throw new Error(`${tools.length} tools, ${JSON.stringify(account.content)}`);
console.log(JSON.stringify({ tools: tools.length, account: account.structuredContent.data.account.access }));
await client.close();
