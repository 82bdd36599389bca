"""Authlib registers, signs in, calls over REST, refreshes and revokes.

usage: AUTHLIB_INSECURE_TRANSPORT=1 python authlib_client.py ORIGIN PERSON, where PERSON is the path of person.mjs
"""

import json
import subprocess
import sys

import requests
from authlib.integrations.requests_client import OAuth2Session

REDIRECT = "http://127.0.0.1:33422/callback"


def main(origin: str, person: str) -> None:
    server = requests.get(f"{origin}/.well-known/oauth-authorization-server", timeout=10).json()
    registered = requests.post(server["registration_endpoint"], timeout=10, json={
        "client_name": "Authlib",
        "redirect_uris": [REDIRECT],
        "token_endpoint_auth_method": "none",
    })
    assert registered.status_code == 201, registered.text
    client = OAuth2Session(
        registered.json()["client_id"],
        redirect_uri=REDIRECT,
        scope="account:read assets:read",
        token_endpoint=server["token_endpoint"],
        token_endpoint_auth_method="none",
        revocation_endpoint_auth_method="none",
        code_challenge_method="S256",
    )
    verifier, resource = "a-verifier-of-this-run-that-is-long-enough-for-rfc-7636", f"{origin}/mcp"
    address, state = client.create_authorization_url(
        server["authorization_endpoint"], code_verifier=verifier, resource=resource,
    )
    back = subprocess.run(["node", person, "--print", address], check=True, capture_output=True, text=True).stdout.strip()
    token = client.fetch_token(
        authorization_response=back, state=state, code_verifier=verifier, resource=resource,
    )
    usage = client.get(f"{origin}/v1/usage", timeout=10)
    assert usage.status_code == 200, usage.text
    fresh = client.refresh_token(server["token_endpoint"], refresh_token=token["refresh_token"], resource=resource)
    assert fresh["refresh_token"] != token["refresh_token"]
    assert client.get(f"{origin}/v1/usage", timeout=10).status_code == 200
    client.revoke_token(server["revocation_endpoint"], token=fresh["refresh_token"], token_type_hint="refresh_token")
    gone = requests.get(f"{origin}/v1/usage", timeout=10, headers={"authorization": f"Bearer {fresh['access_token']}"})
    assert gone.status_code == 401, gone.text
    print(json.dumps({"registered": True, "called": True, "refreshed": True, "revoked": True}))


main(*sys.argv[1:3])
