"""fastmcp signs in by the browser that BROWSER names, and calls a tool.

usage: BROWSER="node person.mjs %s &" python fastmcp_client.py MCP_URL
"""

import asyncio
import json
import sys

from fastmcp import Client
from fastmcp.client.auth import OAuth


async def main(url: str) -> None:
    async with Client(url, auth=OAuth(callback_host="127.0.0.1")) as client:
        tools = await client.list_tools()
        account = await client.call_tool("service_account_snapshot", {})
        found = await client.call_tool("service_capabilities_search", {"query": "add an author profile for our blog"})
    assert len(tools) == 9, tools
    assert not account.is_error, account
    print(json.dumps({
        "tools": len(tools),
        "first_found": found.structured_content["data"]["results"][0]["operation_id"],
    }))


asyncio.run(main(sys.argv[1]))
