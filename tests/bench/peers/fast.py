"""A trivial tool on FastMCP, without sessions, answers as JSON: what the benchmark stands beside.

    python fast.py PORT
"""

import sys

from fastmcp import FastMCP

peer = FastMCP("peer")


@peer.tool
def echo(text: str) -> str:
    """Says it back."""
    return text


peer.run(
    transport="http",
    host="127.0.0.1",
    port=int(sys.argv[1]),
    stateless_http=True,
    json_response=True,
    uvicorn_config={"access_log": False, "log_level": "error"},
    show_banner=False,
)
