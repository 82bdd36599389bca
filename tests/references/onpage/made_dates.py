"""Made pages in the forms in which content systems, papers and wikis write dates, each with its dates known.

Every form stands once. Around the dates stand others that are not of the page: of comments, of other posts, of events, of a
copyright. The days differ from page to page.
"""

import random
from datetime import date, timedelta

DE = ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"]
FR = ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"]
ES = ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"]
IT = ["gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre", "novembre", "dicembre"]
NL = ["januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober", "november", "december"]


def words(day, months):
    return months[day.month - 1]


def en(day):
    return f"{day:%B} {day.day}, {day.year}"


def english(day):
    return f"{day.day} {day:%B} {day.year}"


TEXT = "<p>Brass lamps are made to last. The first of them was sold long ago, and its cord has been changed twice since.</p>"
FOOT = "<footer><p>© 2015–2026 Lampshop Ltd</p></footer>"


def page(head, body, before="", after=""):
    return (f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Brass lamps</title>{head}</head><body><header><nav>"
            f"<a href=/>Home</a></nav></header>{before}<main><h1>Brass lamps</h1>{body}</main>{after}{FOOT}</body></html>")


def ld(kind, **members):
    inner = ",".join(f'"{name}":{value if value.startswith(("{", "[")) else chr(34) + value + chr(34)}' for name, value in members.items())
    return f'<script type="application/ld+json">{{"@context":"https://schema.org","@type":"{kind}",{inner}}}</script>'


