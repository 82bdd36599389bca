"""Writes 60 feeds with what feedparser reads of each: six forms, each with ten peculiarities of feeds in the wild."""

import calendar
import json
import re
import sys

import feedparser

BASE = "https://news.example/feeds/all.xml"

DATES_MAIL = ["Tue, 10 Jun 2025 04:30:00 GMT", "10 Jun 2025 04:30 EST", "Tue, 10 Jun 25 04:30:00 +0200", "Tue, 10 June 2025 04:30:00 PDT"]
DATES_ISO = ["2025-06-10T04:30:00Z", "2025-06-10T04:30:00+02:00", "2025-06-10", "2025-06-10T04:30:00.25-07:00"]

# Name, title, link, and how the text of an item is written.
KINDS = {
    "plain": ("Lamps for desks", "https://news.example/lamps", "A short text."),
    "entities": ("Lamps &amp; shades &#8211; caf&#233;", "https://news.example/a?b=1&amp;c=2", "Five &lt; six &amp;amp; seven."),
    "cdata": ("<![CDATA[Lamps & <b>shades</b>]]>", "https://news.example/cdata", "<![CDATA[<p>A <em>marked</em> text.</p>]]>"),
    "markup": ("Lamps &lt;i&gt;and&lt;/i&gt; shades", "https://news.example/markup", "&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two.&lt;/p&gt;"),
    "relative": ("Relative", "../2025/lamps", "A text."),
    "spaces": ("\n   Lamps\n  for   desks  \n", "\n  https://news.example/spaces  \n", "A text."),
    "foreign": ("Лампы для стола", "https://news.example/%D0%BB", "Текст о лампах."),
    "latin": ("Café für Öl", "https://news.example/latin", "Où ça?"),
    "nolink": ("Without a link", None, "A text."),
    "prefixed": ("With a picture", "https://news.example/prefixed", "A text."),
}


def item(form, kind, number):
    title, link, text = KINDS[kind]
    mail, iso = DATES_MAIL[number % 4], DATES_ISO[number % 4]
    guid = f"https://news.example/guid/{number}"
    extra = '<media:title>Not the title</media:title><media:content url="https://news.example/p.png"><media:title>Nor this</media:title></media:content>' if kind == "prefixed" else ""
    if form.startswith("rss"):
        made = f"<link>{link}</link>" if link else f"<guid>{guid}</guid>"
        date = f"<pubDate>{mail}</pubDate>" if form == "rss2" else f"<dc:date>{iso}</dc:date>" if form == "rss92" else ""
        return f"<item><title>{title}</title>{made}<description>{text}</description>{date}{extra}</item>"
    if form == "rdf":
        made = f"<link>{link}</link>" if link else ""
        return f'<item rdf:about="{guid}"><title>{title}</title>{made}<description>{text}</description><dc:date>{iso}</dc:date>{extra}</item>'
    made = f'<link rel="alternate" type="text/html" href="{link.strip()}"/><link rel="self" href="https://news.example/self"/>' if link else ""
    if form == "atom03":
        return f'<entry><title mode="escaped" type="text/html">{title}</title>{made}<id>tag:news.example,2025:{number}</id><issued>{iso}</issued><modified>2025-07-01T00:00:00Z</modified><summary type="text/html" mode="escaped">{text}</summary>{extra}</entry>'
    return f'<entry><title type="html">{title}</title>{made}<id>tag:news.example,2025:{number}</id><published>{iso}</published><updated>2025-07-01T00:00:00Z</updated><summary type="html">{text}</summary>{extra}</entry>'


def feed(form, kind):
    items = "\n".join(item(form, kind, number) for number in range(4))
    spaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"'
    encoding = "iso-8859-1" if kind == "latin" else "utf-8"
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n'
    if form == "rss2":
        body = f'<rss version="2.0" {spaces}><channel><title>All news</title><link>https://news.example/</link><description>x</description>{items}</channel></rss>'
    elif form == "rss92":
        body = f'<rss version="0.92" {spaces}><channel><title>All news</title><link>https://news.example/</link>{items}</channel></rss>'
    elif form == "rss91":
        body = f'<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">\n<rss version="0.91" {spaces}><channel><title>All news</title><link>https://news.example/</link>{items}</channel></rss>'
    elif form == "rdf":
        body = f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" {spaces}><channel rdf:about="https://news.example/"><title>All news</title><link>https://news.example/</link></channel>{items}</rdf:RDF>'
    elif form == "atom03":
        body = f'<feed version="0.3" xmlns="http://purl.org/atom/ns#" {spaces} xml:base="https://base.example/feeds/">\n<title>All news</title>{items}</feed>'
    else:
        body = f'<feed xmlns="http://www.w3.org/2005/Atom" {spaces} xml:base="https://base.example/feeds/">\n<title>All news</title>{items}</feed>'
    return (head + body).encode(encoding)


def bare(text):
    import html

    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def read(body):
    told = feedparser.parse(body, response_headers={"content-type": "application/xml", "content-location": BASE})
    entries = []
    for entry in told.entries:
        date = entry.get("published_parsed") or entry.get("updated_parsed")
        entries.append({
            "link": entry.get("link"),
            "title": bare(entry.get("title", "")),
            "text": bare(entry.get("summary", "")),
            "published": calendar.timegm(date) if date else None,
        })
    return {"title": bare(told.feed.get("title", "")), "entries": entries}


out = []
for form in ["rss91", "rss92", "rss2", "rdf", "atom03", "atom10"]:
    for kind in KINDS:
        body = feed(form, kind)
        out.append({"name": f"{form} {kind}", "body": body.hex(), **read(body)})
json.dump(out, open(sys.argv[1], "w"), ensure_ascii=False, indent=0)
print(len(out), "feeds")
