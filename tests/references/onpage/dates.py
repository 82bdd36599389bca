"""Pages with dates, real ones and made ones, and what htmldate reads from them.

htmldate==1.11.0. Real pages: sqlite3-doc (public domain), libboost1.74-doc (Boost Software License), git-doc (GPL-2) and
python3-doc (PSF licence) of Debian 12; the packages that are not installed are unpacked (`dpkg -x`) into folders of their name
below the first argument. Their template says when a page was changed, and that is the label. The made pages are `made_dates.py`.
"""

import gzip
import json
import pathlib
import random
import re
import sys
from datetime import datetime

from htmldate import find_date
from made_dates import pages

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures/dates.json.gz"
UNPACKED = pathlib.Path(sys.argv[1])
SETS = [
    ("sqlite", UNPACKED / "sqlite3-doc/usr/share/doc/sqlite3", 35, r'id="mtimelink"[^>]*>(\d{4}-\d\d-\d\d)', "%Y-%m-%d"),
    ("boost", UNPACKED / "libboost1.74-doc/usr/share/doc/libboost1.74-doc/doc/html", 15, r"Last revised: (\w+ \d+, \d{4})", "%B %d, %Y"),
    ("git", UNPACKED / "git-doc/usr/share/doc/git-doc", 10, r"Last updated\s+(\d{4}-\d\d-\d\d)", "%Y-%m-%d"),
    ("python", pathlib.Path("/usr/share/doc/python3.11/html"), 4, r"Last updated on (\w+ \d+, \d{4})", "%B %d, %Y"),
]


def real():
    for name, folder, most, pattern, form in SETS:
        paths = [path for path in sorted(folder.rglob("*.html")) if path.stat().st_size < 24_000]
        random.Random(7).shuffle(paths)
        kept, days = 0, {}
        for path in paths:
            html = path.read_text(encoding="utf-8", errors="replace")
            found = re.search(pattern, html)
            if not found or kept == most:
                continue
            day = datetime.strptime(found.group(1), form).date().isoformat()
            # Not more than two pages of one day where there are others.
            if days.get(day, 0) >= 2 and name in ("sqlite", "boost"):
                continue
            days[day] = days.get(day, 0) + 1
            kept += 1
            yield {"set": name, "page": path.name, "url": f"https://docs.example/{path.name}", "html": html, "published": None, "modified": day}


def main():
    out = []
    for page in [*real(), *pages()]:
        read = lambda original: find_date(page["html"], url=page["url"], original_date=original, max_date="2026-12-31")
        page["htmldate_published"] = read(True) if page["published"] else None
        page["htmldate_modified"] = read(False) if page["modified"] else None
        out.append(page)
    data = json.dumps(out, ensure_ascii=False).encode()
    FIXTURE.write_bytes(gzip.compress(data, 9, mtime=0))
    for kind in ("published", "modified"):
        asked = [page for page in out if page[kind]]
        print(kind, len(asked), "htmldate right:", sum(page[f"htmldate_{kind}"] == page[kind] for page in asked))
    print(len(out), "pages", FIXTURE.stat().st_size, "bytes", {name: sum(p["set"] == name for p in out) for name in {p["set"] for p in out}})


if __name__ == "__main__":
    main()
