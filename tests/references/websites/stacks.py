"""The beginnings of sixty real pages with the tools that made them, and what python-Wappalyzer says of the same bytes.

The labels are ours: what the Debian package or the Rust distribution that carries a page builds it with.
"""

import json
import pathlib
import re
import subprocess
import warnings

warnings.filterwarnings("ignore")
from Wappalyzer import WebPage, Wappalyzer  # noqa: E402

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/websites/src/tech/stacks.json"
RUST = pathlib.Path(subprocess.run(["rustc", "--print", "sysroot"], capture_output=True, text=True).stdout.strip())
DOC = pathlib.Path("/usr/share/doc")
SETS = [
    (DOC, "python3.11/html/library/*.html", 10, ["Sphinx", "Docutils"]),
    (DOC, "postgresql-doc-15/html/*.html", 10, ["DocBook XSL"]),
    (DOC, "debian-handbook/html/*/index.html", 10, ["Publican"]),
    (RUST / "share/doc/rust/html", "std/*/index.html", 12, ["rustdoc"]),
    (RUST / "share/doc/rust/html", "reference/*.html", 12, ["mdBook"]),
    (DOC, "libffi8/html/*.html", 3, ["Texinfo"]),
    (DOC, "libxslt1-dev/gtk-doc/html/libxslt/*.html", 3, []),
]


def beginning(html):
    """The head, and of the body what a browser shows first."""
    at = re.search(r"<body[^>]*>", html)
    start = at.end() if at else 0
    return html[: start + 2_500]


wappalyzer = Wappalyzer.latest()
pages = []
for root, pattern, count, made in SETS:
    found = [path for path in sorted(root.glob(pattern)) if path.stat().st_size > 4_000]
    for path in found[:: max(1, len(found) // count)][:count]:
        html = beginning(path.read_text(errors="replace"))
        theirs = wappalyzer.analyze(WebPage("https://docs.example/", html, {}))
        pages.append({"page": str(path.relative_to(root)), "made_with": made, "theirs": sorted(theirs), "html": html})
OUT.write_text(json.dumps(pages, ensure_ascii=False, indent=0) + "\n")
print(len(pages), "pages", OUT.stat().st_size, "bytes")
