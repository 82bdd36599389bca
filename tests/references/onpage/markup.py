"""Forty HTML files with planted faults, and what the Nu HTML checker says of them.

vnu-jar 26.9.27 of npm (needs Java 17), whose `vnu.jar` is the first argument. A fault is planted where a line of `FILES` ends
with `!kind`; the mark is taken away before the checker sees the file. The script fails when the checker does not report each
planted fault of a kind that it knows on the same line, or reports one that is not planted. What closes the head and
two canonicals the checker does not name: these labels are the HTML standard's and Google's, read by us. What only follows from
a fault before it (the end of a head that has ended, of a row that never began) is no fault of its own.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/onpage/fixtures/markup.json"
# Kinds that the checker knows, by what its messages say.
KNOWN = [
    ("duplicate_id", r"Duplicate ID"),
    ("title_in_body", r"Element “title” not allowed as child of element “body”"),
    ("duplicate_title", r"Element “title” not allowed as child of element “head”"),
    ("duplicate_description", r"more than one “meta” element with its “name” attribute"),
    ("missing_title", r"missing a required instance of child element “title”|Element “title” must not be empty"),
    ("missing_doctype", r"without seeing a doctype first|Expected “<!DOCTYPE html>”"),
    ("late_charset", r"after the first 1024 bytes"),
    ("late_base", r"“base” element must come before"),
    ("bad_base", r"Bad value “[^”]*” for attribute “href” on element “base”|Element “base” not allowed as child of element “head”"),
    ("meta_in_body", r"on element “meta” at this point|Element “meta” not allowed as child"),
    ("unclosed", r"^Unclosed element “|^Stray end tag “(?!head|body|noscript|t[dr])|^No “\w+” element in scope"),
    ("invalid_nesting", r"must not appear as a descendant of the “|^Element “(?!title|meta|base|link)\w+” not allowed as child of element|Start tag “(?!body)\w+” seen but an element of the same type was already open|already an active “form”|Heading cannot be a child|Start tag “\w+” seen in “table”|seen in “table”|^Stray start tag “(?!body|head|html)"),
]
# One line of the source each; `!kind` at its end plants a fault.
HEAD, BODY = ["<!doctype html>", "<html lang=en><head>", "<meta charset=utf-8>", "<title>Lamps</title>"], ["</head>", "<body>"]


def page(head=(), body=(), end=("</body></html>",)):
    return [*HEAD, *head, *BODY, *body, *end]


FILES = {
    "sound": page(['<meta name=description content="Lamps of brass">', '<link rel=canonical href="https://shop.example/">'], ["<h1>Lamps</h1>", "<p>Made of brass.</p>"]),
    "ends that may be left out": page([], ["<ul><li>a<li>b</ul>", "<dl><dt>a<dd>b<dt>c<dd>d</dl>", "<table><tr><td>a<td>b<tr><td>c<td>d</table>", "<p>a<p>b", "<select><option>a<option>b</select>"]),
    "no html, head or body tags": ["<!doctype html>", "<html lang=en>", "<meta charset=utf-8>", "<title>Lamps</title>", "<p>Lamps"],
    "svg with a title and ids": page([], ['<svg viewBox="0 0 1 1"><title>Icon</title><path id=p d="M0 0"/></svg>', "<p id=q>Lamp</p>"]),
    "microdata in the body": page([], ['<div itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content=1><link itemprop=url href="/a"></div>']),
    "markup inside raw text": page(["<style>p::after{content:'</div>'}</style>"], ["<script>var a = '<div><span>'; if (1<2) {}</script>", "<textarea><div><b></textarea>", "<!-- <section><p></div> -->"]),
    "quotes with signs": page([], ["<img src='/a.png' alt='a > b'>", '<a title="1 < 2 > 0" href="/x">x</a>']),
    "template and details": page([], ["<template><tr><td>x</td></tr></template>", "<details><summary>a</summary>b</details>", "<menu><li>a</li></menu>"]),
    "math and void elements": page([], ["<math><mi>x</mi><mo>=</mo><mn>1</mn></math>", "<p>a<br>b<wbr>c</p><hr>"]),
    "card link around blocks": page([], ["<a href=/x><div><h2>Lamp</h2><p>Text</p></div></a>", "<figure><img src=/a alt=a><figcaption>b</figcaption></figure>"]),
    "duplicate id": page([], ["<p id=a>x</p>", "<p id=a>y</p>!duplicate_id"]),
    "three of one id and two of another": page([], ["<p id=a>x</p><p id=b>x</p>", "<p id=a>y</p>!duplicate_id", "<div><b id=b>z</b></div>!duplicate_id"]),
    "second title": page(["<title>Brass</title>!duplicate_title"], ["<p>x</p>"]),
    "title in the body": page([], ["<title>Brass</title>!title_in_body", "<p>x</p>"]),
    "two descriptions": page(["<meta name=description content=a>", "<meta name=description content=b>!duplicate_description"], ["<p>x</p>"]),
    "no title": ["<!doctype html>!missing_title", "<html lang=en><head>", "<meta charset=utf-8>", "</head>", "<body><p>x</p></body></html>"],
    "no doctype": ["<html lang=en><head>!missing_doctype", "<meta charset=utf-8><title>Lamps</title>", "</head><body><p>x</p></body></html>"],
    "late charset": ["<!doctype html>", "<html lang=en><head>", "<!-- " + "x" * 1_100 + " -->", "<meta charset=utf-8>!late_charset", "<title>Lamps</title>", "</head><body><p>x</p></body></html>"],
    "meta robots in the body": page([], ["<p>x</p>", "<meta name=robots content=noindex>!meta_in_body"]),
    "http-equiv in the body": page([], ["<p>x</p>", '<meta http-equiv=refresh content="5">!meta_in_body']),
    "canonical in the body": page([], ['<p>x</p><link rel=canonical href="/a">!canonical_in_body']),
    "hreflang in the body": page([], ["<p>x</p>", '<link rel=alternate hreflang=de href="/de">!hreflang_in_body']),
    "two canonicals": page(['<link rel=canonical href="/a">', '<link rel=canonical href="/b">!duplicate_canonical'], ["<p>x</p>"]),
    "a div closes the head": [*HEAD, "<div>x</div>!head_closed_early", '<link rel=canonical href="/a">!canonical_in_body', "<meta name=robots content=noindex>!meta_in_body", "</head>", "<body><p>x</p></body></html>"],
    "text closes the head": [*HEAD, "stray words!head_closed_early", '<link rel=alternate hreflang=de href="/de">!hreflang_in_body', "</head><body><p>x</p></body></html>"],
    "a pixel in noscript closes the head": [*HEAD, "<noscript><img src=/p.gif alt=''></noscript>!head_closed_early", '<link rel=canonical href="/a">!canonical_in_body', "</head><body><p>x</p></body></html>"],
    "base that is no address": page(['<base href="https://shop example/">!bad_base'], ["<p>x</p>"]),
    "second base": page(['<base href="/a/">', '<base href="/b/">!bad_base'], ["<p>x</p>"]),
    "late base": page(['<link rel=icon href="/i.png">', '<base href="/a/">!late_base'], ["<p>x</p>"]),
    "button in a link": page([], ["<a href=/a><button type=button>x</button></a>!invalid_nesting"]),
    "link in a link": page([], ["<p><a href=/a>x", "<a href=/b>y</a>!invalid_nesting", "</p>"]),
    "form in a form": page([], ["<form action=/a><p>x</p>", "<form action=/b><p>y</p>!invalid_nesting", "</form>"]),
    "heading in a heading": page([], ["<h1>Lamps", "<h2>of brass</h2>!invalid_nesting", "<p>x</p>"]),
    "paragraph and div in a list": page([], ["<ul>", "<p>x</p>!invalid_nesting", "</ul><ol>", "<div>y</div>!invalid_nesting", "</ol>"]),
    "item outside of a list": page([], ["<div>", "<li>x</li>!invalid_nesting", "</div>"]),
    "div among the rows of a table": page([], ["<table><tr><td>a</td></tr>", "<div>x</div>!invalid_nesting", "</table>"]),
    "row outside of a table": page([], ["<div>", "<tr><td>x</td></tr>!invalid_nesting", "</div>"]),
    "span that nobody closes": page([], ["<div>", "<span>x!unclosed", "</div>", "<p>y</p>"]),
    "end without a beginning": page([], ["<p>x</p>", "</section>!unclosed", "<p>a <b>b</b></i></p>!unclosed"]),
    "block in a paragraph": page([], ["<p>a", "<div>b</div>", "</p>!unclosed"]),
}


def plain(lines):
    faults, out = [], []
    for number, line in enumerate(lines, 1):
        found = re.fullmatch(r"(.*?)!([a-z_]+)", line, re.DOTALL)
        if found and found.group(2) in KINDS:
            line = found.group(1)
            faults.append([found.group(2), number])
        out.append(line)
    return "\n".join(out) + "\n", faults


LINKS = {"canonical_in_body", "hreflang_in_body"}
KINDS = {kind for kind, _ in KNOWN} | LINKS | {"head_closed_early", "duplicate_canonical"}


def of_message(message, source):
    if re.search(r"“link” element must not appear as a descendant of a “body”|Element “link” is missing|“(rel|hreflang)” not allowed on element “link”", message):
        return "hreflang_in_body" if "hreflang" in source else "canonical_in_body"
    return next((kind for kind, pattern in KNOWN if re.search(pattern, message)), None)


def main():
    assert len(FILES) == 40, len(FILES)
    out, bad = [], 0
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for at, (name, lines) in enumerate(FILES.items()):
            html, faults = plain(lines)
            path = pathlib.Path(folder) / f"{at:02}.html"
            path.write_text(html)
            names[path.name] = (name, html, faults)
        command = ["java", "-jar", sys.argv[1], "--format", "json", "--exit-zero-always", folder]
        messages = json.loads(subprocess.run(command, capture_output=True, check=True).stderr)["messages"]
        for file, (name, html, faults) in names.items():
            rows = [it for it in messages if it["url"].endswith(file) and it["type"] == "error"]
            said = set()
            for row in rows:
                kind = of_message(row["message"], html.splitlines()[row["lastLine"] - 1])
                if kind:
                    # What is missing stands nowhere: the first line.
                    said.add((kind, 1 if kind.startswith("missing") else row["lastLine"]))
            judged = {tuple(it) for it in faults if it[0] not in ("head_closed_early", "duplicate_canonical")}
            if said != judged:
                bad += 1
                print("DIFFERS", name, "planted", sorted(judged - said), "said", sorted(said - judged))
                for row in rows:
                    print("    ", row["lastLine"], row["message"])
            out.append({"name": name, "html": html, "faults": faults, "checker": [[row["lastLine"], row["message"]] for row in rows]})
    FIXTURE.parent.mkdir(exist_ok=True)
    FIXTURE.write_text(json.dumps(out, ensure_ascii=False, indent=0) + "\n")
    print(len(out), "files", sum(len(it["faults"]) for it in out), "faults", bad, "differ")
    return bad


if __name__ == "__main__":
    sys.exit(main() > 0)
