"""Texts in many languages, and the language that langdetect gives to each. The label is the language the text was published in.

langdetect==1.0.9. Input: gnome-user-docs 43 of Debian 12, unpacked (`dpkg -x`) into the folder that is the first argument.
A text is whole paragraphs of one translated page, from 50 words on; paragraphs that were left in English are left out.
In Japanese, Chinese and Korean two signs stand for a word, since words are not parted there as elsewhere.
"""

import gzip
import json
import pathlib
import random
import re
import sys
import xml.etree.ElementTree as ElementTree

from langdetect import DetectorFactory, detect_langs

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/lib/kit/fixtures/languages.json.gz"
HELP = pathlib.Path(sys.argv[1]) / "usr/share/help"
EACH, WORDS = 25, 50
FOLDERS = {
    "ca": "ca", "cs": "cs", "da": "da", "de": "de", "el": "el", "en": "C", "es": "es", "fi": "fi", "fr": "fr", "gu": "gu",
    "hr": "hr", "hu": "hu", "id": "id", "it": "it", "ja": "ja", "ko": "ko", "lv": "lv",
    "nl": "nl", "pl": "pl", "pt": "pt_BR", "ru": "ru", "sl": "sl", "sv": "sv", "ta": "ta",
    "te": "te", "uk": "uk", "vi": "vi", "zh": "zh_CN",
}


def paragraphs(path):
    try:
        root = ElementTree.parse(path).getroot()
    except ElementTree.ParseError:
        return
    for node in root.iter("{http://projectmallard.org/1.0/}p"):
        yield re.sub(r"\s+", " ", "".join(node.itertext())).strip()


def pages(language):
    for path in sorted((HELP / FOLDERS[language]).glob("*/*.page")):
        yield path.parent.name + "/" + path.stem, list(paragraphs(path))


def long_enough(text, language):
    if language in ("ja", "zh", "ko"):
        return len(re.sub(r"[\s\x00-\x7f]", "", text)) >= 2 * WORDS
    return len(text.split()) >= WORDS


def guess(text):
    try:
        best = detect_langs(text)[0].lang
    except Exception:
        return None
    return best.split("-")[0]


def main():
    DetectorFactory.seed = 0
    english = {text for _, all in pages("en") for text in all}
    out = []
    for language in FOLDERS:
        texts = []
        for page, all in pages(language):
            text = ""
            for paragraph in all:
                if len(paragraph) < 40 or (language != "en" and paragraph in english):
                    continue
                text = f"{text} {paragraph}".strip()
                if long_enough(text, language):
                    texts.append({"language": language, "page": page, "text": text, "langdetect": guess(text)})
                    break
        if len(texts) < EACH:
            continue
        random.Random(20).shuffle(texts)
        out += texts[:EACH]
        print(language, len(texts), sum(it["langdetect"] == language for it in texts[:EACH]))
    data = json.dumps(out, ensure_ascii=False).encode()
    FIXTURE.write_bytes(gzip.compress(data, 9, mtime=0))
    print(len(out), "texts", len({it["language"] for it in out}), "languages", FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
