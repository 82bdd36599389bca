"""A made site of five hundred pages with traps, and which pages and links a crawl of it must record.

lxml==6.1.3, w3lib==2.5.0, protego==0.7.0. The walk here is written apart from the module's: pages are read by lxml, addresses
resolved by the standard library and spelled by w3lib's `canonicalize_url` (fragments go; tracking parameters go first, as the
module documents), and robots.txt is read by protego.
"""

import gzip
import json
import pathlib
import random
from collections import Counter, deque
from urllib.parse import urljoin, urlsplit, urlunsplit

from lxml import html
from protego import Protego
from w3lib.url import canonicalize_url

FIXTURE = pathlib.Path(__file__).parents[3] / "modules/crawl/fixtures/site.json.gz"
ORIGIN = "https://shop.example"
AGENT = "EspalierBot"
ROBOTS = "User-agent: *\nDisallow: /\n\nUser-agent: EspalierBot\nDisallow: /private/\nAllow: /private/open\nDisallow: /*.pdf$\n"
EXCLUDE = ["/calendar/", "sid="]
ARTICLES, SHELVES, EACH = 440, 6, 9


def spellings(chance, path):
    """One address, written in a way that leads to it."""
    if "?" in path:
        return chance.choice([path, f"{ORIGIN}{path}", f"{path}#part", f"{path}&utm_source=letter", path.replace("?", "?gclid=1&")])
    return chance.choice([
        path, path, path, f"{ORIGIN}{path}", f"//shop.example{path}", f"HTTPS://Shop.Example:443{path}", f"{path}#part", f"/x/..{path}",
        f"/.{path}", path.replace("a", "%61", 1), f"{path}?utm_source=letter&utm_medium=mail", f"{path}?fbclid=abc#top", f" {path} ",
    ])


def page(chance, title, links, before="", extra=""):
    inner = "".join(f"<p>About {title}: {link}, and more.</p>" for link in links)
    return (f"<!doctype html><html lang=en><head><title>{title}</title>{before}</head><body><nav><a href=/>Home</a> <a href='/shelf/1/'>Shelves</a></nav>"
            f"<main><h1>{title}</h1>{inner}{extra}</main><footer><a href='/'>Home</a> <a href='mailto:a@shop.example'>Write</a> <a href='javascript:void(0)'>Up</a>"
            f"<a href='https://other.example/x'>Elsewhere</a></footer><script>var a = '<a href=/script>no</a>'</script><!-- <a href=/comment>no</a> --></body></html>")


def anchor(chance, path, text):
    rel = chance.choice(["", "", "", " rel=nofollow", " rel='ugc noopener'"])
    return f"<a href='{spellings(chance, path)}'{rel}>{text}</a>"


