//! Rules about language versions that contradict the page or reach nobody.

use kit::page::{Alternate, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "hreflang.lang_mismatch",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "The page calls itself another language than its version does",
        explanation: "The list of versions and the html element name different languages for this page; one of them is wrong.",
        advice: "Make lang and hreflang of the page agree.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(lang_mismatch),
    },
    Rule {
        id: "hreflang.insecure",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A secure page names insecure versions",
        explanation: "The versions redirect, so the pair is not confirmed and may be dropped.",
        advice: "Write https in every version.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(insecure),
    },
    Rule {
        id: "hreflang.target_invalid",
        area: Area::Hreflang,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A language version has no address",
        explanation: "A version whose address cannot be read is no version.",
        advice: "Write the whole address of the version.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(target_invalid),
    },
    Rule {
        id: "hreflang.two_places",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "Language versions stand in two places",
        explanation: "Header and markup drift apart; where they disagree versions are dropped.",
        advice: "Keep one place: markup, header or sitemap.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.generate",
        effort: Effort::Medium,
        confidence: 65,
        check: Check::Page(two_places),
    },
    Rule {
        id: "hreflang.alone",
        area: Area::Hreflang,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The list of versions holds only the page itself",
        explanation: "A list with one entry tells nobody anything.",
        advice: "Add the other versions, or leave the list out.",
        reference: "https://developers.google.com/search/docs/specialty/international/localized-versions",
        operation: "indexing.hreflang.validate",
        effort: Effort::Low,
        confidence: 70,
        check: Check::Page(alone),
    },
];

fn element(alternate: &Alternate) -> String {
    format!("<link rel=\"alternate\" hreflang=\"{}\">", alternate.lang)
}

fn is_default(alternate: &Alternate) -> bool {
    alternate.lang.eq_ignore_ascii_case("x-default")
}

fn lang_mismatch(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let lang = page.lang.as_deref().filter(|it| !it.trim().is_empty())?;
    let own = |it: &&Alternate| it.url.as_deref() == Some(page.final_url.as_str()) && !is_default(it);
    let mut ours = page.hreflang.iter().filter(own).peekable();
    let first = *ours.peek()?;
    let agrees = ours.any(|it| kit::language::primary(&it.lang) == kit::language::primary(lang));
    (!agrees).then(|| Evidence::at(element(first), &first.lang).expected(format!("{lang}, as <html lang> says")))
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let plain = |it: &&Alternate| it.url.as_ref().is_some_and(|url| url.starts_with("http://"));
    let count = page.hreflang.iter().filter(plain).count();
    let first = page.hreflang.iter().find(plain).filter(|_| page.final_url.starts_with("https://"))?;
    Some(Evidence::at(element(first), &first.href).expected(first.href.replacen("http:", "https:", 1)).count(count))
}

fn target_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.iter().find(|it| it.url.is_none() || it.href.trim().is_empty())?;
    Some(Evidence::at(element(first), &first.href).expected("an http or https address"))
}

fn two_places(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.iter().find(|it| it.place == Place::Header)?;
    page.hreflang.iter().find(|it| it.place == Place::Head)?;
    Some(Evidence::at("Link: rel=alternate", &first.href).expected("the markup alone, or the header alone"))
}

fn alone(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let first = page.hreflang.iter().find(|it| !is_default(it))?;
    let others = page.hreflang.iter().any(|it| it.url != first.url || (!is_default(it) && it.lang != first.lang));
    let own = first.url.as_deref() == Some(page.final_url.as_str());
    (!others && own).then(|| Evidence::at(element(first), &first.href).expected("other versions, or no list"))
}
