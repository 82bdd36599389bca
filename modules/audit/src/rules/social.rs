//! Rules about how a page looks when it is shared.

pub(super) mod detail;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "social.no_card",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The page has no share card",
        explanation: "Without Open Graph tags each network guesses a title and a picture.",
        advice: "Add og:title, og:type, og:image and og:url.",
        reference: "https://ogp.me/",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(no_card),
    },
    Rule {
        id: "social.incomplete",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The share card is incomplete",
        explanation: "The Open Graph protocol requires title, type, image and url on every page.",
        advice: "Add the properties that are missing.",
        reference: "https://ogp.me/#metadata",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(incomplete),
    },
    Rule {
        id: "social.image_relative",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The picture of the share card has a relative address",
        explanation: "Networks fetch the picture from elsewhere and need its whole address.",
        advice: "Write the whole address, with scheme and host.",
        reference: "https://ogp.me/#types",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(image_relative),
    },
    Rule {
        id: "social.url_differs",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The share card names another address than the canonical",
        explanation: "Shares and likes are counted for og:url; they then go to another page.",
        advice: "Write the canonical address into og:url.",
        reference: "https://ogp.me/#metadata",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 75,
        check: Check::Page(url_differs),
    },
];

fn property<'a>(page: &'a PageFacts, name: &str) -> Option<&'a str> {
    page.open_graph
        .iter()
        .find(|(property, content)| property == name && !content.trim().is_empty())
        .map(|(_, content)| content.as_str())
}

fn no_card(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.open_graph.is_empty() && page.twitter.is_empty())
        .then(|| Evidence::absent("<meta property=\"og:title\">").expected("og:title, og:type, og:image, og:url"))
}

fn incomplete(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    if page.open_graph.is_empty() {
        return None;
    }
    let missing = ["og:title", "og:type", "og:image", "og:url"]
        .into_iter()
        .filter(|it| property(page, it).is_none())
        .collect::<Vec<_>>();
    let first = missing.first()?;
    Some(Evidence::absent(format!("<meta property=\"{first}\">")).expected(missing.join(", ")).count(missing.len()))
}

fn image_relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let image = property(page, "og:image").filter(|it| !it.contains("://"))?;
    Some(Evidence::at("<meta property=\"og:image\">", image).expected("an address with scheme and host"))
}

fn url_differs(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let url = property(page, "og:url").filter(|it| it.contains("://"))?;
    let canonical = page.canonicals.iter().find_map(|it| it.url.as_deref())?;
    let bare = |url: &str| url.trim_end_matches('/').to_lowercase();
    (bare(url) != bare(canonical)).then(|| Evidence::at("<meta property=\"og:url\">", url).expected(canonical))
}
