//! Rules about single properties of a share card.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{Area, Check, Effort, Rule, Scope, Severity, SiteContext};
use crate::rules::social::property;

/// The rules of this file.
pub(crate) const RULES: &[Rule] = &[
    Rule {
        id: "social.image_insecure",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The picture of the share card is insecure",
        explanation: "Networks show cards on secure pages and leave out pictures that are not.",
        advice: "Write an https address.",
        reference: "https://ogp.me/#structured",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(image_insecure),
    },
    Rule {
        id: "social.image_format",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The picture of the share card has a format that networks do not draw",
        explanation: "SVG, TIFF and BMP are drawn by none of the large networks; the card stays empty.",
        advice: "Use a JPEG, PNG or WebP of 1,200 by 630 pixels.",
        reference: "https://ogp.me/#structured",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 88,
        check: Check::Page(image_format),
    },
    Rule {
        id: "social.image_alt_missing",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The picture of the share card has no description",
        explanation: "Open Graph asks for og:image:alt wherever there is an og:image; people who do not see the picture get nothing.",
        advice: "Add og:image:alt.",
        reference: "https://ogp.me/#structured",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 55,
        check: Check::Page(image_alt_missing),
    },
    Rule {
        id: "social.description_missing",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Indexable,
        threshold: None,
        title: "The share card has no description",
        explanation: "Networks fill the line below the title with whatever they find first.",
        advice: "Add og:description, one or two sentences.",
        reference: "https://ogp.me/#optional",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 65,
        check: Check::Page(description_missing),
    },
    Rule {
        id: "social.repeated",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "A property of the share card stands twice with different values",
        explanation: "Only one of the two is shown, and each network chooses its own.",
        advice: "Keep one.",
        reference: "https://ogp.me/#array",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(repeated),
    },
    Rule {
        id: "social.type_unknown",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The kind of the share card is none that exists",
        explanation: "An og:type that Open Graph does not know counts as website.",
        advice: "Write website, article, product or another known type.",
        reference: "https://ogp.me/#types",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 80,
        check: Check::Page(type_unknown),
    },
    Rule {
        id: "social.locale_invalid",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The language of the share card has the wrong form",
        explanation: "og:locale takes a language and a territory with an underscore, such as en_US.",
        advice: "Write en_US, de_DE and so on.",
        reference: "https://ogp.me/#optional",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 85,
        check: Check::Page(locale_invalid),
    },
    Rule {
        id: "social.card_unknown",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The card for X is of no known kind",
        explanation: "X knows summary, summary_large_image, app and player; with another word no card is drawn.",
        advice: "Write summary_large_image.",
        reference: "https://developer.x.com/en/docs/x-for-websites/cards/overview/markup",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(card_unknown),
    },
    Rule {
        id: "social.url_relative",
        area: Area::Social,
        severity: Severity::Notice,
        scope: Scope::Page,
        threshold: None,
        title: "The address of the share card is relative",
        explanation: "Networks read the card apart from the page and need the whole address.",
        advice: "Write og:url with scheme and host.",
        reference: "https://ogp.me/#metadata",
        operation: "onpage.social.preview",
        effort: Effort::Low,
        confidence: 92,
        check: Check::Page(url_relative),
    },
];

fn og(name: &str) -> String {
    format!("<meta property=\"{name}\">")
}

fn image_insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let image = property(page, "og:image").filter(|it| it.starts_with("http://"))?;
    let secure = property(page, "og:image:secure_url").is_some() || page.final_url.starts_with("http://");
    (!secure).then(|| Evidence::at(og("og:image"), image).expected(image.replacen("http:", "https:", 1)))
}

fn image_format(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let image = property(page, "og:image")?;
    let path = image.split(['?', '#']).next().unwrap_or_default().to_lowercase();
    let undrawn = [".svg", ".tif", ".tiff", ".bmp", ".ico"].iter().any(|ending| path.ends_with(ending));
    undrawn.then(|| Evidence::at(og("og:image"), image).expected("JPEG, PNG or WebP"))
}

fn image_alt_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    property(page, "og:image")?;
    let told =
        property(page, "og:image:alt").is_some() || page.twitter.iter().any(|(name, _)| name == "twitter:image:alt");
    (!told).then(|| Evidence::absent(og("og:image:alt")).expected("what the picture shows"))
}

fn description_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // A page without any card has a rule of its own; networks also read the description of the page.
    let told = property(page, "og:description").is_some() || page.descriptions.iter().any(|it| !it.trim().is_empty());
    (!page.open_graph.is_empty() && !told)
        .then(|| Evidence::absent(og("og:description")).expected("one or two sentences"))
}

fn repeated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    ["og:title", "og:url", "og:type", "og:description", "og:site_name"].into_iter().find_map(|name| {
        let mut values = page.open_graph.iter().filter(|(property, _)| property == name).map(|(_, content)| content);
        let first = values.next()?;
        let other = values.find(|it| *it != first)?;
        Some(Evidence::at(og(name), format!("{first} | {other}")).expected("one value"))
    })
}

fn type_unknown(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    const TYPES: [&str; 16] = [
        "website",
        "article",
        "book",
        "profile",
        "product",
        "product.item",
        "product.group",
        "place",
        "game",
        "video.movie",
        "video.episode",
        "video.tv_show",
        "video.other",
        "video",
        "blog",
        "business.business",
    ];
    let kind = property(page, "og:type")?.trim().to_lowercase();
    let known = TYPES.contains(&kind.as_str())
        || kind.starts_with("music.")
        || kind.starts_with("restaurant.")
        || kind.starts_with("fitness.")
        || kind.starts_with("books.")
        || kind.contains(':')
        || kind == "object";
    (!known).then(|| Evidence::at(og("og:type"), kind).expected("website, article, product or another known type"))
}

fn locale_invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let locale = property(page, "og:locale")?.trim();
    let fits = locale.split_once('_').is_some_and(|(language, territory)| {
        (2..=3).contains(&language.len())
            && language.bytes().all(|it| it.is_ascii_lowercase())
            && (2..=3).contains(&territory.len())
            && territory.bytes().all(|it| it.is_ascii_alphanumeric() && !it.is_ascii_lowercase())
    });
    (!fits).then(|| Evidence::at(og("og:locale"), locale).expected("a locale such as en_US"))
}

fn card_unknown(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (_, card) = page.twitter.iter().find(|(name, content)| name == "twitter:card" && !content.trim().is_empty())?;
    let known = ["summary", "summary_large_image", "app", "player"].contains(&card.trim());
    (!known).then(|| Evidence::at("<meta name=\"twitter:card\">", card).expected("summary_large_image or summary"))
}

fn url_relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let url = property(page, "og:url").filter(|it| !it.contains("://"))?;
    Some(Evidence::at(og("og:url"), url).expected("an address with scheme and host"))
}
