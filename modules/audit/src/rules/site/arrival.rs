//! Rules about where redirects arrive.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};
use crate::rules::fact::is_home;

rules! {
    "redirect.to_home" Response Notice Address Medium 75 Site(to_home);
    at "redirects" redirects_home;
    title "Many old addresses redirect to the home page";
    why "Google takes a redirect to a page about something else for a missing page; what the old addresses had earned is lost.";
    fix "cms.redirect.map.build" "Redirect each address to the page that took its place, or answer 410.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "redirect.to_hidden" Response Warning Address Low 78 Site(to_hidden);
    title "A redirect leads to a page that may not be indexed";
    why "What links gave to the old address goes to a page that nobody can find.";
    fix "cms.redirect.upsert" "Redirect to a page that may be indexed, or lift the noindex.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";
}

/// Each redirect with the page at its end.
fn ends(index: &SiteIndex) -> impl Iterator<Item = (&Entry, &Entry)> {
    let redirects = index.own().filter(|entry| entry.redirects());
    redirects.filter_map(|entry| Some((entry, index.chain(entry).last?))).filter(|(entry, last)| entry.url != last.url)
}

fn to_home(index: &SiteIndex, site: &SiteContext) -> Vec<Finding> {
    // The home page under another name, such as `/index.html`, or its other host, is no lost page.
    let own = |url: &str| {
        let path = kit::url::path_and_query(url);
        matches!(path, "/" | "") || path.starts_with("/index.") || path.starts_with("/?") || path.starts_with("/home")
    };
    let found: Vec<(&Entry, &Entry)> =
        ends(index).filter(|(entry, last)| is_home(&last.url) && !own(&entry.url)).collect();
    if found.len() < site.limits.redirects_home as usize {
        return Vec::new();
    }
    let count = found.len();
    let findings = found.into_iter().map(|(entry, last)| Finding {
        url: entry.url.clone(),
        evidence: Evidence::at("Location", &last.url).expected("the page that took its place").count(count),
    });
    findings.collect()
}

fn to_hidden(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let found = ends(index).filter(|(_, last)| last.page && last.noindex);
    let findings = found.map(|(entry, last)| Finding {
        url: entry.url.clone(),
        evidence: Evidence::at("Location", &last.url).expected("a page that may be indexed"),
    });
    findings.collect()
}
