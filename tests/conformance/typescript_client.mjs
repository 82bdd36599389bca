// The official TypeScript client signs in, consents and calls a tool, in the era named on the command line.
//
// usage: node typescript_client.mjs MCP_URL legacy|auto EMAIL PASSWORD

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { person } from './person.mjs';

const REDIRECT = 'http://127.0.0.1:33419/callback';
const [url, era, email, password] = process.argv.slice(2);

let cameBack;
const kept = {};
const provider = {
  redirectUrl: REDIRECT,
  clientMetadata: {
    client_name: 'TypeScript client',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
  },
  state: () => 'a-state-of-this-run',
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  redirectToAuthorization: async (address) => void (cameBack = new URL(await person(address.href, email, password)).searchParams),
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  codeVerifier: () => kept.verifier,
};

const connect = async () => {
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const client = new Client({ name: 'conformance', version: '1.0.0' }, { versionNegotiation: { mode: era } });
  try {
    await client.connect(transport);
    return client;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(cameBack);
    return undefined;
  }
};

const client = (await connect()) ?? (await connect());
const { tools } = await client.listTools();
const account = await client.callTool({ name: 'service_account_snapshot', arguments: {} });
const found = await client.callTool({ name: 'service_capabilities_search', arguments: { query: 'add an author profile for our blog' } });
console.log(JSON.stringify({
  era,
  tools: tools.map((tool) => tool.name),
  account_ok: !account.isError,
  // The grant is for reading: what fits best stands under the scope that it lacks.
  first_found: found.structuredContent.data.needs_scope[0].operation_id,
}));
await client.close();
