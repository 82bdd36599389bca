//! Rules about language versions that must say the same of each other.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{SiteContext, rules};

rules! {
    "hreflang.language_disagrees" Hreflang Warning Page Medium 90 Site(language_disagrees);
    title "A version calls itself another language than this page does";
    why "Two pages of a set name different languages for one of them, and the pair is dropped.";
    fix "indexing.hreflang.generate" "Name each version by the same code on every page.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.set_differs" Hreflang Notice Page Medium 82 Site(set_differs);
    title "A version lists other versions than this page";
    why "Sets that differ fall apart: a version that only one page names is not shown for the others.";
    fix "indexing.hreflang.generate" "List every version on every version.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.default_differs" Hreflang Notice Page Medium 88 Site(default_differs);
    title "The versions name different pages for everybody else";
    why "x-default can be one page only; of several none may be taken.";
    fix "indexing.hreflang.generate" "Name one x-default in the whole set.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.missing" Hreflang Notice Indexable Medium 48 Site(missing);
    title "The page names no versions although most pages do";
    why "Where a website is written in several languages, a page without versions is shown in one of them to all.";
    fix "indexing.hreflang.generate" "Add the versions of this page, or leave it as it is when it has none.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";
}

/// The versions of a page without the one for everybody else.
fn versions(entry: &Entry) -> impl Iterator<Item = &(String, String)> {
    entry.alternates.iter().filter(|(code, _)| !code.eq_ignore_ascii_case("x-default"))
}

/// Each page with a version that answers it and that `judge` finds wrong; the first is the proof. A version that does
/// not answer has a rule of its own.
fn each(index: &SiteIndex, judge: impl Fn(&Entry, &str, &Entry) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for entry in index.own().filter(|entry| entry.page) {
        let mut wrong = Vec::new();
        for (code, url) in versions(entry).filter(|(_, url)| *url != entry.url) {
            let target = index.get(url).filter(|it| it.page && it.alternates.iter().any(|(_, url)| *url == entry.url));
            if let Some(expected) = target.and_then(|target| judge(entry, code, target)) {
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

fn language_disagrees(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |_, code, target| {
        let mut own = versions(target).filter(|(_, url)| *url == target.url).map(|(code, _)| code).peekable();
        let first = (*own.peek()?).clone();
        (!own.any(|it| it.eq_ignore_ascii_case(code))).then(|| format!("{first}, as the page calls itself"))
    })
}

fn set_differs(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    each(index, |entry, _, target| {
        // Whether the two name each other and themselves is said by rules of their own.
        let mut others = versions(entry).filter(|(_, url)| *url != entry.url && *url != target.url);
        let lacking = others.find(|(_, url)| !target.alternates.iter().any(|(_, other)| other == url))?;
        Some(format!("{} listed there too", lacking.1))
    })
}

fn default_differs(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let default = |entry: &Entry| {
        let found = entry.alternates.iter().find(|(code, _)| code.eq_ignore_ascii_case("x-default"));
        found.map(|(_, url)| url.clone())
    };
    each(index, |entry, _, target| {
        let (ours, theirs) = (default(entry)?, default(target)?);
        (ours != theirs).then(|| format!("one x-default, not {ours} here and {theirs} there"))
    })
}

/// The part of a site that must name versions before the rest is asked about them, in hundredths.
const MOST: usize = 70;
/// Fewer pages say nothing of a habit.
const ENOUGH: usize = 10;

fn missing(index: &SiteIndex, _: &SiteContext) -> Vec<Finding> {
    let pages: Vec<&Entry> = index.indexable().collect();
    let named = pages.iter().filter(|entry| !entry.alternates.is_empty()).count();
    if pages.len() < ENOUGH || named * 100 < pages.len() * MOST {
        return Vec::new();
    }
    let silent = pages.into_iter().filter(|entry| entry.alternates.is_empty());
    let findings = silent.map(|entry| Finding {
        url: entry.url.clone(),
        evidence: Evidence::absent("<link rel=\"alternate\" hreflang>").expected("the versions of the page"),
    });
    findings.collect()
}
