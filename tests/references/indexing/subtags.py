"""The two-letter languages, the scripts and the two-letter regions of the IANA registry, and what took a retired one's place."""

import pathlib
import langcodes

ROOT = pathlib.Path(__file__).resolve().parents[3]
REGISTRY = pathlib.Path(langcodes.__file__).parent / "data" / "language-subtag-registry.txt"

text = REGISTRY.read_text(encoding="utf-8")
date, *records = text.split("\n%%\n")
out = [f"# {date.strip()} of the IANA language subtag registry (RFC 5646 section 3); written by tests/references/indexing/subtags.py"]
for record in records:
    fields = dict(line.split(": ", 1) for line in record.splitlines() if ": " in line and not line.startswith(" "))
    kind, subtag = fields.get("Type"), fields.get("Subtag", "")
    length = {"language": 2, "script": 4, "region": 2}.get(kind)
    if len(subtag) != length or ".." in subtag:
        continue
    retired = "Deprecated" in fields
    out.append("\t".join([kind[0], subtag, fields.get("Preferred-Value", "-") if retired else ""]).rstrip("\t"))
(ROOT / "modules/indexing/data/subtags.tsv").write_text("\n".join(out) + "\n", encoding="utf-8")
print(len(out) - 1, "subtags")
