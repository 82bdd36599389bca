//! The rules that hold a sitemap against what the crawl saw.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

const REFERENCE: &str = "https://developers.google.com/search/docs/crawling-indexing/sitemaps/build-sitemap";

rules! {
    "sitemap.error" Sitemap Warning Address Low 97 Site(error);
    title "The sitemap lists an address that fails";
    why "A sitemap is a promise; one that often leads nowhere is read less.";
    fix "indexing.sitemap.generate" "Make the sitemap from pages that answer 200.";
    see "https://www.sitemaps.org/protocol.html";

    "sitemap.redirect" Sitemap Notice Address Low 95 Site(redirect);
    title "The sitemap lists an address that redirects";
    why "A sitemap should name the addresses to be shown, not the ones that lead to them.";
    fix "indexing.sitemap.generate" "List the address at the end of the redirect.";
    see REFERENCE;

    "sitemap.not_indexable" Sitemap Warning Address Low 95 Site(not_indexable);
    title "The sitemap lists a page that may not be indexed";
    why "One file asks for the page to be indexed and the page itself, its canonical or robots.txt forbids it.";
    fix "indexing.sitemap.generate" "Take the page off the sitemap, or lift what forbids it.";
    see REFERENCE;

    "sitemap.missing" Sitemap Notice Indexable Low 80 Site(missing);
    title "An indexable page is not in the sitemap";
    why "Search engines learn of new and changed pages from the sitemap first.";
    fix "indexing.sitemap.generate" "Make the sitemap from all indexable pages.";
    see REFERENCE;
}

fn error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, Entry::fails, "a page that answers 200")
}

fn redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, Entry::redirects, "the address at the end of the redirect")
}

fn not_indexable(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    listed(index, |entry| entry.blocked || (entry.page && !entry.indexable), "an indexable page")
}

fn listed(index: &SiteIndex, wrong: impl Fn(&Entry) -> bool, expected: &str) -> Vec<Finding> {
    index
        .own()
        .filter(|entry| entry.in_sitemap && wrong(entry))
        .map(|entry| {
            let value = match entry.canonical.as_ref().filter(|it| entry.page && **it != entry.url) {
                Some(canonical) => format!("{}, canonical {canonical}", entry.state()),
                None => entry.state(),
            };
            Finding { url: entry.url.clone(), evidence: Evidence::at("sitemap <loc>", value).expected(expected) }
        })
        .collect()
}

fn missing(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    if !index.has_sitemap() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| !entry.in_sitemap)
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::absent("sitemap <loc>").expected(&entry.url),
        })
        .collect()
}
