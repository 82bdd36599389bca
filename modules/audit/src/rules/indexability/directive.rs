//! Rules about what robots directives say, beyond noindex and nofollow.

use kit::directives::VALUED;
use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::day;
use crate::rules::indexability::directives;

rules! {
    "indexability.directive_unknown" Indexability Warning Page Low 92 Page(unknown);
    title "A robots directive that nobody knows";
    why "Search engines pass over words they do not know, so what was meant does not happen: \"no-index\" keeps no page out.";
    fix "cms.seo_meta.update" "Write the directive as it is documented.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.directive_value" Indexability Warning Page Low 95 Page(value);
    title "A robots directive with a value that means nothing";
    why "A limit that cannot be read is no limit.";
    fix "cms.seo_meta.update" "Write max-snippet and max-video-preview with a number, max-image-preview with none, standard or large.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.directive_retired" Indexability Notice Page Low 95 Page(retired);
    title "A robots directive that has lost its meaning";
    why "The directories behind noodp and noydir are gone, and the search box of sitelinks too; the words are dead weight.";
    fix "cms.seo_meta.update" "Remove them.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.expired" Indexability Error Page Low 95 Page(expired);
    title "The page asked to be forgotten by now";
    why "unavailable_after lies in the past, so the page is taken out of results.";
    fix "cms.seo_meta.update" "Remove the date, or move it on.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.image_preview_forbidden" Indexability Notice Indexable Low 85 Page(image_preview);
    title "Results may show no picture of the page";
    why "max-image-preview:none keeps pictures out of results, and out of Discover altogether, which wants large ones.";
    fix "cms.seo_meta.update" "Write max-image-preview:large.";
    see "https://developers.google.com/search/docs/appearance/google-discover";

    "indexability.images_forbidden" Indexability Notice Indexable Low 80 Page(images);
    title "The pictures of the page may not be indexed";
    why "noimageindex keeps them out of image search, where many visits begin.";
    fix "cms.seo_meta.update" "Remove noimageindex if the pictures may be found.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.embed_alone" Indexability Notice Page Low 90 Page(embed_alone);
    title "indexifembedded without noindex";
    why "The directive only lifts a noindex for pages that embed this one; alone it does nothing.";
    fix "cms.seo_meta.update" "Add the noindex that it lifts, or remove it.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";
}

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
