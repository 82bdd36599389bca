//! Rules about what robots directives say, beyond noindex and nofollow.

use kit::directives::VALUED;
use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::fact::day;
use crate::rules::indexability::directives;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "indexability.directive_unknown",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A robots directive that nobody knows",
        explanation: "Search engines pass over words they do not know, so what was meant does not happen: \"no-index\" keeps no page out.",
        advice: "Write the directive as it is documented.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(unknown),
    },
    Rule {
        id: "indexability.directive_value",
        area: Area::Indexability,
        severity: Severity::Warning,
        scope: Scope::Page,
        threshold: None,
        title: "A robots directive with a value that means nothing",
        explanation: "A limit that cannot be read is no limit.",
        advice: "Write max-snippet and max-video-preview with a number, max-image-preview with none, standard or large.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(value),
    },
    Rule {
        id: "indexability.directive_retired",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A robots directive that has lost its meaning",
        explanation: "The directories behind noodp and noydir are gone, and the search box of sitelinks too; the words are dead weight.",
        advice: "Remove them.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(retired),
    },
    Rule {
        id: "indexability.expired",
        area: Area::Indexability,
        severity: Severity::Error,
        scope: Scope::Page,
        threshold: None,
        title: "The page asked to be forgotten by now",
        explanation: "unavailable_after lies in the past, so the page is taken out of results.",
        advice: "Remove the date, or move it on.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 95,
        check: Check::Page(expired),
    },
    Rule {
        id: "indexability.image_preview_forbidden",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "Results may show no picture of the page",
        explanation: "max-image-preview:none keeps pictures out of results, and out of Discover altogether, which wants large ones.",
        advice: "Write max-image-preview:large.",
        reference: "https://developers.google.com/search/docs/appearance/google-discover",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(image_preview),
    },
    Rule {
        id: "indexability.images_forbidden",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The pictures of the page may not be indexed",
        explanation: "noimageindex keeps them out of image search, where many visits begin.",
        advice: "Remove noimageindex if the pictures may be found.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(images),
    },
    Rule {
        id: "indexability.embed_alone",
        area: Area::Indexability,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "indexifembedded without noindex",
        explanation: "The directive only lifts a noindex for pages that embed this one; alone it does nothing.",
        advice: "Add the noindex that it lifts, or remove it.",
        reference: "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag",
        operation: "cms.seo_meta.update",
        effort: Effort::Low,
        confidence: 90,
        check: Check::Page(embed_alone),
    },
];

/// Directives of Google's and Bing's documents that stand alone.
const KNOWN: [&str; 18] = [
    "all",
    "follow",
    "index",
    "indexifembedded",
    "noai",
    "noarchive",
    "nocache",
    "nofollow",
    "noimageai",
    "noimageindex",
    "noindex",
    "none",
    "noodp",
    "nopagereadaloud",
    "nositelinkssearchbox",
    "nosnippet",
    "notranslate",
    "noydir",
];

fn unknown(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let known = |directive: &str| {
        let name = directive.split(':').next().unwrap_or_default().trim();
        KNOWN.contains(&directive) || VALUED.contains(&name) || name == "noyaca" || name == "unavailable_after"
    };
    let (element, directive) = directives(page).find(|(_, it)| !known(it))?;
    Some(Evidence::at(element, directive).expected("a directive such as noindex, nofollow or nosnippet"))
}

/// Name and value of a directive that takes one.
fn valued(directive: &str) -> Option<(&str, &str)> {
    directive.split_once(':').map(|(name, value)| (name.trim(), value.trim()))
}

fn value(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let fits = |directive: &str| match valued(directive) {
        Some(("max-image-preview", value)) => matches!(value, "none" | "standard" | "large"),
        Some(("max-snippet" | "max-video-preview", value)) => value.parse::<i32>().is_ok_and(|it| it >= -1),
        Some(("unavailable_after", value)) => !value.is_empty(),
        _ => !VALUED.contains(&directive),
    };
    let (element, directive) = directives(page).find(|(_, it)| !fits(it))?;
    Some(Evidence::at(element, directive).expected("a value that the directive takes"))
}

fn retired(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let gone = ["noodp", "noydir", "nositelinkssearchbox", "noyaca"];
    let (element, directive) = directives(page).find(|(_, it)| gone.contains(it))?;
    Some(Evidence::at(element, directive).expected("no such directive"))
}

fn expired(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let today = day(page)?;
    directives(page).find_map(|(element, directive)| {
        let until = directive.strip_prefix("unavailable_after:")?;
        (kit::dates::parse(until)? < today)
            .then(|| Evidence::at(element, directive).expected("a day to come, or no such directive"))
    })
}

fn image_preview(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, directive) = directives(page).find(|(_, it)| valued(it) == Some(("max-image-preview", "none")))?;
    Some(Evidence::at(element, directive).expected("max-image-preview:large"))
}

fn images(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, directive) = directives(page).find(|(_, it)| *it == "noimageindex")?;
    Some(Evidence::at(element, directive).expected("no noimageindex"))
}

fn embed_alone(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, directive) = directives(page).find(|(_, it)| *it == "indexifembedded")?;
    let barred = directives(page).any(|(_, it)| matches!(it, "noindex" | "none"));
    (!barred).then(|| Evidence::at(element, directive).expected("noindex, indexifembedded"))
}
