"""Writes modules/schema/data/vocabulary.tsv, the vocabulary of schema.org, from the declarations of npm's schema-dts.

    npm install schema-dts@2.1.0 && python3 vocabulary.py node_modules/schema-dts/dist/schema.d.ts
"""

import pathlib
import re
import sys

TARGET = pathlib.Path(__file__).resolve().parents[3] / "modules" / "schema" / "data" / "vocabulary.tsv"
TEXT = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
DATA_TYPES = {
    "Boolean": "DataType", "Date": "DataType", "DateTime": "DataType", "Number": "DataType", "Text": "DataType",
    "Time": "DataType", "Float": "Number", "Integer": "Number", "CssSelectorType": "Text", "PronounceableText": "Text",
    "URL": "Text", "XPathType": "Text", "DataType": "",
}


def sentence(comment):
    """The first sentence of a comment, without its links and marks, at most 160 characters."""
    text = re.sub(r"\{@link \S+ ([^}]*)\}", r"\1", comment)
    text = " ".join(re.sub(r"^\s*\*+", "", line).strip() for line in text.splitlines()).strip()
    text = re.sub(r"[`\t]", "", text.split("@deprecated")[0])
    text = re.sub(r"<[^>]+>", "", text)
    text = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text.strip())[0].strip()
    return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + "…"


def name(text):
    """`Place` of `PlaceBase`; nothing for what is no type of schema.org."""
    text = re.sub(r"<.*", "", text.strip())
    text = text.removesuffix("Base").removesuffix("Leaf")
    return "" if not text or "_" in text or text in ("Partial", "IdReference", "string") else {"ThreeDModel": "3DModel", "_3DModel": "3DModel"}.get(text, text)


types, members, properties = {}, {}, {}
for found in re.finditer(r"^interface (\w+)Base extends ([^{]+)\{(.*?)^\}", TEXT, re.M | re.S):
    kind, parents, body = found.groups()
    kind = "3DModel" if kind.endswith("3DModel") else kind
    if "_" in kind:
        continue
    types.setdefault(kind, [])
    types[kind] = [it for it in map(name, re.split(r",(?![^<]*>)", parents)) if it]
    for prop in re.finditer(r'(?:/\*\*(?P<doc>.*?)\*/\s*)?"(?P<name>[\w-]+)"\?: SchemaValue<(?P<range>.*?), "[\w-]+">;', body, re.S):
        doc = prop["doc"] or ""
        one = properties.setdefault(prop["name"], {"domains": set(), "ranges": set(), "old": False})
        one["domains"].add(kind)
        one["ranges"] |= {it for it in (name(part) for part in prop["range"].split("|")) if it}
        one["old"] |= "@deprecated" in doc
docs = {}
for found in re.finditer(r"^export (?:interface (\w+)Leaf(?:<[^>]*>)? extends ([^{]+)|type (\w+)Leaf(?:<[^=]*)? = )", TEXT, re.M):
    kind = found[1] or found[3]
    if kind.endswith("3DModel"):
        kind = "3DModel"
    if "_" not in kind and kind not in types and found[2]:
        types[kind] = [it for it in map(name, re.split(r",(?![^<]*>)", found[2])) if it]
for found in re.finditer(r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?^export type (\w+)(?:<[^=]*>)? = ([^;]*);", TEXT, re.M | re.S):
    comment, kind, body = found.groups()
    kind = "3DModel" if kind.endswith("3DModel") else kind
    if kind in types:
        docs[kind] = sentence(comment or "")
        own = set(re.findall(r'"https://schema\.org/(\w+)"', body))
        if own:
            members[kind] = sorted(own)
        for child in re.findall(r"\b([A-Z]\w+)\b", re.sub(r'"[^"]*"', "", body)):
            child = name(child)
            if child and child != kind and child not in types and child not in DATA_TYPES:
                types[child] = [kind]
for leaf in re.finditer(r'^export interface (\w+)Leaf extends (\w+)Base \{\s*"@type": "(\w+)"', TEXT, re.M):
    if leaf[3] not in types and "_" not in leaf[3]:
        types[leaf[3]] = [leaf[2]]
# schema-dts writes these as plain texts.
types |= {"Quantity": ["Intangible"], "Distance": ["Quantity"], "Duration": ["Quantity"], "Energy": ["Quantity"], "Mass": ["Quantity"]}
lines = ["# schema.org's types, members of enumerations and properties, by tests/references/schema/vocabulary.py from schema-dts 2.1.0.",
         "# schema.org is published under CC BY-SA 3.0 (https://schema.org/docs/terms.html).",
         "# D data type, parent | T type, parents, definition | E enumeration, members | P property, on types, takes, superseded"]
lines += [f"D\t{kind}\t{parent}" for kind, parent in sorted(DATA_TYPES.items())]
lines += [f"T\t{kind}\t{' '.join(parents)}\t{docs.get(kind, '')}" for kind, parents in sorted(types.items()) if kind not in DATA_TYPES]
lines += [f"E\t{kind}\t{' '.join(names)}" for kind, names in sorted(members.items()) if kind not in DATA_TYPES]
lines += [f"P\t{prop}\t{' '.join(sorted(it['domains']))}\t{' '.join(sorted(it['ranges']))}\t{'old' if it['old'] else ''}"
          for prop, it in sorted(properties.items())]
TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
print(len(types), "types", len(members), "enumerations", len(properties), "properties", TARGET.stat().st_size, "bytes")
