//! Rules about single properties of a share card.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::social::property;

rules! {
    "social.image_insecure" Social Notice Page Low 85 Page(image_insecure);
    title "The picture of the share card is insecure";
    why "Networks show cards on secure pages and leave out pictures that are not.";
    fix "onpage.social.preview" "Write an https address.";
    see "https://ogp.me/#structured";

    "social.image_format" Social Notice Page Low 88 Page(image_format);
    title "The picture of the share card has a format that networks do not draw";
    why "SVG, TIFF and BMP are drawn by none of the large networks; the card stays empty.";
    fix "onpage.social.preview" "Use a JPEG, PNG or WebP of 1,200 by 630 pixels.";
    see "https://ogp.me/#structured";

    "social.image_alt_missing" Social Notice Indexable Low 55 Page(image_alt_missing);
    title "The picture of the share card has no description";
    why "Open Graph asks for og:image:alt wherever there is an og:image; people who do not see the picture get nothing.";
    fix "onpage.social.preview" "Add og:image:alt.";
    see "https://ogp.me/#structured";

    "social.description_missing" Social Notice Indexable Low 65 Page(description_missing);
    title "The share card has no description";
    why "Networks fill the line below the title with whatever they find first.";
    fix "onpage.social.preview" "Add og:description, one or two sentences.";
    see "https://ogp.me/#optional";

    "social.repeated" Social Notice Page Low 85 Page(repeated);
    title "A property of the share card stands twice with different values";
    why "Only one of the two is shown, and each network chooses its own.";
    fix "onpage.social.preview" "Keep one.";
    see "https://ogp.me/#array";

    "social.type_unknown" Social Notice Page Low 80 Page(type_unknown);
    title "The kind of the share card is none that exists";
    why "An og:type that Open Graph does not know counts as website.";
    fix "onpage.social.preview" "Write website, article, product or another known type.";
    see "https://ogp.me/#types";

    "social.locale_invalid" Social Notice Page Low 85 Page(locale_invalid);
    title "The language of the share card has the wrong form";
    why "og:locale takes a language and a territory with an underscore, such as en_US.";
    fix "onpage.social.preview" "Write en_US, de_DE and so on.";
    see "https://ogp.me/#optional";

    "social.card_unknown" Social Notice Page Low 92 Page(card_unknown);
    title "The card for X is of no known kind";
    why "X knows summary, summary_large_image, app and player; with another word no card is drawn.";
    fix "onpage.social.preview" "Write summary_large_image.";
    see "https://developer.x.com/en/docs/x-for-websites/cards/overview/markup";

    "social.url_relative" Social Notice Page Low 92 Page(url_relative);
    title "The address of the share card is relative";
    why "Networks read the card apart from the page and need the whole address.";
    fix "onpage.social.preview" "Write og:url with scheme and host.";
    see "https://ogp.me/#metadata";
}

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
