"""Links of real documentation pages, with the landmark that holds each, and the pages without their landmarks.

lxml==6.1.3. The label is the page's own: the nearest element or ARIA role that is a landmark (HTML-AAM 1.0). In the fixture
`nav`, `main`, `aside`, `header` and `footer` are `div`, and roles are gone; classes and ids are as they were. Pages of Debian 12
(mkdocs-doc, libgtk-4-doc and debian-policy unpacked below the first argument, python3.11-doc, nodejs-doc) and of Rust 1.95.
"""

import gzip
import json
import pathlib
import random
import sys

from lxml import html

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures/placement.json.gz"
UNPACKED, RUST = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SETS = {
    "rustdoc": [RUST / "std/fs/index.html", RUST / "std/option/index.html", RUST / "core/cell/index.html"],
    "mdbook": [RUST / "reference/types/closure.html", RUST / "book/ch04-01-what-is-ownership.html", RUST / "cargo/guide/why-cargo-exists.html"],
    "mkdocs": sorted((UNPACKED / "mkdocs-doc/usr/share/doc/mkdocs/html").glob("*-guide/*.html"))[:6],
    "gi-docgen": [UNPACKED / f"libgtk-4-doc/usr/share/doc/libgtk-4-doc/gtk4/{name}.html" for name in ("class.Button", "enum.Align", "css-overview", "iface.Editable")],
    "python": [pathlib.Path(f"/usr/share/doc/python3.11/html/{name}.html") for name in ("library/bisect", "howto/sorting", "tutorial/venv")],
    "policy": sorted((UNPACKED / "debian-policy/usr/share/doc/debian-policy/policy.html").glob("ch-*.html"))[:4],
    "nodejs": [pathlib.Path(f"/usr/share/doc/nodejs/api/{name}.html") for name in ("path", "punycode", "querystring")],
}
ELEMENTS = {"nav": "nav", "main": "main", "aside": "aside", "header": "header", "footer": "footer"}
ROLES = {"navigation": "nav", "main": "main", "complementary": "aside", "banner": "header", "contentinfo": "footer"}
SECTION = {"article", "aside", "main", "nav", "section"}
EACH = 50


def landmark(link):
    for node in link.iterancestors():
        if node.get("role") in ROLES:
            return ROLES[node.get("role")]
        if node.tag in ("header", "footer") and any(it.tag in SECTION or it.get("role") in ("main", "navigation") for it in node.iterancestors()):
            continue
        if node.tag in ELEMENTS:
            return ELEMENTS[node.tag]
    return None


def main():
    out, counts = [], {}
    for name, paths in SETS.items():
        trees, candidates = [], {}
        for path in paths:
            tree = html.fromstring(path.read_bytes())
            trees.append(tree)
            for at, link in enumerate(tree.iter("a")):
                place = landmark(link) if link.get("href") else None
                if place:
                    candidates.setdefault(place, []).append((len(trees) - 1, at))
        # As many of each place as there are, in turn.
        chance, chosen = random.Random(5), []
        for found in candidates.values():
            chance.shuffle(found)
        while len(chosen) < EACH and any(candidates.values()):
            for place in sorted(candidates):
                if candidates[place] and len(chosen) < EACH:
                    chosen.append((place, *candidates[place].pop()))
        for index, tree in enumerate(trees):
            links = list(tree.iter("a"))
            labels = {}
            for place, of, at in chosen:
                if of == index:
                    labels[str(at)] = place
                    counts[place] = counts.get(place, 0) + 1
            for at, link in enumerate(links):
                if link.get("href"):
                    link.set("href", f"/l/{at}")
            for node in tree.iter("script", "style", "svg"):
                node.text = ""
            for node in tree.iter():
                if node.tag in ELEMENTS:
                    node.tag = "div"
                if "role" in node.attrib:
                    del node.attrib["role"]
            if labels:
                out.append({"set": name, "html": html.tostring(tree, encoding="unicode"), "labels": labels})
        print(name, len(chosen))
    data = json.dumps(out, ensure_ascii=False).encode()
    FIXTURE.write_bytes(gzip.compress(data, 9, mtime=0))
    print(len(out), "pages", counts, FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
