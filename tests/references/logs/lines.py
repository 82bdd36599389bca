"""What advertools reads in 100,000 made lines of the format `combined`: a hash for each 10,000 of them.

The lines are made by the same generator as in `modules/logs/src/format/tests/reference.rs`.
"""

import ast
import datetime
import hashlib
import importlib.util
import re
from pathlib import Path

# The module imports much that is not needed to read its expressions.
source = Path(importlib.util.find_spec("advertools").origin).with_name("logs.py").read_text()
tree = ast.parse(source)
[formats] = [node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "LOG_FORMATS"]
combined = re.compile(ast.literal_eval(formats)["combined"])

WORDS = ["lamps", "desk", "guides", "blog", "cart", "help", "feed.xml", "img.png", "a%20b", "caf\u00e9"]
AGENTS = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "curl/8.5.0",
    "-",
]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
state = 1


def below(most):
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 33) % most


def line():
    if below(7) == 0:
        client = f"2001:db8::{below(65536):x}"
    else:
        client = ".".join(str(1 + below(254)) for _ in range(4))
    user = ["-", "ada", "bob@shop.example"][below(3)]
    day, month = 1 + below(28), MONTHS[below(12)]
    hour, minute, second = below(24), below(60), below(60)
    zone = ["+0000", "-0700", "+0530"][below(3)]
    method = ["GET", "POST", "HEAD"][below(3)]
    path = "/" + "/".join(WORDS[below(len(WORDS))] for _ in range(below(4)))
    if below(4) == 0:
        path += f"?page={below(100)}"
    version = ["1.0", "1.1", "2.0"][below(3)]
    status = [200, 301, 304, 404, 500][below(5)]
    size = "-" if below(10) == 0 else str(below(100000))
    referrer = "-" if below(3) == 0 else f"https://x.example/{below(1000)}"
    agent = AGENTS[below(len(AGENTS))]
    time = f"{day:02}/{month}/2025:{hour:02}:{minute:02}:{second:02} {zone}"
    return f'{client} - {user} [{time}] "{method} {path} HTTP/{version}" {status} {size} "{referrer}" "{agent}"'


def plain(text):
    return "" if text in ("-", None) else text


for block in range(10):
    digest = hashlib.sha256()
    for _ in range(10_000):
        it = combined.match(line()).groupdict()
        time = datetime.datetime.strptime(it["datetime"], "%d/%b/%Y:%H:%M:%S %z")
        fields = [
            it["client"],
            str(int(time.timestamp())),
            it["method"],
            it["request"],
            it["status"],
            plain(it["size"]),
            plain(it["referrer"]),
            plain(it["useragent"]),
        ]
        digest.update(("\x1f".join(fields) + "\n").encode())
    print(digest.hexdigest())
