//! Rules about how a page names its language versions.

pub(super) mod form;

use kit::page::{Alternate, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "hreflang.invalid_code" Hreflang Warning Page Low 95 Page(invalid_code);
    title "A language version has an invalid code";
    why "A code that is not a language, with a script or country if need be (ISO 639-1, ISO 15924, ISO 3166-1), is ignored.";
    fix "indexing.hreflang.generate" "Write a code such as en, en-GB or zh-Hant.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.no_self" Hreflang Warning Page Low 92 Page(no_self);
    title "The page is missing from its own language versions";
    why "Each version must list all versions and itself.";
    fix "indexing.hreflang.generate" "Add the page itself to the list.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.no_default" Hreflang Notice Page Low 60 Page(no_default);
    title "No version is named for everybody else";
    why "x-default says which page to show to readers of other languages.";
    fix "indexing.hreflang.generate" "Add a version with hreflang x-default.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.relative" Hreflang Warning Page Low 90 Page(relative);
    title "A language version has a relative address";
    why "The addresses must be whole, with scheme and host.";
    fix "indexing.hreflang.generate" "Write the whole address.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.ambiguous" Hreflang Warning Page Low 95 Page(ambiguous);
    title "One language code names two pages";
    why "Of two pages for the same readers neither can be chosen.";
    fix "indexing.hreflang.generate" "Name one page for each code.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.misplaced" Hreflang Warning Page Low 95 Page(misplaced);
    title "Language versions stand in the body";
    why "Links of this kind count in the head only.";
    fix "onpage.markup.validate" "Move them into the head, before anything that ends it.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "hreflang.canonical_conflict" Hreflang Warning Page Low 90 Page(canonical_conflict);
    title "A page with language versions names another canonical";
    why "The versions of a page that gives itself up for another are dropped with it.";
    fix "indexing.hreflang.validate" "Let each version be its own canonical.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";
}

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
