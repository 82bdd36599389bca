"""Values taken out of real pages by selectors, expressions and paths, by parsel, re and jsonpath-ng."""

import json
import re

from jsonpath_ng.ext import parse
from parsel import Selector

from documentation import DOCS, write

PAGES = ["tutorial/interpreter.html", "howto/pyporting.html", "library/bisect.html"]
SELECTORS = [
    ("title", None), ("h1", None), ("h2", None), ("a.reference.internal", "href"), ("link[rel=canonical]", "href"),
    ("meta[name=viewport]", "content"), ("div.body > section > p", None), ("ul li:first-child a", None),
    ("code.docutils.literal", None), ("dt.sig", "id"), ("nav a, .sphinxsidebar a", "href"), ("section > section h2", None),
    ("p:nth-of-type(2)", None), ("a[href^='http']", "href"), ("a[href$='.html']:not(.headerlink)", None),
    ("div.highlight pre", None), ("h1 ~ p", None), ("[id]", "id"), ("table td:last-child", None), ("script[src]", "src"),
    ("em", None), ("li + li > p", None), ("aside.footnote, dl.footnote", None), ("div[class*=highlight]", "class"),
]
PATTERNS = [r"<title>([^<]*)</title>", r'href="([^"#]+)#', r"Python (\d+\.\d+)", r"(?i)<H1>([^<]+)", r"\bsys\.\w+",
            r'id="([a-z-]+)"', r"<code[^>]*>(?:<span[^>]*>)?([a-z_]+)", r"no such text at all"]
BLOCKS = [
    {"@context": "https://schema.org", "@type": "Product", "name": "Lamp", "sku": "L-1",
     "offers": {"@type": "Offer", "price": 12.5, "priceCurrency": "EUR"},
     "review": [{"@type": "Review", "author": {"name": "Ada"}}, {"@type": "Review", "author": {"name": "Ben"}}]},
    {"@graph": [{"@type": ["Article", "NewsArticle"], "headline": "News", "author": [{"name": "Cleo"}]},
                {"@type": "BreadcrumbList", "itemListElement": [{"position": 1, "name": "Home"}, {"position": 2, "name": "News"}]}]},
]
PATHS = ["$.name", "$.offers.price", "$['offers']['priceCurrency']", "$.review[0].author.name", "$.review[*].author.name",
         "$..name", "$..price", "$['@graph'][0].headline", "$['@graph'][*]['@type']", "$..itemListElement[1].name", "$.none", "$..position"]


def collapse(text):
    return " ".join(text.split())[:500].strip()


pages, css, regex = {}, [], []
for page in PAGES:
    text = (DOCS / page).read_text(encoding="utf-8")
    pages[page] = text
    selector = Selector(text=text)
    for expression, attribute in SELECTORS:
        found = selector.css(expression)
        values = [collapse(one.attrib.get(attribute, "")) if attribute else collapse(one.xpath("string()").get()) for one in found]
        css.append([page, expression, attribute, [value for value in values if value][:20]])
    for pattern in PATTERNS:
        found = re.finditer(pattern, text, re.MULTILINE)
        values = [collapse(one.group(1) if one.re.groups else one.group(0)) for one in found]
        regex.append([page, pattern, [value for value in values if value][:20]])
paths = []
for path in PATHS:
    values = [match.value for block in BLOCKS for match in parse(path).find(block)]
    paths.append([path, sorted(value if isinstance(value, str) else json.dumps(value, separators=(",", ":")) for value in values)])
write("rules/parsel.json", {"pages": pages, "css": css, "regex": regex, "blocks": BLOCKS, "jsonpath": paths})
print(len(css), "selectors", len(regex), "expressions", len(paths), "paths")
