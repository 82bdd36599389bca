"""Writes modules/schema/fixtures/pages.json.gz: pages, and what extruct reads on them, in one form.

    python3 -m venv env && env/bin/pip install -r requirements.txt
    env/bin/python pages.py DIR      # DIR: the packages of README.md, each unpacked with dpkg -x into a folder of its name

A page's form: for each format the sorted list of its items; an item is its types and properties, white space left out of
texts, a slash at the end of addresses too; names without schema.org's address.
"""

import gzip
import json
import pathlib
import re
import sys

import extruct

from made_pages import made

FIXTURE = pathlib.Path(__file__).resolve().parents[3] / "modules" / "schema" / "fixtures" / "pages.json.gz"
REAL = {"libreoffice-help-en-us": 60}
SCHEMA = re.compile(r"^(?:https?://(?:www\.)?schema\.org/|schema:)")
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def bare(name):
    return SCHEMA.sub("", name.strip())


def text(value):
    value = json.dumps(value) if isinstance(value, (bool, int, float)) else value
    return re.sub(r"\s+", "", value).rstrip("/")


def listed(value):
    return value if isinstance(value, list) else [value]


def item(types, ident, properties):
    found = {name: sorted((it for it in values), key=lambda it: json.dumps(it, sort_keys=True)) for name, values in properties.items()}
    return {"types": sorted(map(bare, types)), "id": text(ident or ""), "properties": {k: v for k, v in sorted(found.items()) if v}}


def json_ld(value):
    """Items of one block: of its graph when it has one."""
    if isinstance(value, list):
        return [it for one in value for it in json_ld(one)]
    if "@graph" in value:
        more = [json_node(value)] if set(value) - {"@context", "@graph", "@id"} else []
        return json_ld(value["@graph"]) + more
    return [json_node(value)]


def json_node(value):
    def said(value):
        if isinstance(value, dict):
            if "@value" in value:
                return [text(value["@value"])]
            if "@list" in value:
                return [it for one in listed(value["@list"]) for it in said(one)]
            return [json_node(value)]
        return [] if value is None else [it for one in value for it in said(one)] if isinstance(value, list) else [text(value)]

    properties = {bare(name): said(it) for name, it in value.items() if not name.startswith("@")}
    if isinstance(value.get("@reverse"), dict):
        properties["@reverse"] = [json_node(value["@reverse"])]
    return item([it for it in listed(value.get("@type", [])) if isinstance(it, str)], value.get("@id"), properties)


def microdata(value):
    def said(it):
        return microdata(it) if isinstance(it, dict) else text(it)

    properties = {}
    for name, values in value.get("properties", {}).items():
        properties.setdefault(bare(name), []).extend(said(it) for it in listed(values) if it is not None)
    return item(listed(value.get("type", [])), value.get("id"), properties)


def rdfa(nodes):
    """Blank nodes stand inside those that hold them; others are told apart and named where they are meant."""
    known = {node["@id"]: node for node in nodes}
    held = {value["@id"] for node in nodes for values in node.values() if isinstance(values, list)
            for value in values if isinstance(value, dict) and "@id" in value}

    def told(node):
        properties = {}
        for name, values in node.items():
            if name.startswith("@") or not SCHEMA.match(name):
                continue
            for value in values:
                if "@value" in value:
                    properties.setdefault(bare(name), []).append(text(value["@value"]))
                elif value["@id"].startswith("_:"):
                    properties.setdefault(bare(name), []).append(told(known.get(value["@id"], {"@id": value["@id"]})))
                else:
                    properties.setdefault(bare(name), []).append(text(value["@id"]))
        ident = node["@id"]
        return item(node.get("@type", []), "" if ident.startswith("_:") else ident, properties)

    return [told(node) for node in nodes if node.get("@type") and not (node["@id"].startswith("_:") and node["@id"] in held)]


def form(html, url):
    def ordered(items):
        return sorted((it for it in items if it["types"] or it["properties"]), key=lambda it: json.dumps(it, sort_keys=True))

    found = extruct.extract(html, base_url=url, syntaxes=["json-ld", "microdata", "rdfa"], errors="ignore")
    return {
        "json_ld": ordered(it for block in found.get("json-ld", []) for it in json_ld(block)),
        "microdata": ordered(microdata(it) for it in found.get("microdata", [])),
        "rdfa": ordered(rdfa(found.get("rdfa", []))),
    }


def real(folder):
    """The shortest pages of each package that hold structured data."""
    for package, most in REAL.items():
        paths = [it for it in (pathlib.Path(folder) / package).rglob("*.html") if it.is_file()]
        holds = [it for it in paths if re.search(r"ld\+json|itemtype=|typeof=", it.read_text("utf-8", "replace"))]
        for path in sorted(holds, key=lambda it: (it.stat().st_size, str(it)))[:most]:
            yield f"https://docs.example/{package}/{path.name}", path.read_text("utf-8", "replace")


if __name__ == "__main__":
    pages = [{"url": url, "html": html, "form": form(html, url)} for url, html in [*real(sys.argv[1]), *made()]]
    FIXTURE.parent.mkdir(exist_ok=True)
    with gzip.GzipFile(FIXTURE, "wb", 9, mtime=0) as file:
        file.write(("[" + ",\n".join(json.dumps(it, ensure_ascii=False, sort_keys=True, separators=(",", ":")) for it in pages) + "]\n").encode())
    counts = {name: sum(len(it["form"][name]) for it in pages) for name in ("json_ld", "microdata", "rdfa")}
    print(len(pages), "pages", counts, FIXTURE.stat().st_size, "bytes")
