"""Pages made to hold what real documentation seldom does: graphs, references, Microdata with itemref, RDFa Lite."""

import json
import random

WORDS = "brass lamp desk shade light cord switch oak glass green small garden winter reading old warm copper stone".split()
TYPES = ["Article", "NewsArticle", "Product", "Recipe", "Event", "LocalBusiness", "Person", "Organization", "VideoObject", "JobPosting"]
TEXTS = ["name", "description", "alternateName", "headline", "sku", "keywords"]
LINKS = ["url", "sameAs", "image"]


class Maker:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.ids = 0

    def words(self, most=5):
        return " ".join(self.dice.choice(WORDS) for _ in range(self.dice.randint(1, most)))

    def link(self):
        return self.dice.choice(["/lamps/", "https://shop.example/a/", "../up/", "pic.png?x=1&amp;y=2", "//cdn.example/i/"]) + self.dice.choice(WORDS)

    def date(self):
        return f"2026-{self.dice.randint(1, 12):02}-{self.dice.randint(1, 28):02}"

    # JSON-LD
    def node(self, depth=0):
        node = {"@type": self.dice.choice(TYPES)}
        if self.dice.random() < 0.1:
            node["@type"] = [node["@type"], "Thing"]
        if self.dice.random() < 0.3:
            node["@id"] = f"https://shop.example/#{self.dice.choice(WORDS)}"
        for name in self.dice.sample(TEXTS, self.dice.randint(1, 4)):
            node[name] = self.dice.choice([self.words(), self.words(), self.dice.randint(0, 900), [self.words(), self.words()], {"@value": self.words(), "@language": "en"}])
        node["datePublished"] = self.date()
        if depth < 3 and self.dice.random() < 0.7:
            node[self.dice.choice(["author", "offers", "brand", "isPartOf"])] = self.dice.choice([lambda: self.node(depth + 1), lambda: [self.node(depth + 1), self.node(depth + 1)], lambda: {"@id": "https://shop.example/#lamp"}, lambda: {"@list": [self.words(), self.node(depth + 1)]}])()
        if depth == 0 and self.dice.random() < 0.2:
            node["@reverse"] = {"author": {"@type": "Article", "name": self.words()}}
        return node

    def json_ld(self):
        context = self.dice.choice(["https://schema.org", "http://schema.org/", {"@vocab": "https://schema.org/"}])
        shape = self.dice.randint(0, 3)
        if shape == 0:
            value = {"@context": context, **self.node()}
        elif shape == 1:
            value = {"@context": context, "@graph": [self.node() for _ in range(self.dice.randint(1, 4))]}
        elif shape == 2:
            value = [{"@context": context, **self.node()} for _ in range(2)]
        else:
            value = {"@context": {"schema": "https://schema.org/"}, "@type": "schema:Product", "schema:name": self.words(), "schema:url": "https://shop.example/p"}
        return f'<script type="application/ld+json">{json.dumps(value)}</script>'

    # Microdata
    def micro_value(self, name):
        if name in LINKS:
            link = self.link()
            return self.dice.choice([f'<a itemprop="{name}" href="{link}">{self.words()}</a>', f'<link itemprop="{name}" href="{link}">', f'<img itemprop="{name}" src="{link}">'])
        text = self.words()
        return self.dice.choice([f'<span itemprop="{name}">{text}</span>', f'<meta itemprop="{name}" content="{text}">', f'<div itemprop="{name}"> {text} <b>{self.words(2)}</b>\n</div>', f'<p itemprop="{name}" content="{text}">other</p>', f'<data itemprop="{name}" value="{text}">x</data>', f'<time itemprop="{name}" datetime="{self.date()}">day</time>', f'<span itemprop="{name} alternateName">{text}</span>'])

    def micro(self, depth=0, prop=None):
        self.ids += 1
        ident, refs, extra = "", "", ""
        if self.dice.random() < 0.2:
            ident = f' itemid="https://shop.example/i/{self.ids}"'
        if self.dice.random() < 0.25:
            refs = f' itemref="r{self.ids} missing"'
            extra = f'<p id="r{self.ids}"><span itemprop="description">{self.words()}</span></p>'
        inner = "".join(self.micro_value(self.dice.choice(TEXTS + LINKS)) for _ in range(self.dice.randint(1, 4)))
        if depth < 2 and self.dice.random() < 0.6:
            inner += f"<div>{self.micro(depth + 1, self.dice.choice(['author', 'offers', 'brand']))}</div>"
        holds = f' itemprop="{prop}"' if prop else ""
        kind = self.dice.choice(["https://schema.org/", "http://schema.org/"]) + self.dice.choice(TYPES)
        body = f'<div itemscope itemtype="{kind}"{ident}{refs}{holds}>{inner}</div>'
        # What an item refers to stands outside of every item.
        self.outside = getattr(self, "outside", "") + extra
        return body

    # RDFa Lite
    def rdfa_value(self, name):
        if name in LINKS:
            link = self.link()
            return self.dice.choice([f'<a property="{name}" href="{link}">{self.words()}</a>', f'<link property="{name}" href="{link}">', f'<img property="{name}" src="{link}">', f'<span property="{name}" resource="{link}">x</span>'])
        text = self.words()
        return self.dice.choice([f'<span property="{name}">{text}</span>', f'<meta property="{name}" content="{text}">', f'<div property="{name}"> {text} <b>{self.words(2)}</b>\n</div>', f'<time property="{name}" content="{self.date()}">day</time>', f'<span property="{name}" content="{text}">x</span>', f'<span property="schema:{name}">{text}</span>'])

    def rdfa(self, depth=0, prop=None):
        self.ids += 1
        resource = f' resource="#r{self.ids}"' if self.dice.random() < 0.3 else ""
        inner = "".join(self.rdfa_value(self.dice.choice(TEXTS + LINKS)) for _ in range(self.dice.randint(1, 4)))
        if depth < 2 and self.dice.random() < 0.6:
            inner += f"<div>{self.rdfa(depth + 1, self.dice.choice(['author', 'offers', 'brand']))}</div>"
        holds = f' property="{prop}"' if prop else ""
        vocab = f' vocab="{self.dice.choice(["https://schema.org/", "http://schema.org/"])}"' if depth == 0 else ""
        return f'<div{vocab} typeof="{self.dice.choice(TYPES)}"{resource}{holds}>{inner}</div>'

    def page(self):
        kinds = self.dice.choice([["json_ld"], ["micro"], ["rdfa"], ["json_ld", "micro"], ["micro", "micro"], ["rdfa", "rdfa"], ["json_ld", "json_ld", "rdfa"]])
        body = "".join(f"<section><h2>{self.words()}</h2>{getattr(self, kind)()}<p>{self.words(9)}</p></section>" for kind in kinds)
        return f"<!doctype html><html lang=en><head><meta charset=utf-8><title>{self.words()}</title></head><body>{body}{getattr(self, 'outside', '')}</body></html>"


def made():
    """140 pages, the same every time."""
    return [(f"https://shop.example/made/{seed}", Maker(seed).page()) for seed in range(140)]
