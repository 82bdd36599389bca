"""Writes tables as other programs export them, with their cells as Python's `csv` reads them.

Run: python tables.py > ../../../modules/lib/kit/src/table/fixtures/tables.json, then gzip it.
"""

import csv
import io
import json
import random

random.seed(20261128)
WORDS = ["lamp", "desk lamp", "Lampe für\nden Tisch", 'a "quoted" word', "semi;colon", "comma, inside", "tab\tin", "pipe|x",
         "", "naïve café", "東京", "1,234", "0.5", "  padded  ", "10%"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16-le-bom", "utf-16-be-bom", "utf-16-le", "cp1252"]


def encode(text, encoding):
    if encoding == "utf-16-le-bom":
        return b"\xff\xfe" + text.encode("utf-16-le")
    if encoding == "utf-16-be-bom":
        return b"\xfe\xff" + text.encode("utf-16-be")
    return text.encode(encoding)


cases = []
for number in range(200):
    delimiter = ",;\t|"[number % 4]
    encoding = ENCODINGS[number % len(ENCODINGS)]
    words = [it for it in WORDS if encoding != "cp1252" or "東" not in it]
    rows = [["Keyword", "Volume", "Note"]]
    for _ in range(random.randint(3, 30)):
        rows.append(["keyword %d" % random.randint(1, 99), str(random.randint(0, 9999)), random.choice(words)])
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if number % 5 == 0 else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=["\n", "\r\n"][number % 2])
    if number % 7 == 0:
        out.write("Keyword research\n\n")
    writer.writerows(rows)
    text = out.getvalue()
    if number % 11 == 0:
        text = "sep=%s\n" % delimiter + text
    body = text.split("\n", 1)[1] if text.startswith("sep=") else text
    read = [row for row in csv.reader(io.StringIO(body, newline=""), delimiter=delimiter) if any(it.strip() for it in row)]
    if number % 7 == 0:
        read = read[1:]
    cases.append({"bytes": encode(text, encoding).hex(), "delimiter": delimiter, "cells": read})
print(json.dumps(cases))
