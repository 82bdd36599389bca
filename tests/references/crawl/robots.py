"""What Google's robots.txt matcher says of made files, by its Python port.

gpyrobotstxt==1.0.0 (a port of github.com/google/robotstxt that passes the original's tests). The files are drawn: agents,
slips of spelling, wild cards, ends, comments and line ends, and addresses that nearly match. Percent-encoding stays out:
RFC 9309 (2.2.2) compares it decoded, Google's matcher as it is written. A line without a separator ends the port with an
error, where the original passes it over; such files are left out.
"""

import gzip
import json
import pathlib
import random
import re

from gpyrobotstxt.robots_cc import RobotsMatcher

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/crawl/fixtures/robots.json.gz"
FILES, ADDRESSES = 400, 8
PARTS = ["/", "/a", "/a/", "/b", "/a/b", "/ab", "/page", "/page.html", "/x/", "/fish", "*", "/*", "*.php", ".html", "?q=", "&s=1", "//", "$", "/a$", "b$", "/index.html", "/index.htm", "A", "~u"]
AGENTS = ["FooBot", "foobot", "FOOBOT/2.1", "FooBot (+http://foo.example)", "FooBot-News", "Foo", "BarBot", "*", "* x", "FooBot *", "Mozilla FooBot", ""]
KEYS = {"agent": ["User-agent", "user-agent", "USER AGENT", "useragent"], "allow": ["Allow", "allow", "ALLOW"], "disallow": ["Disallow", "disallow", "dissallow", "disalow", "diasllow"]}
OTHER = ["Sitemap: https://foo.example/s.xml", "Crawl-delay: 2", "# nothing", "", "noise", "Host: foo.example", "Unknown: /a"]


def pattern(chance):
    return "".join(chance.choice(PARTS) for _ in range(chance.randint(0, 3)))


def line(chance):
    kind = chance.choices(["agent", "allow", "disallow", "other"], [4, 4, 6, 2])[0]
    if kind == "other":
        return chance.choice(OTHER)
    value = chance.choice(AGENTS) if kind == "agent" else pattern(chance)
    colon = chance.choices([": ", ":", " : ", " "], [8, 2, 1, 1])[0]
    return chance.choice(["", "", "", "  "]) + chance.choice(KEYS[kind]) + colon + value + chance.choice(["", "", "", "  ", " # why", "#x"])


def file(chance):
    end = chance.choices(["\n", "\r\n", "\r"], [8, 2, 1])[0]
    first = "User-agent: " + chance.choice(["FooBot", "*", "foobot/2", "BarBot"])
    text = end.join([first] + [line(chance) for _ in range(chance.randint(1, 12))])
    return ("\ufeff" if chance.random() < 0.05 else "") + text + chance.choice(["", end])


def address(chance, text):
    """Made of the same parts, or of a pattern of the file."""
    patterns = re.findall(r"(?i)allow\s*:\s*(\S+)", text)
    path = chance.choice(patterns) if patterns and chance.random() < 0.6 else pattern(chance)
    path = (path + chance.choice(["", "", "/", "x", "/page.html"])).replace("#x", "").replace("*", chance.choice(["", "z", "/z"])).replace("$", "")
    return "https://foo.example" + ("" if path.startswith(("/", "?")) else "/") + path


def main():
    chance, out, counts = random.Random(309), [], {True: 0, False: 0}
    for _ in range(FILES):
        text = file(chance)
        answers = []
        try:
            for _ in range(ADDRESSES):
                url = address(chance, text)
                answers.append([url, RobotsMatcher().one_agent_allowed_by_robots(text, "FooBot", url)])
        except TypeError:
            continue
        for _, allowed in answers:
            counts[allowed] += 1
        out.append([text, answers])
    FIXTURE.parent.mkdir(exist_ok=True)
    FIXTURE.write_bytes(gzip.compress(json.dumps(out, ensure_ascii=False).encode(), 9, mtime=0))
    print(len(out), "files", counts, FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
