// The official TypeScript client signs in, consents and calls a tool, in the era named on the command line.
//
// usage: node typescript_client.mjs MCP_URL legacy|auto EMAIL PASSWORD

import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';

const REDIRECT = 'http://127.0.0.1:33419/callback';
const [url, era, email, password] = process.argv.slice(2);

/** What a person does in a browser, as far as the redirect back to the client. */
async function person(address) {
  const cookies = new Map();
  const ask = async (target, init = {}) => {
    const headers = { ...init.headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    return answer;
  };
  for (let turn = 0; turn < 8; turn++) {
    let answer = await ask(address);
    while (answer.status === 200) {
      const whole = await answer.text();
      const wanted = whole.includes('name="password"') ? 'name="password"' : 'name="decision"';
      const page = whole.match(/<form.*?<\/form>/gs).find((form) => form.includes(wanted));
      const values = new URLSearchParams();
      for (const [tag] of page.matchAll(/<input[^>]*>/g)) {
        const attribute = (name) => tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];
        const kind = attribute('type');
        if (kind === 'hidden' || (kind === 'checkbox' && /\bchecked\b/.test(tag))) {
          values.append(attribute('name'), (attribute('value') ?? 'on').replaceAll('&amp;', '&'));
        }
      }
      if (wanted.includes('password')) {
        values.append('email', email);
        values.append('password', password);
      } else {
        values.append('decision', 'approve');
      }
      const action = page.match(/<form[^>]*\baction="([^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? '';
      address = new URL(action, address).href;
      answer = await ask(address, { method: 'POST', body: values, headers: { origin: new URL(address).origin } });
    }
    if (![302, 303].includes(answer.status)) throw new Error(`the sign-in answered ${answer.status}`);
    address = new URL(answer.headers.get('location'), address).href;
    if (address.startsWith(REDIRECT)) return new URL(address).searchParams;
  }
  throw new Error('the sign-in never came back to the client');
}

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
  redirectToAuthorization: async (address) => void (cameBack = await person(address.href)),
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
  first_found: found.structuredContent.data.results[0].operation_id,
}));
await client.close();
