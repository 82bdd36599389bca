//! Rules about what a canonical link leads to.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

const REFERENCE: &str = "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

rules! {
    "canonical.target_error" Canonical Error Page Low 97 Site(to_error);
    title "The canonical address does not answer";
    why "The page says that another address counts, and that address is an error; neither may be kept.";
    fix "cms.seo_meta.update" "Point the canonical link at a page that answers 200, usually the page itself.";
    see REFERENCE;

    "canonical.target_redirects" Canonical Warning Page Low 95 Site(to_redirect);
    title "The canonical address redirects";
    why "A canonical link names the address to show; one that redirects contradicts itself and is often ignored.";
    fix "cms.seo_meta.update" "Name the address at the end of the redirect.";
    see REFERENCE;

    "canonical.target_not_indexable" Canonical Error Page Low 95 Site(to_noindex);
    title "The canonical page may not be indexed";
    why "The page steps back in favour of one that is kept out of the index, so none of the two can be found.";
    fix "cms.seo_meta.update" "Remove the noindex from the target, or make this page its own canonical.";
    see REFERENCE;

    "canonical.chain" Canonical Warning Page Low 95 Site(chain);
    title "The canonical page names yet another canonical";
    why "A canonical link is a hint; a chain of hints is often dropped as a whole.";
    fix "cms.seo_meta.update" "Name the last page of the chain in all of them.";
    see REFERENCE;

    "canonical.to_home" Canonical Warning Page Low 90 Site(to_home);
    at "pages" canonicals_home;
    title "Inner pages name the home page as their canonical";
    why "The pages say that the home page should be shown in their place, and drop out of the index; templates do this by mistake.";
    fix "cms.seo_meta.bulk_update" "Let each page name its own address.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
}

fn to_home(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    let home = format!("{}/", site.origin);
    // The home page with a query, or under the name of its file, is the home page.
    let inner = |entry: &&Entry| {
        let path = kit::url::path_and_query(&entry.url);
        entry.page && !path.starts_with("/?") && !path.starts_with("/index.") && path != "/"
    };
    let found: Vec<&Entry> =
        index.own().filter(inner).filter(|entry| entry.canonical.as_ref() == Some(&home)).collect();
    if found.len() < site.limits.canonicals_home as usize {
        return Vec::new();
    }
    let evidence =
        |entry: &Entry| Evidence::at("<link rel=\"canonical\">", &home).expected(&entry.url).count(found.len());
    found.iter().map(|entry| Finding { url: entry.url.clone(), evidence: evidence(entry) }).collect()
}

fn to_error(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| target.fails().then(|| format!("an address that answers 200, not {}", target.state())))
}

fn to_redirect(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| target.redirects().then(|| target.location.clone()).flatten())
}

fn to_noindex(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| {
        ((target.page && target.noindex) || target.blocked)
            .then(|| format!("an indexable page, not {}", target.state()))
    })
}

fn chain(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |target| {
        let further = target.canonical.as_ref().filter(|it| target.page && **it != target.url)?;
        Some(further.clone())
    })
}

/// Each page whose canonical is another known address that `judge` finds wrong; what it says is what was expected.
fn each(index: &SiteIndex, judge: impl Fn(&Entry) -> Option<String>) -> Vec<Finding> {
    index
        .own()
        .filter(|entry| entry.page)
        .filter_map(|entry| {
            let canonical = entry.canonical.as_ref().filter(|it| **it != entry.url)?;
            let expected = judge(index.get(canonical)?)?;
            let evidence = Evidence::at("<link rel=\"canonical\">", canonical).expected(expected);
            Some(Finding { url: entry.url.clone(), evidence })
        })
        .collect()
}
