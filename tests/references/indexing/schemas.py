"""How libxml2 judges made sitemaps by the schemas of sitemaps.org: right ones, and ones with one or two mistakes."""

import itertools
import json
import pathlib
import random
from lxml import etree

ROOT = pathlib.Path(__file__).resolve().parents[3]
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"

# The content models and facets that sitemaps.org publishes (sitemap.xsd and siteindex.xsd, 2008-03-26), stated anew; what a
# date, a number or an order of elements is, is libxml2's.
SCHEMA = f"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{SPACE}" xmlns="{SPACE}" elementFormDefault="qualified">
<xs:simpleType name="loc"><xs:restriction base="xs:anyURI"><xs:minLength value="12"/><xs:maxLength value="2048"/></xs:restriction></xs:simpleType>
<xs:simpleType name="lastmod"><xs:union memberTypes="xs:date xs:dateTime"/></xs:simpleType>
<xs:simpleType name="often"><xs:restriction base="xs:string">{"".join(f'<xs:enumeration value="{it}"/>' for it in "always hourly daily weekly monthly yearly never".split())}</xs:restriction></xs:simpleType>
<xs:simpleType name="rank"><xs:restriction base="xs:decimal"><xs:minInclusive value="0.0"/><xs:maxInclusive value="1.0"/></xs:restriction></xs:simpleType>
<xs:element name="urlset"><xs:complexType><xs:sequence><xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="skip"/>
<xs:element name="url" maxOccurs="unbounded"><xs:complexType><xs:sequence><xs:element name="loc" type="loc"/><xs:element name="lastmod" type="lastmod" minOccurs="0"/>
<xs:element name="changefreq" type="often" minOccurs="0"/><xs:element name="priority" type="rank" minOccurs="0"/>
<xs:any namespace="##other" minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
<xs:element name="sitemapindex"><xs:complexType><xs:sequence><xs:element name="sitemap" maxOccurs="unbounded"><xs:complexType><xs:sequence>
<xs:element name="loc" type="loc"/><xs:element name="lastmod" type="lastmod" minOccurs="0"/></xs:sequence></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
</xs:schema>"""
schema = etree.XMLSchema(etree.fromstring(SCHEMA))

dice = random.Random(2008)
LOC = "<loc>https://shop.example/lamps</loc>"
DATES = ["2026-01-05", "2026-01", "2026", "2026-02-30", "2026-01-05T10:20:30Z", "2026-01-05T10:20Z", "2026-01-05T10:20:30+02:00",
         "2026-01-05T10:20:30", "2026-01-05Z", "2026-01-05T24:00:00Z", "2026-01-05T25:00:00Z", "yesterday", "", "05/01/2026",
         "2026-01-05T10:20:30.123Z", "2026-13-01", "2024-02-29", "2026-01-05 10:20:30", "2026-01-05T10:20:30+14:00", "2026-01-05T10:20:30+14:01"]
RANKS = ["0", "1", "0.5", "1.0", "1.1", "-0.1", ".5", "1e0", "high", "", "+0.3", "0,5"]
OFTEN = ["daily", "never", "Daily", "sometimes", ""]


def urlset(*urls, attributes=f'xmlns="{SPACE}"'):
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {attributes}>\n' + "\n".join(urls) + "\n</urlset>"


cases = [urlset(f"<url>{LOC}<lastmod>{date}</lastmod></url>") for date in DATES]
cases += [urlset(f"<url>{LOC}<priority>{rank}</priority></url>") for rank in RANKS]
cases += [urlset(f"<url>{LOC}<changefreq>{often}</changefreq></url>") for often in OFTEN]
parts = [LOC, "<lastmod>2026-01-05</lastmod>", "<changefreq>daily</changefreq>", "<priority>0.5</priority>"]
cases += [urlset("<url>" + "".join(order) + "</url>") for order in itertools.permutations(parts) if dice.random() < 0.35]
cases += [urlset("<url>" + "".join(some) + "</url>") for count in (1, 2, 3) for some in itertools.combinations(parts, count)]
cases += [
    urlset(), urlset(f"<url>{LOC}{LOC}</url>"), urlset(f"<url>{LOC}<title>x</title></url>"), urlset(f"<link>{LOC}</link>"),
    urlset(f"<url>text {LOC}</url>"), urlset(f"text <url>{LOC}</url>"), urlset("<url><loc>/short</loc></url>"),
    urlset("<url><loc>http://a.b</loc></url>"), urlset(f"<url><loc>https://shop.example/{'a' * 2040}</loc></url>"),
    urlset(f"<url><loc>https://shop.example/?{'a' * 2000}</loc></url>"), urlset("<url><loc>  https://shop.example/lamps\n</loc></url>"),
    urlset("<url><loc><![CDATA[https://shop.example/?a=1&b=2]]></loc></url>"), urlset("<url><loc>https://shop.example/?a=1&amp;b=2</loc></url>"),
    urlset("<url><loc>https://shop.example/?a=1&b=2</loc></url>"), urlset("<url><loc>https://shop.example/caf&eacute;</loc></url>"),
    urlset(f"<url>{LOC}</url>", attributes=""), urlset(f"<url>{LOC}</url>", attributes='xmlns="http://www.google.com/schemas/sitemap/0.84"'),
    urlset(f"<url>{LOC}<x:y xmlns:x='https://other.example/'/></url>"), urlset(f"<url><x:y xmlns:x='https://other.example/'/>{LOC}</url>"),
    urlset(f"<x:y xmlns:x='https://other.example/'/><url>{LOC}</url>"), urlset(f"<url>{LOC}</url><x:y xmlns:x='https://other.example/'/>"),
    urlset(f"<url>{LOC}</url>", f"<url>{LOC}"), urlset(f"<url>{LOC}</URL>"), f"<urlset xmlns='{SPACE}'><url>{LOC}</url></urlset><more/>",
    f"<sm:urlset xmlns:sm='{SPACE}'><sm:url><sm:loc>https://shop.example/lamps</sm:loc></sm:url></sm:urlset>",
    urlset(f"<url>{LOC}<!-- a comment --></url><!-- and one more -->"), urlset(f"<url>{LOC}<lastmod><b>2026-01-05</b></lastmod></url>"),
    f"<sitemapindex xmlns='{SPACE}'><sitemap>{LOC}</sitemap></sitemapindex>", f"<sitemapindex xmlns='{SPACE}'/>",
    f"<sitemapindex xmlns='{SPACE}'><sitemap>{LOC}<lastmod>2026-01-05</lastmod></sitemap></sitemapindex>",
    f"<sitemapindex xmlns='{SPACE}'><sitemap><lastmod>2026-01-05</lastmod>{LOC}</sitemap></sitemapindex>",
    f"<sitemapindex xmlns='{SPACE}'><sitemap>{LOC}<priority>1</priority></sitemap></sitemapindex>",
    f"<sitemapindex xmlns='{SPACE}'><url>{LOC}</url></sitemapindex>", "<html><body/></html>", "", "plain words",
]
out = []
for case in cases:
    try:
        valid = schema.validate(etree.fromstring(case.encode()))
    except etree.XMLSyntaxError:
        valid = False
    out.append([case, valid])
(ROOT / "modules/indexing/fixtures/schemas.json").write_text(json.dumps(out, separators=(",", ":")) + "\n")
print(len(out), "files,", sum(valid for _, valid in out), "valid")
