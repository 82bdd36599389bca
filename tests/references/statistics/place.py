"""Where fixtures go, and how they are written."""

import gzip
import json
import math
import pathlib

OUT = pathlib.Path(__file__).resolve().parents[3] / "modules/lib/kit/src/statistics/fixtures"


def plain(value):
    """Values as JSON has them: numbers in full, and none for what is not finite."""
    if isinstance(value, dict):
        return {name: plain(it) for name, it in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(it) for it in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def write(name, cases, folder=OUT):
    folder.mkdir(exist_ok=True)
    text = json.dumps(plain(cases), separators=(",", ":")) + "\n"
    path = folder / f"{name}.json.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(name, len(cases), "cases", path.stat().st_size, "bytes")
