//! Rules about how pictures reach the browser.

use kit::page::{Image, PageFacts};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::image::some_of;

rules! {
    "image.src_missing" Images Warning Page Medium 85 Page(src_missing);
    title "A picture has no address";
    why "Search engines find pictures by src alone; one that a script fills in later does not exist for them.";
    fix "onpage.image.check" "Write the address into src, and use loading=lazy to load it late.";
    see "https://developers.google.com/search/docs/appearance/google-images";

    "image.not_responsive" Images Notice Page Medium 50 Page(not_responsive);
    at "px" image_pixels;
    title "Wide pictures have one size for all screens";
    why "A phone loads the picture of a desktop and throws most of it away.";
    fix "onpage.image.check" "Offer smaller versions in srcset.";
    see "https://developer.chrome.com/docs/lighthouse/performance/uses-responsive-images";

    "image.loading_invalid" Images Notice Page Low 92 Page(loading_invalid);
    title "A picture has a loading word that means nothing";
    why "Only lazy and eager are known; with anything else the picture loads at once.";
    fix "onpage.image.check" "Write loading=lazy, or nothing.";
    see "https://html.spec.whatwg.org/multipage/urls-and-fetching.html#lazy-loading-attributes";
}

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
