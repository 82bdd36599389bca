// The older official TypeScript client signs in, consents and calls a tool.
//
// usage: node typescript_v1_client.mjs MCP_URL EMAIL PASSWORD

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { person } from './person.mjs';

const REDIRECT = 'http://127.0.0.1:33420/callback';
const [url, email, password] = process.argv.slice(2);

const kept = {};
const provider = {
  redirectUrl: REDIRECT,
  clientMetadata: {
    client_name: 'TypeScript client 1',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  state: () => 'a-state-of-this-run',
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  redirectToAuthorization: async (address) => void (kept.back = new URL(await person(address.href, email, password))),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const client = new Client({ name: 'conformance', version: '1.0.0' });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(kept.back.searchParams.get('code'));
    return undefined;
  }
};

const client = (await connect()) ?? (await connect());
const { tools } = await client.listTools();
const account = await client.callTool({ name: 'service_account_snapshot', arguments: {} });
if (tools.length !== 9 || account.isError) throw new Error(`${tools.length} tools, ${JSON.stringify(account.content)}`);
console.log(JSON.stringify({ tools: tools.length, account: account.structuredContent.data.account.access }));
await client.close();
