//! Rules about language versions that must say the same of each other.

use crate::evidence::Evidence;
use crate::index::{Entry, Finding, SiteIndex};
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "hreflang.language_disagrees",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A version calls itself another language than this page does",
        explanation: "Two pages of a set name different languages for one of them, and the pair is dropped.",
        advice: "Name each version by the same code on every page.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Medium,
        confidence: 90,
        check: Check::Site(language_disagrees),
    },
    Rule {
        id: "hreflang.set_differs",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A version lists other versions than this page",
        explanation: "Sets that differ fall apart: a version that only one page names is not shown for the others.",
        advice: "List every version on every version.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Medium,
        confidence: 82,
        check: Check::Site(set_differs),
    },
    Rule {
        id: "hreflang.default_differs",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The versions name different pages for everybody else",
        explanation: "x-default can be one page only; of several none may be taken.",
        advice: "Name one x-default in the whole set.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Medium,
        confidence: 88,
        check: Check::Site(default_differs),
    },
    Rule {
        id: "hreflang.missing",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page names no versions although most pages do",
        explanation: "Where a website is written in several languages, a page without versions is shown in one of them to all.",
        advice: "Add the versions of this page, or leave it as it is when it has none.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Medium,
        confidence: 48,
        check: Check::Site(missing),
    },
];

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
