//! Rules about language versions that contradict the page or reach nobody.

use kit::page::{Alternate, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "hreflang.lang_mismatch" Hreflang Warning Page Low 85 Page(lang_mismatch);
    title "The page calls itself another language than its version does";
    why "The list of versions and the html element name different languages for this page; one of them is wrong.";
    fix "indexing.hreflang.generate" "Make lang and hreflang of the page agree.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.insecure" Hreflang Warning Page Low 92 Page(insecure);
    title "A secure page names insecure versions";
    why "The versions redirect, so the pair is not confirmed and may be dropped.";
    fix "indexing.hreflang.generate" "Write https in every version.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.target_invalid" Hreflang Warning Page Low 95 Page(target_invalid);
    title "A language version has no address";
    why "A version whose address cannot be read is no version.";
    fix "indexing.hreflang.generate" "Write the whole address of the version.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.two_places" Hreflang Notice Page Medium 65 Page(two_places);
    title "Language versions stand in two places";
    why "Header and markup drift apart; where they disagree versions are dropped.";
    fix "indexing.hreflang.generate" "Keep one place: markup, header or sitemap.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";

    "hreflang.alone" Hreflang Notice Page Low 70 Page(alone);
    title "The list of versions holds only the page itself";
    why "A list with one entry tells nobody anything.";
    fix "indexing.hreflang.validate" "Add the other versions, or leave the list out.";
    see "https://developers.google.com/search/docs/specialty/international/localized-versions";
}

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
