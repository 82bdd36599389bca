"""Takes the real input of the other scripts from Debian 12's documentation: titles of python3.11-doc, prose of debian-handbook.

No package needed. A pattern as the first argument leaves out the texts in which it is found: some of the handbook's
examples name hosts and folders that mean something where the fixtures are read.
"""

import html.parser
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).parents[3]
# Without an argument: what no text has.
LEFT_OUT = sys.argv[1] if len(sys.argv) > 1 else r"\A\Z"
DOCS = pathlib.Path("/usr/share/doc/python3.11/html")
HANDBOOK = pathlib.Path("/usr/share/doc/debian-handbook/html/en-US")
OTHER = [
    "Köln: Ärzte für Übungen – Öffnungszeiten & Preise", "Café à Paris : où dîner ce soir ?", "¿Dónde está la niña? Mañana…",
    "Лампы для стола купить в Москве", "Λάμπες γραφείου σε προσφορά", "Łódź – najlepsze żarówki", "Price: 1.299,00 € (−20 %)",
    "AVATAR To Wave “Yes” – Type V. W. Å", "WWW.TYPOGRAPHY.TO/AVAST", "İstanbul'da şık lambalar", "Ţara • ştiri™ ©2026",
]


class Text(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.title, self.paragraphs, self.stack = "", [], []

    def handle_starttag(self, tag, attrs):
        if tag in ("p", "div", "title", "h1", "h2", "h3", "pre"):
            self.stack.append([tag, ""])

    def handle_endtag(self, tag):
        if self.stack and self.stack[-1][0] == tag:
            tag, text = self.stack.pop()
            text = re.sub(r"\s+", " ", text.replace("¶", "")).strip()
            if tag in ("p", "div"):
                self.paragraphs.append(text)
            elif text and tag != "pre":
                self.title += text + "\n"

    def handle_data(self, data):
        if self.stack:
            self.stack[-1][1] += data


def read(folder):
    for path in sorted(folder.rglob("*.html")):
        parser = Text()
        parser.feed(path.read_text(encoding="utf-8", errors="replace"))
        yield path.relative_to(folder).as_posix(), parser


def main() -> None:
    titles, texts = list(OTHER), []
    for _, parser in read(DOCS):
        titles += [line for line in parser.title.splitlines() if 8 <= len(line) <= 160]
    for name, parser in read(HANDBOOK):
        text = ""
        for paragraph in parser.paragraphs:
            if len(paragraph.split()) >= 12 and paragraph.endswith((".", "!", "?")):
                text += paragraph + " "
            if len(text.split()) > 180:
                if not re.search(LEFT_OUT, text):
                    texts.append({"page": name, "text": text.strip()})
                text = ""
    random.Random(11).shuffle(texts)
    rest = titles[len(OTHER):]
    random.Random(5).shuffle(rest)
    out = ROOT / "modules/lib/kit/fixtures"
    out.mkdir(exist_ok=True)
    (out / "titles.json").write_text(json.dumps(titles[:len(OTHER)] + rest[:489], ensure_ascii=False, indent=0))
    (out / "texts.json").write_text(json.dumps(texts[:197], ensure_ascii=False, indent=0))
    print(len(titles), len(texts))


if __name__ == "__main__":
    main()
