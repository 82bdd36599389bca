"""The official Python client signs in, consents and calls a tool, in the era named on the command line.

usage: python python_client.py MCP_URL legacy|auto EMAIL PASSWORD
"""

import asyncio
import json
import re
import sys
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata

REDIRECT = "http://127.0.0.1:33418/callback"


class Form(HTMLParser):
    """A form: where it goes and what is filled in already."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.boxes = None, {}, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form" and self.action is None:
            self.action = attributes.get("action", "")
        if tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes.get("value", "")
        if tag == "input" and attributes.get("type") == "checkbox" and "checked" in attributes:
            self.boxes.append((attributes["name"], attributes.get("value", "on")))


async def person(url, email, password):
    """What a person does in a browser, as far as the redirect back to the client."""
    async with httpx2.AsyncClient(follow_redirects=False) as browser:
        fill = {"email": email, "password": password}
        for _ in range(8):
            answer = await browser.get(url)
            while answer.status_code == 200:
                wanted = 'name="password"' if 'name="password"' in answer.text else 'name="decision"'
                form = Form(next(part for part in re.findall(r"<form.*?</form>", answer.text, re.S) if wanted in part))
                values = list(form.fields.items()) + form.boxes
                if "password" in wanted:
                    values += list(fill.items())
                else:
                    values.append(("decision", "approve"))
                body = "&".join(f"{httpx2.QueryParams({name: value})}" for name, value in values)
                answer = await browser.post(
                    urljoin(str(answer.url), form.action or ""),
                    content=body,
                    headers={
                        "content-type": "application/x-www-form-urlencoded",
                        "origin": "{0.scheme}://{0.netloc}".format(urlsplit(url)),
                    },
                )
            if answer.status_code not in (302, 303):
                raise SystemExit(f"the sign-in answered {answer.status_code}: {answer.text[:300]}")
            url = urljoin(str(answer.url), answer.headers["location"])
            if url.startswith(REDIRECT):
                return url
    raise SystemExit("the sign-in never came back to the client")


class Memory:
    """Keeps tokens for as long as the script runs."""

    def __init__(self):
        self.tokens = self.client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


async def main(url, era, email, password):
    came_back = {}

    async def redirect(address):
        came_back["query"] = parse_qs(urlsplit(await person(address, email, password)).query)

    async def callback():
        query = {name: values[0] for name, values in came_back["query"].items()}
        return AuthorizationCodeResult(code=query["code"], state=query.get("state"), iss=query.get("iss"))

    provider = OAuthClientProvider(
        server_url=url,
        client_metadata=OAuthClientMetadata(client_name="Python client", redirect_uris=[REDIRECT], token_endpoint_auth_method="none"),
        storage=Memory(),
        redirect_handler=redirect,
        callback_handler=callback,
    )
    async with httpx2.AsyncClient(auth=provider, timeout=30) as http:
        async with Client(streamable_http_client(url, http_client=http), mode=era) as client:
            tools = await client.list_tools()
            account = await client.call_tool("service_account_snapshot", {})
            found = await client.call_tool("service_capabilities_search", {"query": "add an author profile for our blog"})
    print(json.dumps({
        "era": era,
        "tools": [tool.name for tool in tools.tools],
        "account_ok": not account.is_error,
        # The grant is for reading: what fits best stands under the scope that it lacks.
        "first_found": found.structured_content["data"]["needs_scope"][0]["operation_id"],
    }))


asyncio.run(main(*sys.argv[1:5]))
