//! Rules about addresses and texts that are one page under several names.

use std::collections::BTreeMap;

use kit::simhash::{self, Tables};

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "url.host_duplicate" Url Warning Indexable Low 93 Site(hosts);
    title "The page answers on two hosts";
    why "With and without www, or on http and https, both can be indexed, and links are split between them.";
    fix "cms.redirect.upsert" "Choose one host and scheme, and redirect the other.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "url.order_duplicate" Url Warning Indexable Medium 90 Site(orders);
    title "Two addresses differ only in the order of their parameters";
    why "Each order is a page of its own to a crawler.";
    fix "crawl.trap.detect" "Let links write parameters in one order, or name a canonical.";
    see "https://developers.google.com/search/docs/crawling-indexing/url-structure";

    "url.index_duplicate" Url Warning Indexable Low 93 Site(indexes);
    title "A folder answers with and without the name of its index file";
    why "Both addresses can be indexed, and links are split between them.";
    fix "cms.redirect.upsert" "Redirect the address with index.html or index.php to the folder.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "content.near_duplicate" Content Notice Indexable High 72 Site(near);
    title "Several pages have nearly the same text";
    why "Search engines show one of such pages; the others take its links and its crawls.";
    fix "content.duplicate.find" "Make the pages differ where readers need it, or join them into one.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.unlike" Canonical Notice Page Low 68 Site(unlike);
    title "The canonical page has another text";
    why "A canonical is for copies; where the texts differ search engines pass over it, or drop what only this page says.";
    fix "cms.seo_meta.update" "Let the page be its own canonical, unless it is a copy.";
    see "https://developers.google.com/search/docs/crawling-indexing/canonicalization-troubleshooting";
}

/// Each indexable page whose `key` another address has too; `own` are those that speak.
fn shared(index: &SiteIndex, key: impl Fn(&str) -> Option<String>, speaks: impl Fn(&str) -> bool) -> Vec<Finding> {
    let mut groups: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in index.indexable() {
        if let Some(key) = key(&entry.url) {
            groups.entry(key).or_default().push(entry);
        }
    }
    let mut findings = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        for (at, entry) in group.iter().enumerate().filter(|(_, entry)| speaks(&entry.url)) {
            let twin = group[usize::from(at == 0)];
            let evidence = Evidence::at("address", &entry.url).expected(format!("redirected to or from {}", twin.url));
            findings.push(Finding { url: entry.url.clone(), evidence: evidence.count(group.len()) });
        }
    }
    findings
}

fn hosts(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let bare = |url: &str| {
        let rest = url.split_once("://")?.1;
        Some(rest.strip_prefix("www.").unwrap_or(rest).to_owned())
    };
    shared(index, bare, |_| true)
}

fn orders(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let sorted = |url: &str| {
        let (path, query) = url.split_once('?')?;
        let mut pairs: Vec<&str> = query.split('&').collect();
        pairs.sort_unstable();
        Some(format!("{path}?{}", pairs.join("&")))
    };
    shared(index, sorted, |_| true)
}

/// The folder of an address that ends with the name of an index file.
fn folder(url: &str) -> Option<&str> {
    let (path, file) = url.rsplit_once('/')?;
    let named = matches!(file, "index.html" | "index.htm" | "index.php" | "default.aspx" | "default.htm" | "index.jsp");
    named.then(|| &url[..=path.len()])
}

fn indexes(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    shared(index, |url| Some(folder(url).unwrap_or(url).to_owned()), |url| folder(url).is_some())
}

/// Bits that two fingerprints of nearly the same text differ in at most.
const NEAR: u32 = 3;
/// Texts with fewer words are alike by chance.
const TELLING: u32 = 50;
/// Pairs of like texts that are looked at; a site with more of them has one fault, which the first ones show.
const PAIRS: usize = 200_000;

fn near(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let known: Vec<(&Entry, u64)> = index
        .indexable()
        .filter(|entry| entry.words >= TELLING)
        .filter_map(|entry| Some((entry, simhash::from_hex(&entry.simhash)?)))
        .collect();
    let prints: Vec<u64> = known.iter().map(|it| it.1).collect();
    let Some(pairs) = Tables::new(&prints).pairs(NEAR, PAIRS) else { return Vec::new() };
    let mut twins: BTreeMap<usize, usize> = BTreeMap::new();
    for pair in pairs {
        // The very same text has a rule of its own.
        if known[pair.a].0.text_hash != known[pair.b].0.text_hash {
            twins.entry(pair.a).or_insert(pair.b);
            twins.entry(pair.b).or_insert(pair.a);
        }
    }
    let found = twins.into_iter().map(|(at, twin)| (known[at].0, known[twin].0));
    found
        .map(|(entry, twin)| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at("main text", format!("{} words", entry.words))
                .expected(format!("differs from {}", twin.url)),
        })
        .collect()
}

/// Bits that fingerprints of two unlike texts differ in at least; of unrelated ones it is half of 64.
const UNLIKE: u32 = 18;

fn unlike(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let pages = index.own().filter(|entry| entry.page && !entry.noindex && entry.words >= TELLING);
    pages
        .filter_map(|entry| {
            let canonical = entry.canonical.as_ref().filter(|it| **it != entry.url)?;
            let target = index.get(canonical).filter(|it| it.page && it.words >= TELLING)?;
            let apart = simhash::distance(simhash::from_hex(&entry.simhash)?, simhash::from_hex(&target.simhash)?);
            (apart >= UNLIKE).then(|| Finding {
                url: entry.url.clone(),
                evidence: Evidence::at("<link rel=\"canonical\">", canonical).expected(&entry.url),
            })
        })
        .collect()
}
