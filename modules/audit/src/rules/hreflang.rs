//! Rules about how a page names its language versions.

pub(super) mod form;

use kit::page::{Alternate, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "hreflang.invalid_code",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A language version has an invalid code",
        explanation: "A code that is not a language, with a script or country if need be (ISO 639-1, ISO 15924, ISO 3166-1), is ignored.",
        advice: "Write a code such as en, en-GB or zh-Hant.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(invalid_code),
    },
    Rule {
        id: "hreflang.no_self",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page is missing from its own language versions",
        explanation: "Each version must list all versions and itself.",
        advice: "Add the page itself to the list.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(no_self),
    },
    Rule {
        id: "hreflang.no_default",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "No version is named for everybody else",
        explanation: "x-default says which page to show to readers of other languages.",
        advice: "Add a version with hreflang x-default.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 60,
        check: Check::Page(no_default),
    },
    Rule {
        id: "hreflang.relative",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A language version has a relative address",
        explanation: "The addresses must be whole, with scheme and host.",
        advice: "Write the whole address.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(relative),
    },
    Rule {
        id: "hreflang.ambiguous",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "One language code names two pages",
        explanation: "Of two pages for the same readers neither can be chosen.",
        advice: "Name one page for each code.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(ambiguous),
    },
    Rule {
        id: "hreflang.misplaced",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "Language versions stand in the body",
        explanation: "Links of this kind count in the head only.",
        advice: "Move them into the head, before anything that ends it.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata",
        operation: "onpage.markup.validate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(misplaced),
    },
    Rule {
        id: "hreflang.canonical_conflict",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A page with language versions names another canonical",
        explanation: "The versions of a page that gives itself up for another are dropped with it.",
        advice: "Let each version be its own canonical.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.validate",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(canonical_conflict),
    },
];

fn element(alternate: &Alternate) -> String {
    format!("<link rel=\"alternate\" hreflang=\"{}\">", alternate.lang)
}

fn invalid_code(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let wrong = |it: &&Alternate| !it.lang.eq_ignore_ascii_case("x-default") && !crate::language::is_hreflang(&it.lang);
    let count = page.hreflang.iter().filter(wrong).count();
    let first = page.hreflang.iter().find(wrong)?;
    Some(Evidence::at(element(first), &first.lang).expected("a code such as en, en-GB or zh-Hant").count(count))
}

fn no_self(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.first()?;
    let listed = page.hreflang.iter().any(|it| it.url.as_deref() == Some(page.final_url.as_str()));
    (!listed)
        .then(|| Evidence::at(element(first), &first.href).expected(format!("{} among the versions", page.final_url)))
}

fn no_default(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.first()?;
    let named = page.hreflang.iter().any(|it| it.lang.eq_ignore_ascii_case("x-default"));
    (!named && page.hreflang.len() > 1)
        .then(|| Evidence::at(element(first), &first.href).expected("a version for x-default"))
}

fn relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.iter().find(|it| it.url.is_some() && !it.href.trim().contains("://"))?;
    Some(Evidence::at(element(first), &first.href).expected(first.url.as_deref().unwrap_or_default()))
}

fn ambiguous(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.hreflang.iter().enumerate().find_map(|(position, it)| {
        let twin = page.hreflang[..position]
            .iter()
            .find(|other| other.lang.eq_ignore_ascii_case(&it.lang) && other.url != it.url)?;
        Some(Evidence::at(element(it), &it.href).expected(&twin.href))
    })
}

fn misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.iter().find(|it| it.place == Place::Body)?;
    Some(Evidence::at(element(first), &first.href).expected("in the head"))
}

fn canonical_conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    page.hreflang.first()?;
    let canonical = page.counted_canonicals().find_map(|it| it.url.as_ref())?;
    (*canonical != page.final_url)
        .then(|| Evidence::at("<link rel=\"canonical\">", canonical).expected(&page.final_url))
}
