// A strict OAuth client registers, signs in, calls, refreshes, sees a used refresh token end its family, and revokes.
//
// usage: node openid_client.mjs ORIGIN EMAIL PASSWORD

import assert from 'node:assert/strict';
import * as oauth from 'openid-client';
import { person } from './person.mjs';

const REDIRECT = 'http://127.0.0.1:33421/callback';
const [origin, email, password] = process.argv.slice(2);
const resource = `${origin}/mcp`;

const known = {
  client_name: 'openid-client',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};
const config = await oauth.dynamicClientRegistration(new URL(origin), known, oauth.None(), {
  algorithm: 'oauth2', execute: [oauth.allowInsecureRequests],
});
assert.equal(config.serverMetadata().issuer, origin);

const signIn = async () => {
  const verifier = oauth.randomPKCECodeVerifier();
  const state = oauth.randomState();
  const address = oauth.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope: 'account:read assets:read',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    resource,
    state,
  });
  const back = new URL(await person(address.href, email, password));
  return oauth.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state }, { resource });
};
const status = async (token) => (await fetch(`${origin}/v1/usage`, { headers: { authorization: `Bearer ${token}` } })).status;
const grantOver = (error) => error.error === 'invalid_grant';

const first = await signIn();
assert.equal(first.expires_in, 3600);
assert.equal(await status(first.access_token), 200);
const second = await oauth.refreshTokenGrant(config, first.refresh_token, { resource });
assert.notEqual(second.refresh_token, first.refresh_token);
assert.equal(await status(second.access_token), 200);
await assert.rejects(oauth.refreshTokenGrant(config, first.refresh_token, { resource }), grantOver, 'a used token');
assert.equal(await status(second.access_token), 401, 'its whole family is over');

const again = await signIn();
await oauth.tokenRevocation(config, again.refresh_token);
assert.equal(await status(again.access_token), 401);
await assert.rejects(oauth.refreshTokenGrant(config, again.refresh_token, { resource }), grantOver, 'a revoked token');
console.log(JSON.stringify({ registered: true, refreshed: true, reuse_ends_family: true, revoked: true }));
