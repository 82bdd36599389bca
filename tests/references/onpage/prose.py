"""Two hundred texts of plain prose and what textstat says of them, each from paragraphs of one page in English.

Asks as `../kit/texts.py` does, with its pinned packages. Input: gnome-user-docs 43 of Debian 12, unpacked (`dpkg -x`) into the
folder that is the first argument.
"""

import gzip
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "kit"))
from languages import pages  # noqa: E402
from textstat.backend.selections import list_words  # noqa: E402
from texts import DICTIONARY, readability  # noqa: E402

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures/prose.json.gz"
WORDS, MOST = 120, 200
KEPT = ["flesch_kincaid", "gunning_fog", "smog", "coleman_liau", "ari", "dale_chall", "linsear_write"]


def main():
    out = []
    for page, all in pages("en"):
        text = ""
        for paragraph in all:
            # Whole sentences: a line that ends in a colon introduces a list that is not there.
            if len(paragraph.split()) < 6 or not paragraph.endswith((".", "!", "?")):
                continue
            text = f"{text} {paragraph}".strip()
            if len(text.split()) >= WORDS:
                found = readability(text)
                # Words that its dictionary lacks, textstat counts by where they may be hyphenated.
                guessed = sum(word not in DICTIONARY for word in list_words(text, lowercase=True))
                out.append({"page": page, "text": text, "sentences": found["counts"]["sentences"], "guessed": guessed, **{name: found[name] for name in KEPT}})
                break
    random.Random(17).shuffle(out)
    data = json.dumps(out[:MOST], ensure_ascii=False).encode()
    FIXTURE.write_bytes(gzip.compress(data, 9, mtime=0))
    print(len(out), "texts, kept", len(out[:MOST]), FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
