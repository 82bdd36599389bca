"""Crawls a site with scrapy as fast as it can, notes what crawlers usually note, and prints what that took.

    peer.py START_ADDRESS FILE_FOR_PAGES
"""

import json
import resource
import sys
import time
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess


class Pages(scrapy.Spider):
    """Every HTML page of one host: status, title, description, headings, canonical, words, links with their texts."""

    name = "pages"

    def __init__(self, start, **rest):
        super().__init__(**rest)
        self.start_urls = [start]
        self.host = urlsplit(start).netloc
        self.pages = 0

    def parse(self, response):
        self.pages += 1
        if not isinstance(response, scrapy.http.HtmlResponse):
            return
        links = [(response.urljoin(it.attrib["href"]), "".join(it.css("*::text").getall())) for it in response.css("a[href]")]
        yield {
            "url": response.url,
            "status": response.status,
            "title": response.css("title::text").get(),
            "description": response.css("meta[name=description]::attr(content)").get(),
            "h1": response.css("h1 *::text").getall(),
            "canonical": response.css("link[rel=canonical]::attr(href)").get(),
            "words": len(" ".join(response.css("body *::text").getall()).split()),
            "links": links,
        }
        for url, _ in links:
            if urlsplit(url).netloc == self.host:
                yield response.follow(url.split("#")[0], self.parse)


def main():
    """Runs the crawl and prints one line of JSON."""
    start, out = sys.argv[1:]
    process = CrawlerProcess(
        settings={
            "LOG_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS": 64,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
            "HTTPERROR_ALLOW_ALL": True,
            "FEEDS": {out: {"format": "jsonlines", "overwrite": True}},
        }
    )
    crawler = process.create_crawler(Pages)
    used = lambda: sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    begun, before = time.monotonic(), used()
    process.crawl(crawler, start=start)
    process.start()
    pages = crawler.stats.get_value("response_received_count", 0)
    print(json.dumps({"pages": pages, "seconds": time.monotonic() - begun, "cpu": used() - before}))


main()