def site():
    chance = random.Random(500)
    pages = {}

    def put(path, status, body="", location=None):
        pages[path] = {"status": status, "location": location, "html": body}

    articles = [f"/article/{n}-lamp" for n in range(ARTICLES)]
    products = [f"/item?colour=red&id={n}" for n in range(10)]
    put("/", 200, page(chance, "Lamps", [anchor(chance, f"/shelf/{n}/", f"Shelf {n}") for n in range(1, SHELVES + 1)] + [
        "<a href='/old'>Old</a>", "<a href='/calendar/2026-01/'>Calendar</a>", "<a href='/cart?sid=a8f3c0d1'>Cart</a>", "<a href='/loop/'>Loop</a>",
        "<a href='/private/papers'>Private</a>", "<a href='/private/open'>Open</a>", "<a href='/list.pdf'>Paper</a>", "<a href='/base/'>Base</a>",
        "<a href='/ring/1'>Ring</a>", "<a href='/away'>Away</a>", "<a href='http://www.shop.example/article/0-lamp'>Other host</a>"]))
    for n in range(1, SHELVES + 1):
        for part in range(1, EACH + 1):
            path = f"/shelf/{n}/" if part == 1 else f"/shelf/{n}/?page={part}"
            here = [at for at in range(ARTICLES) if at % SHELVES == n - 1 and at // SHELVES % EACH == part - 1]
            links = [anchor(chance, articles[at], f"Lamp {at}") for at in here]
            if part < EACH:
                links.append(f"<a href='?page={part + 1}'>Next</a>")
            links.append(f"<a href='../{n % SHELVES + 1}/'><img src=/i.png alt='Shelf beside'></a>")
            put(path, 200, page(chance, f"Shelf {n}, part {part}", links))
    for at, path in enumerate(articles):
        links = [anchor(chance, articles[chance.randrange(ARTICLES)], f"See lamp {k}") for k in range(3)]
        if at % 40 == 0:
            links.append(f"<a href='/gone/{at}'>Gone</a>")
            put(f"/gone/{at}", 404, "<p>Nothing here")
        if at % 42 == 1:
            links.append(anchor(chance, products[at // 42 % 10], "Product"))
        if at % 60 == 2:
            links.append("<a href='#part'>On this page</a> <a href=''>Itself</a>")
        put(path, 200, page(chance, f"Lamp {at}", links))
    for path in products:
        put(path, 200, page(chance, "Product", ["<a href='/item?sid=1&amp;id=3'>With a session</a>", "<a href='/item?id=3&amp;utm_campaign=x&amp;colour=red'>Other order</a>"]))
    # The order of parameters is kept, so this is another address.
    put("/item?id=3&colour=red", 404, "<p>Nothing here")
    put("/old", 301, location="/older?utm_source=x")
    put("/older", 302, location="/article/5-lamp")
    put("http://www.shop.example/article/0-lamp", 301, location=f"{ORIGIN}/article/0-lamp")
    put("/ring/1", 301, location="/ring/2")
    put("/ring/2", 301, location="/ring/1")
    put("/away", 301, location="https://other.example/y")
    for depth in range(1, 4):
        put("/" + "loop/" * depth, 200, page(chance, f"Loop {depth}", ["<a href='loop/'>Deeper</a>"]))
    put("/private/papers", 200, page(chance, "Papers", ["<a href='/never'>Never</a>"]))
    put("/private/open", 200, page(chance, "Open", []))
    put("/base/", 200, page(chance, "Base", ["<a href='7-lamp'>Based</a>", "<a href='?page=1'>Based too</a>"], before="<base href='/article/'>"))
    put("/item?colour=red&id=3&x=%C3%BC", 200, page(chance, "Umlaut", []))
    put("/article/", 200, page(chance, "All", ["<a href='/item?colour=red&amp;id=3&amp;x=ü'>Umlaut</a>", "<a href='/item?colour=red&amp;id=3&amp;x=%c3%bc'>Again</a>"]))
    put("/article/?page=1", 200, page(chance, "All, part 1", ["<a href='/article/'>All</a>"]))
    return pages


def address(base, href):
    """The normal form of a reference, or none when it is no web address."""
    parts = urlsplit(urljoin(base, href.strip()))
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    query = "&".join(it for it in parts.query.split("&") if it and not it.startswith(("utm_", "fbclid=", "gclid=")))
    host = parts.hostname + (f":{parts.port}" if parts.port and parts.port != {"http": 80, "https": 443}[parts.scheme] else "")
    return urlunsplit((parts.scheme, host, urlsplit(canonicalize_url(f"https://a{parts.path or '/'}")).path, spelled(query), ""))


def spelled(query):
    """As w3lib writes it, in its own order."""
    return urlsplit(canonicalize_url(f"https://a/?{query}")).query if "&" not in query else "&".join(spelled(it) for it in query.split("&"))


def own(url):
    return urlsplit(url).hostname.removeprefix("www.") == "shop.example"


def links_of(url, body):
    tree = html.fromstring(body)
    base = urljoin(url, next((node.get("href") for node in tree.iter("base")), ""))
    for node in tree.iter("a"):
        target = address(base, node.get("href"))
        if target:
            text = " ".join(node.text_content().split()) or " ".join(img.get("alt", "") for img in node.iter("img"))
            yield target, text


def walk(pages):
    robots = Protego.parse(ROBOTS)
    queue, known, found, links = deque([ORIGIN + "/"]), {ORIGIN + "/"}, {}, Counter()
    while queue:
        url = queue.popleft()
        if not robots.can_fetch(url, AGENT):
            found[url] = 0
            continue
        answer = pages.get(url.removeprefix(ORIGIN), {"status": 404, "html": "", "location": None})
        found[url] = answer["status"]
        targets = []
        if answer["location"]:
            targets.append(address(url, answer["location"]))
        elif answer["html"]:
            for target, text in links_of(url, answer["html"]):
                links[(url, target, text)] += 1
                targets.append(target)
        for target in targets:
            path = urlsplit(target).path
            # What the module documents: a folder more than three times is a loop, and the customer leaves patterns out.
            looped = max(Counter(path.strip("/").split("/")).values()) > 3
            left = looped or any(target.removeprefix(ORIGIN).startswith(it) if it.startswith("/") else it in target for it in EXCLUDE)
            if own(target) and not left and target not in known:
                known.add(target)
                queue.append(target)
    return found, links


def main():
    pages = site()
    found, links = walk(pages)
    value = {"robots": ROBOTS, "exclude": EXCLUDE, "pages": pages, "found": sorted(found.items()),
             "links": sorted([*link, count] for link, count in links.items())}
    FIXTURE.write_bytes(gzip.compress(json.dumps(value, ensure_ascii=False).encode(), 9, mtime=0))
    print(len(found), "addresses", Counter(found.values()), sum(links.values()), "links,", len(links), "different", FIXTURE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
