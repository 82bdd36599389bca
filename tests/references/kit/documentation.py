"""Pages of Debian's python3-doc, and where fixtures are written."""

import json
import pathlib

DOCS = next(path for path in sorted(pathlib.Path("/usr/share/doc").glob("python3.*/html")) if (path / "library").is_dir())
KIT = pathlib.Path(__file__).resolve().parents[3] / "modules" / "kit" / "src"


def pages(*folders):
    """Paths of pages relative to the documentation, sorted."""
    found = [path for folder in folders for path in (DOCS / folder).glob("*.html")]
    return sorted(str(path.relative_to(DOCS)) for path in found)


def write(name, value):
    """Writes a fixture, a member a line."""
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(inner, ensure_ascii=False, separators=(',', ':'))}" for key, inner in value.items())
    (KIT / name).write_text("{\n" + lines + "\n}\n", encoding="utf-8")
