//! Rules about robots.txt and the sitemaps that it names.

use crate::evidence::Evidence;
use crate::index::{Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "robots.missing" Indexability Notice Address Low 65 Site(missing);
    title "The website has no robots.txt";
    why "Without it everything may be crawled, traps and searches too, and nothing says where the sitemap is.";
    fix "indexing.robots.compose" "Add a robots.txt that names the sitemap.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots/create-robots-txt";

    "robots.unreachable" Indexability Error Address Low 96 Site(unreachable);
    title "robots.txt does not answer";
    why "While it fails with a server error, crawlers must take everything for forbidden (RFC 9309 section 2.3.1.4).";
    fix "indexing.robots.get" "Let robots.txt answer 200, or 404 if there is none.";
    see "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1.4";

    "robots.crawl_delay" Indexability Notice Address Low 70 Site(crawl_delay);
    at "ms" crawl_delay_ms;
    title "robots.txt asks crawlers to wait long";
    why "Bing keeps to Crawl-delay: with ten seconds it fetches fewer than 9,000 pages a day. Google passes over it.";
    fix "indexing.robots.compose" "Shorten the delay, or remove it.";
    see "https://www.bing.com/webmasters/help/how-to-create-a-robots-txt-file-cb7c31ec";

    "sitemap.none" Sitemap Notice Address Low 72 Site(no_sitemap);
    title "The website has no sitemap";
    why "Search engines find new pages by links alone, which takes longer.";
    fix "indexing.sitemap.generate" "Make a sitemap, and name it in robots.txt.";
    see "https://developers.google.com/search/docs/crawling-indexing/sitemaps/overview";

    "sitemap.unnamed" Sitemap Notice Address Low 75 Site(unnamed);
    title "robots.txt does not name the sitemap";
    why "Search engines to which nobody has submitted it do not find it.";
    fix "indexing.robots.compose" "Add a Sitemap line to robots.txt.";
    see "https://www.sitemaps.org/protocol.html";
}

/// A finding about the whole site stands at its home page.
fn at_home(index: &SiteIndex, site: &SiteContext, evidence: Option<Evidence>) -> Vec<Finding> {
    let home = index.home(&site.origin);
    evidence.zip(home).map(|(evidence, home)| Finding { url: home.url.clone(), evidence }).into_iter().collect()
}

fn missing(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let robots = index.robots().filter(|it| it.state == "missing");
    at_home(index, site, robots.map(|it| Evidence::at("robots.txt", it.status.to_string()).expected("200")))
}

fn unreachable(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let robots = index.robots().filter(|it| it.state == "unreachable");
    let value = |status: u16| if status == 0 { "no answer".to_owned() } else { status.to_string() };
    at_home(index, site, robots.map(|it| Evidence::at("robots.txt", value(it.status)).expected("200 or 404")))
}

fn crawl_delay(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let limit = u64::from(site.limits.crawl_delay_ms);
    let delay = index.robots().and_then(|it| it.crawl_delay_ms).filter(|delay| *delay > limit);
    let evidence =
        delay.map(|it| Evidence::at("Crawl-delay", format!("{it} ms")).expected(format!("{limit} ms or less")));
    at_home(index, site, evidence)
}

fn no_sitemap(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    // What robots.txt names was looked for; where it says nothing the usual place was.
    let none =
        index.robots().is_some_and(|it| it.sitemaps.is_empty() && it.state != "unreachable") && !index.has_sitemap();
    at_home(index, site, none.then(|| Evidence::absent("sitemap").expected("a sitemap of all indexable pages")))
}

fn unnamed(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let silent = index.robots().is_some_and(|it| it.sitemaps.is_empty() && it.state == "found") && index.has_sitemap();
    at_home(index, site, silent.then(|| Evidence::absent("Sitemap in robots.txt").expected("Sitemap: and the address")))
}
