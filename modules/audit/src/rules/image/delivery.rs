//! Rules about how pictures reach the browser.

use kit::page::{Image, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext, threshold};
use crate::rules::image::some_of;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "image.src_missing",
        area: Area::Images,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A picture has no address",
        explanation: "Search engines find pictures by src alone; one that a script fills in later does not exist for them.",
        advice: "Write the address into src, and use loading=lazy to load it late.",
        reference: "https://developers.google.com/search/docs/appearance/google-images",
        operation: "onpage.image.check",
        effort: Effort::Medium,
        confidence: 85,
        check: Check::Page(src_missing),
    },
    Rule {
        id: "image.not_responsive",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: Some(threshold!("px", image_pixels)),
        title: "Wide pictures have one size for all screens",
        explanation: "A phone loads the picture of a desktop and throws most of it away.",
        advice: "Offer smaller versions in srcset.",
        reference: "https://developer.chrome.com/docs/lighthouse/performance/uses-responsive-images",
        operation: "onpage.image.check",
        effort: Effort::Medium,
        confidence: 50,
        check: Check::Page(not_responsive),
    },
    Rule {
        id: "image.loading_invalid",
        area: Area::Images,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A picture has a loading word that means nothing",
        explanation: "Only lazy and eager are known; with anything else the picture loads at once.",
        advice: "Write loading=lazy, or nothing.",
        reference: "https://html.spec.whatwg.org/multipage/urls-and-fetching.html#lazy-loading-attributes",
        operation: "onpage.image.check",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(loading_invalid),
    },
];

fn src_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let value = |it: &Image| it.alt.clone().unwrap_or_default();
    some_of(page, "an address in src", value, |it| it.src.is_empty())
}

fn not_responsive(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.image_pixels;
    let drawn = |it: &Image| it.src.split(['?', '#']).next().unwrap_or_default().to_lowercase().ends_with(".svg");
    some_of(
        page,
        "srcset with smaller versions",
        |it| format!("{} px wide", it.width.unwrap_or_default()),
        |it| it.width.is_some_and(|width| width > limit) && !it.responsive && it.src != "data:" && !drawn(it),
    )
}

fn loading_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    some_of(
        page,
        "lazy or eager",
        |it| format!("loading={}", it.loading.as_deref().unwrap_or_default()),
        |it| it.loading.as_deref().is_some_and(|word| !matches!(word.trim(), "lazy" | "eager" | "")),
    )
}
