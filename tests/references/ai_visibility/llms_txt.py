"""Writes modules/ai_visibility/src/llms_txt/reference.jsonl: texts, and what llms-txt 0.0.7 reads of each (null: it refuses).

Run: pip install llms-txt==0.0.7; python llms_txt.py > reference.jsonl
A title alone is left out: the package wants a line after it, llmstxt.org does not."""

import itertools
import json

from llms_txt.core import parse_llms_file

INTROS = [
    "# Lamp Shop\n\n> Lamps for reading.\n\nWe sell lamps.\n\n",
    "# Lamp Shop\n\nNo summary here.\n\n",
    "# L\n\n> S\n\n- a bullet of text\n- another\n\n",
]
BODIES = [
    "## Guides\n\n- [Light](https://shop.example/light): How much light.\n- [Care](https://shop.example/care)\n",
    "## Docs\n- [A b](https://a.example/x?y=1): desc: with colon\n\n\n- [C](/relative)\n\n## Optional\n\n- [Press](https://shop.example/press)\n",
    "",
    "## Empty\n",
    "## Bad\n\nnot a link\n",
    "##NoSpace\n- [x](https://a.example/)\n",
    "## Two\n- [one](https://a.example/1)\n- [two](https://a.example/2): two\n## Three\n- [three](https://a.example/3)\n",
    "## Nested\n- [p](https://a.example/p)\n  - [q](https://a.example/q): inner\n",
]
TEXTS = [intro + body for intro, body in itertools.product(INTROS, BODIES)]
TEXTS += ["", "Hello\n", "## Only\n- [x](https://a.example/)\n", "# T\n\nText.\n"]

for text in TEXTS:
    try:
        file = parse_llms_file(text)
        sections = [[title.strip(), [link["url"] for link in links]] for title, links in file["sections"].items()]
        parsed = {"title": file["title"], "sections": sections}
    except Exception:
        parsed = None
    print(json.dumps({"text": text, "parsed": parsed}))
