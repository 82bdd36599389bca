//! Rules about links that need the whole site to be judged.

use std::collections::BTreeMap;

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "links.broken_internal" Links Error Page Low 98 Site(broken_internal);
    title "The page links to an error on its own site";
    why "Visitors and crawlers follow the link and find nothing.";
    fix "cms.link.replace" "Correct the link, or redirect its target.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.broken_external" Links Warning Page Low 80 Site(broken_external);
    title "The page links to an error on another site";
    why "A dead source makes the page look uncared for and leaves the reader alone.";
    fix "cms.link.replace" "Replace the link by a living source, or remove it.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.to_redirect" Links Notice Page Low 90 Site(to_redirect);
    title "The page links to a redirect";
    why "Each click takes a detour, and a crawler spends a fetch on it.";
    fix "cms.link.replace" "Link to the address at the end of the redirect.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "links.orphan" Links Warning Indexable Medium 90 Site(orphan);
    title "No page of the site links here";
    why "Pages that only a sitemap knows are found late, crawled seldom and hold no authority.";
    fix "links.suggestion.for_page" "Link to the page from a page about the same subject.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.few_inlinks" Links Notice Indexable Medium 60 Site(few_inlinks);
    at "links" inlinks;
    title "Hardly any page links here";
    why "Internal links say which pages matter; a page with one link says that it does not.";
    fix "links.suggestion.for_page" "Add links from related pages.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.deep" Links Notice Indexable Medium 65 Site(deep);
    at "clicks" depth;
    title "The page is many clicks from the home page";
    why "Deep pages are crawled later and less often, and people seldom get there.";
    fix "links.depth.report" "Link to it, or to its section, from a page nearer to the home page.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/help-google-understand-your-ecommerce-site-structure";
}

fn broken_internal(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(index, |target| !target.external && target.fails(), |target| format!("a page, not {}", target.state()))
}

fn broken_external(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(index, |target| target.external && target.fails(), |target| format!("a page, not {}", target.state()))
}

fn to_redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    sources(
        index,
        |target| !target.external && target.redirects(),
        |target| index.chain(target).hops.last().map_or_else(String::new, |last| (*last).to_owned()),
    )
}

/// Each page that links to a target of this sort; the first such link is the proof.
fn sources(index: &SiteIndex, wrong: impl Fn(&Entry) -> bool, expected: impl Fn(&Entry) -> String) -> Vec<Finding> {
    let mut pages: BTreeMap<&str, (Evidence, usize)> = BTreeMap::new();
    for target in index.suspects().filter(|target| wrong(target)) {
        for source in index.sources(&target.url) {
            let found = pages.entry(&source.from).or_insert_with(|| {
                let element = format!("<a href>{}</a>", source.anchor);
                (Evidence::at(element, &target.url).expected(expected(target)), 0)
            });
            found.1 += 1;
        }
    }
    pages
        .into_iter()
        .map(|(url, (evidence, count))| Finding { url: url.to_owned(), evidence: evidence.count(count) })
        .collect()
}

fn orphan(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    if !index.is_complete() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| entry.inlinks == 0 && !is_home(entry, site))
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at("internal links to the page", "0").expected("at least one"),
        })
        .collect()
}

fn few_inlinks(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    if !index.is_complete() {
        return Vec::new();
    }
    index
        .indexable()
        .filter(|entry| entry.inlinks > 0 && entry.inlinks < site.limits.inlinks && !is_home(entry, site))
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at("internal links to the page", entry.inlinks.to_string())
                .expected(format!("{} or more", site.limits.inlinks)),
        })
        .collect()
}

fn deep(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    index
        .indexable()
        .filter_map(|entry| {
            let depth = entry.depth.filter(|depth| *depth > site.limits.depth)?;
            let evidence = Evidence::at("clicks from the home page", depth.to_string())
                .expected(format!("{} or fewer", site.limits.depth));
            Some(Finding { url: entry.url.clone(), evidence })
        })
        .collect()
}

fn is_home(entry: &Entry, site: &SiteContext) -> bool {
    entry.url.strip_prefix(site.origin.as_str()).is_some_and(|rest| rest.is_empty() || rest == "/")
}