def forms(p, m, o):
    """(name, path, html, published, modified) of a day of publication, one of a change, and one of something else."""
    stamp = f"{p}T09:30:00+01:00"
    return [
        ("graph of Yoast", "/a", page('<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebPage","datePublished":"%s","dateModified":"%sT08:00:00+00:00"},{"@type":"Person","name":"Ada"}]}</script>' % (stamp, m), TEXT), p, m),
        ("article node", "/b", page(ld("NewsArticle", headline="Lamps", datePublished=stamp, dateModified=str(m)), TEXT + f"<p>On {english(o)} the fair begins.</p>"), p, m),
        ("article with comments in structured data", "/c", page(ld("BlogPosting", datePublished=str(p), comment='[{"@type":"Comment","dateCreated":"%s"}]' % o), TEXT), p, None),
        ("open graph article", "/d", page(f'<meta property="article:published_time" content="{stamp}"><meta property="article:modified_time" content="{m}T10:00:00Z">', TEXT), p, m),
        ("open graph update", "/e", page(f'<meta property="og:updated_time" content="{m}T10:00:00Z">', TEXT), None, m),
        ("Dublin Core", "/f", page(f'<meta name="DC.date.issued" content="{p}"><meta name="DC.date.modified" content="{m}">', TEXT), p, m),
        ("dcterms", "/g", page(f'<meta name="dcterms.created" content="{p}"><meta name="dcterms.modified" content="{m}">', TEXT), p, m),
        ("meta date", "/h", page(f'<meta name="date" content="{p}">', TEXT), p, None),
        ("meta last-modified", "/i", page(f'<meta http-equiv="last-modified" content="{m:%a, %d %b %Y} 10:00:00 GMT">', TEXT), None, m),
        ("meta pubdate in digits", "/j", page(f'<meta name="pubdate" content="{p:%Y%m%d}">', TEXT), p, None),
        ("parsely", "/k", page(f'<meta name="parsely-pub-date" content="{stamp}">', TEXT), p, None),
        ("sailthru", "/l", page(f'<meta name="sailthru.date" content="{p} 09:30:00">', TEXT), p, None),
        ("citation of journals", "/m", page(f'<meta name="citation_publication_date" content="{p:%Y/%m/%d}">', TEXT), p, None),
        ("microdata meta", "/n", page("", f'<article itemscope itemtype="https://schema.org/Article"><meta itemprop="datePublished" content="{p}"><meta itemprop="dateModified" content="{m}">{TEXT}</article>'), p, m),
        ("microdata time", "/o", page("", f'<time itemprop="datePublished" datetime="{stamp}">{english(p)}</time>{TEXT}'), p, None),
        ("microdata span", "/p", page("", f'<span itemprop="datePublished" content="{p}">{en(p)}</span>{TEXT}'), p, None),
        ("microdata abbr of Blogger", "/q", page("", f'<abbr class="published" itemprop="datePublished" title="{stamp}">9:30 AM</abbr>{TEXT}'), p, None),
        ("WordPress entry-date and updated", "/r", page("", f'<div class="entry-meta"><time class="entry-date published" datetime="{stamp}">{en(p)}</time><time class="updated" datetime="{m}T08:00:00+00:00">{en(m)}</time></div>{TEXT}'), p, m),
        ("WordPress entry-date in both", "/s", page("", f'<span class="posted-on"><time class="entry-date published updated" datetime="{stamp}">{en(p)}</time></span>{TEXT}', after=f'<aside><ul><li><a href=/x>Other</a> <time datetime="{o}">{en(o)}</time></li></ul></aside>'), p, None),
        ("time with comments below", "/t", page("", f'<time datetime="{p}">{english(p)}</time>{TEXT}<div id="comments"><div class="comment"><time datetime="{o}">{english(o)}</time><p>Nice</p></div></div>'), p, None),
        ("h-entry of Jekyll", "/u", page("", f'<p class="post-meta"><time class="dt-published" datetime="{stamp}" itemprop="datePublished">{p:%b} {p.day}, {p.year}</time></p>{TEXT}'), p, None),
        ("pubdate of time", "/v", page("", f'<time pubdate datetime="{p}">{english(p)}</time>{TEXT}'), p, None),
        ("other posts before the article", "/w", page("", f'<time datetime="{p}">{english(p)}</time>{TEXT}', before=f'<aside><time datetime="{o}">{english(o)}</time></aside>'), p, None),
        ("address by day", f"/{p:%Y/%m/%d}/lamps", page("", TEXT), p, None),
        ("address by day with hyphens", f"/{p}-lamps", page("", TEXT), p, None),
        ("address and events in the text", f"/news/{p:%Y/%m/%d}/fair", page("", TEXT + f"<p>The fair is from {english(o)} on.</p>"), p, None),
        ("published on", "/x", page("", f"<p>Published on {en(p)} by Ada</p>{TEXT}"), p, None),
        ("published, updated", "/y", page("", f"<p>Published: {english(p)} | Last updated: {english(m)}</p>{TEXT}"), p, m),
        ("posted in bold", "/z", page("", f"<p><b>Posted:</b> <span>{p:%d %b %Y}</span></p>{TEXT}"), p, None),
        ("paper with a day of the week", "/aa", page("", f'<div class="byline">By Ada Lovelace</div><div class="timestamp">Published 3:04 PM EDT, {p:%a} {en(p)}</div>{TEXT}'), p, None),
        ("wiki", "/ab", page("", TEXT, after=f'<ul><li id="footer-info-lastmod"> This page was last edited on {english(m)}, at 03:03.</li></ul>'), None, m),
        ("manual", "/ac", page("", TEXT, after=f'<div class="footer">Last updated on {p:%b} {p.day:02}, {p.year}.</div>'), None, p),
        ("date in a class", "/ad", page("", f'<div class="post-date">{english(p)}</div>{TEXT}'), p, None),
        ("date in a class, American", "/ae", page("", f'<span class="date">{p:%B} {p.day}, {p.year}</span>{TEXT}<p>The lamp of {english(o)} was the first.</p>'), p, None),
        ("German, published", "/af", page("", f"<p>Veröffentlicht am {p.day}. {words(p, DE)} {p.year}</p>{TEXT}"), p, None),
        ("German, in digits", "/ag", page("", f"<p>Stand: {m:%d.%m.%Y}</p>{TEXT}"), None, m),
        ("German, changed", "/ah", page("", f"<p>Zuletzt aktualisiert: {m:%d.%m.%Y}, 10:15 Uhr</p>{TEXT}"), None, m),
        ("French", "/ai", page("", f"<p>Publié le {p.day} {words(p, FR)} {p.year} à 10h30, mis à jour le {m.day} {words(m, FR)} {m.year}</p>{TEXT}"), p, m),
        ("Spanish", "/aj", page("", f"<p>Publicado el {p.day} de {words(p, ES)} de {p.year}</p>{TEXT}"), p, None),
        ("Spanish, changed", "/ak", page("", f"<p>Última actualización: {m.day} de {words(m, ES)} de {m.year}</p>{TEXT}"), None, m),
        ("Italian", "/al", page("", f"<p>Pubblicato il {p.day} {words(p, IT)} {p.year}</p>{TEXT}"), p, None),
        ("Dutch", "/am", page("", f"<p>Gepubliceerd op {p.day} {words(p, NL)} {p.year}</p>{TEXT}"), p, None),
        ("page node beside article node", "/an", page(ld("WebPage", dateModified=str(m)) + ld("Article", datePublished=str(p)), TEXT), p, m),
        ("video inside an article", "/ao", page(f'<meta property="article:published_time" content="{p}">' + ld("VideoObject", name="Clip", uploadDate=str(o)), TEXT), p, None),
        ("review inside a product", "/ap", page(f'<meta name="last-modified" content="{m}">' + ld("Product", name="Lamp", review='{"@type":"Review","datePublished":"%s"}' % o), TEXT), None, m),
        ("changed only in an asciidoc footer", "/aq", page("", TEXT, after=f'<div id="footer"><div id="footer-text">Last updated<br> {m} 10:00:00 UTC</div></div>'), None, m),
    ]


def pages():
    """The made pages, each form with days of its own."""
    chance = random.Random(31)
    count = len(forms(date(2020, 1, 1), date(2020, 1, 1), date(2020, 1, 1)))
    for at in range(count):
        published = date(2012, 1, 1) + timedelta(days=chance.randrange(4_600))
        modified = published + timedelta(days=chance.randrange(20, 500))
        other = published + timedelta(days=chance.randrange(3, 300))
        name, path, html, p, m = forms(published, modified, other)[at]
        yield {"set": "made", "page": name, "url": f"https://shop.example{path}", "html": html,
               "published": p and p.isoformat(), "modified": m and m.isoformat()}
