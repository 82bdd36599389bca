//! Rules about pages of a series and AMP versions that must agree with each other.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "pagination.target_error" Canonical Warning Page Low 92 Site(target_error);
    title "The page beside it in the series does not answer";
    why "rel=next or rel=prev lead to an error, and readers who go on come to it too.";
    fix "cms.content.update" "Name pages that answer, and none after the last one.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";

    "pagination.no_return" Canonical Notice Page Low 80 Site(no_return);
    title "The next page does not name this one as the one before";
    why "Bing joins the pages of a series by both directions; one alone is no proof.";
    fix "cms.content.update" "Name the page before on every page but the first.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";

    "amp.target_error" Canonical Warning Page Low 93 Site(amp_error);
    title "The AMP version does not answer";
    why "Search engines send phones to the AMP version, which is not there.";
    fix "cms.content.update" "Correct the amphtml link, or remove it.";
    see "https://developers.google.com/search/docs/crawling-indexing/amp/validate-amp";

    "amp.no_return" Canonical Warning Page Low 90 Site(amp_no_return);
    title "The AMP version does not name this page as its canonical";
    why "A pair counts only when each names the other.";
    fix "cms.content.update" "Name this page in the canonical link of the AMP version.";
    see "https://developers.google.com/search/docs/crawling-indexing/amp/about-amp";
}

/// Each page with a neighbour of a sort that `judge` finds wrong; what it says is what was expected.
fn each(
    index: &SiteIndex,
    element: &str,
    neighbour: fn(&Entry) -> Option<&String>,
    judge: impl Fn(&Entry, &Entry) -> Option<String>,
) -> Vec<Finding> {
    let pages = index.own().filter(|entry| entry.page);
    pages
        .filter_map(|entry| {
            let url = neighbour(entry).filter(|it| **it != entry.url)?;
            let expected = judge(entry, index.get(url)?)?;
            Some(Finding { url: entry.url.clone(), evidence: Evidence::at(element, url).expected(expected) })
        })
        .collect()
}

fn failing(_: &Entry, target: &Entry) -> Option<String> {
    target.fails().then(|| format!("a page that answers 200, not {}", target.state()))
}

fn target_error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let mut found = each(index, "<link rel=\"next\">", |it| it.next.as_ref(), failing);
    for finding in each(index, "<link rel=\"prev\">", |it| it.prev.as_ref(), failing) {
        if !found.iter().any(|it| it.url == finding.url) {
            found.push(finding);
        }
    }
    found
}

fn no_return(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(
        index,
        "<link rel=\"next\">",
        |it| it.next.as_ref(),
        |entry, target| {
            let back = target.prev.as_ref().is_some_and(|prev| *prev == entry.url);
            (target.page && !back).then(|| format!("rel=prev to {} there", entry.url))
        },
    )
}

fn amp_error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, "<link rel=\"amphtml\">", |it| it.amphtml.as_ref(), failing)
}

fn amp_no_return(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(
        index,
        "<link rel=\"amphtml\">",
        |it| it.amphtml.as_ref(),
        |entry, target| {
            let back = target.canonical.as_ref().is_some_and(|canonical| *canonical == entry.url);
            (target.page && !back).then(|| format!("a canonical to {} there", entry.url))
        },
    )
}
