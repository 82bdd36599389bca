//! Rules about who links to a page, and in what way.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "links.only_nofollow" Links Warning Indexable Low 88 Site(only_nofollow);
    title "Every link to the page is nofollow";
    why "The site itself tells search engines not to go there, so the page is found late and holds no authority.";
    fix "links.leak.report" "Take nofollow off links inside the site.";
    see "https://developers.google.com/search/docs/crawling-indexing/qualify-outbound-links";

    "links.only_from_hidden" Links Warning Indexable Medium 80 Site(only_from_hidden);
    title "Only pages that are not indexed link to the page";
    why "Links on pages that search engines drop are followed for a while at most.";
    fix "links.suggestion.for_page" "Link to the page from one that can be indexed.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";

    "links.only_unnamed" Links Notice Indexable Low 72 Site(only_unnamed);
    title "No link to the page says what it is about";
    why "All links to it are empty or say \"read more\"; search engines learn what a page is about from the words that lead to it.";
    fix "links.anchor.report" "Let at least one link name the page.";
    see "https://developers.google.com/search/docs/crawling-indexing/links-crawlable";
}

fn each(index: &SiteIndex, element: &str, expected: &str, wrong: impl Fn(&Entry) -> bool) -> Vec<Finding> {
    // What a crawl that did not end has not seen may be the link that counts.
    if !index.is_complete() {
        return Vec::new();
    }
    let found = index.indexable().filter(|entry| entry.inlinks > 0 && wrong(entry));
    found
        .map(|entry| Finding {
            url: entry.url.clone(),
            evidence: Evidence::at(element, format!("0 of {}", entry.inlinks)).expected(expected),
        })
        .collect()
}

fn only_nofollow(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, "pages with a link that may be followed", "at least one", |it| it.followed == 0)
}

fn only_from_hidden(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    each(index, "indexable pages that link here", "at least one", |it| {
        it.found == 0 && it.followed > 0 && it.url != home
    })
}

fn only_unnamed(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    each(index, "links that name the page", "at least one", |it| it.named == 0 && it.followed > 0 && it.url != home)
}
