//! Rules about language versions that must agree with each other.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

const REFERENCE: &str = "https://developers.google.com/search/docs/specialty/international/localized-versions";

rules! {
    "hreflang.no_return" Hreflang Warning Page Medium 97 Site(no_return);
    title "A language version does not link back";
    why "If two pages do not both point to each other, the tags are ignored: otherwise anybody could claim anybody's page.";
    fix "indexing.hreflang.generate" "List every version on every version.";
    see REFERENCE;

    "hreflang.target_not_indexable" Hreflang Warning Page Medium 95 Site(not_indexable);
    title "A language version cannot be indexed";
    why "A version that redirects, fails, is blocked or has another canonical cannot be shown to anybody.";
    fix "indexing.hreflang.validate" "Name the address at which the version really is, or take it off the list.";
    see REFERENCE;
}

fn no_return(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |entry, target| {
        let answered = target.alternates.iter().any(|(_, url)| *url == entry.url);
        (target.page && !answered).then(|| format!("a link back to {}", entry.url))
    })
}

fn not_indexable(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |_, target| (!target.indexable).then(|| format!("an indexable page, not {}", target.state())))
}

/// Each page with a version that `judge` finds wrong; the first such version is the proof.
fn each(index: &SiteIndex, judge: impl Fn(&Entry, &Entry) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in index.own().filter(|entry| entry.page) {
        let mut wrong = Vec::new();
        for (code, url) in entry.alternates.iter().filter(|(_, url)| *url != entry.url) {
            if let Some(expected) = index.get(url).and_then(|target| judge(entry, target)) {
                wrong.push((code, url, expected));
            }
        }
        if let Some((code, url, expected)) = wrong.first() {
            let element = format!("<link rel=\"alternate\" hreflang=\"{code}\">");
            let evidence = Evidence::at(element, url).expected(expected).count(wrong.len());
            findings.push(Finding { url: entry.url.clone(), evidence });
        }
    }
    findings
}
