"""Real pages with their content as the page's own template marks it, and what trafilatura and htmldate make of them.

trafilatura==2.3.1 htmldate==1.11.0 lxml (as trafilatura needs). Debian 12: python3.11-doc, postgresql-doc-15,
debian-handbook, nodejs-doc, sqlite3-doc (unpacked with `dpkg -x` below the first argument) and Rust 1.95's books (their folder is
the second). The label is the text of the template's content element without permalinks: made by the template, not by hand.
"""

import gzip
import json
import pathlib
import random
import re
import sys

import trafilatura
from lxml import html

FIXTURES = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures"
SETS = {
    "python": ("/usr/share/doc/python3.11/html", "//div[@class='body']", ["//a[@class='headerlink']"]),
    "postgresql": ("/usr/share/doc/postgresql-doc-15/html", "//body", ["//div[@class='navheader']", "//div[@class='navfooter']"]),
    "handbook": ("/usr/share/doc/debian-handbook/html/en-US", "//body", ["//div[@id='banner']", "//p[@id='title']", "//ul[@class='docnav']", "//div[@id='navigation']", "//ul[contains(@class,'docnav')]"]),
    "sqlite": (f"{sys.argv[1]}/sqlite3-doc/usr/share/doc/sqlite3", "//body", ["//div[contains(@class,'nosearch')]", "//p[.//a[@id='mtimelink']]"]),
    "nodejs": ("/usr/share/doc/nodejs/api", "//div[@id='apicontent']", ["//a[@class='mark']"]),
    "rust": (f"{sys.argv[2]}/cargo", "//main", []),
}
MOST = {"nodejs": 10, "rust": 10}


def text(tree, content: str, drop: list[str]) -> str:
    for path in drop + ["//script", "//style"]:
        for node in tree.xpath(path):
            node.drop_tree()
    parts = [" ".join(node.itertext()) for node in tree.xpath(content)]
    return re.sub(r"\s+", " ", " ".join(parts)).strip()


def main() -> None:
    out = []
    for name, (folder, content, drop) in SETS.items():
        paths = [p for p in sorted(pathlib.Path(folder).rglob("*.html")) if 6_000 < p.stat().st_size < 60_000 and "genindex" not in p.name]
        random.Random(1).shuffle(paths)
        kept = 0
        for path in paths:
            source = path.read_text(encoding="utf-8", errors="replace")
            label = text(html.fromstring(source.encode()), content, drop)
            if len(label.split()) < 120 or kept == MOST.get(name, 20):
                continue
            kept += 1
            found = trafilatura.extract(source, include_comments=False, include_tables=True) or ""
            out.append({"set": name, "page": path.name, "html": source, "label": label, "trafilatura": found})
    data = json.dumps(out, ensure_ascii=False).encode()
    (FIXTURES / "pages.json.gz").write_bytes(gzip.compress(data, 9, mtime=0))
    print(len(out), len(data))


if __name__ == "__main__":
    main()
