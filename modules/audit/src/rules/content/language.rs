//! Rules about the language that a page declares and the one it is in.

use kit::page::PageFacts;
use kit::terms::Analyzer;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::{header, meta};

rules! {
    "content.lang_mismatch" Content Warning Indexable Low 80 Page(lang_mismatch);
    title "The page is in another language than it says";
    why "Screen readers speak the page in the wrong voice, browsers offer the wrong translation, and search engines doubt the page.";
    fix "onpage.language.detect" "Declare the language of the text, or translate the text.";
    see "https://www.w3.org/International/questions/qa-html-language-declarations";

    "content.lang_conflict" Content Notice Indexable Low 78 Page(lang_conflict);
    title "Header and markup name different languages";
    why "Bing goes by Content-Language, browsers by the lang attribute; here they disagree.";
    fix "monitoring.headers.check" "Name one language in both, or send no Content-Language.";
    see "https://www.w3.org/International/questions/qa-http-and-lang";

    "content.direction_missing" Content Warning Page Low 85 Page(direction_missing);
    title "A text that runs from right to left does not say so";
    why "Arabic, Hebrew, Persian and Urdu are set wrongly where the direction is not declared: punctuation and numbers jump.";
    fix "cms.content.update" "Write dir=rtl on the html element.";
    see "https://www.w3.org/International/questions/qa-html-dir";
}

/// Shorter texts do not tell their language.
const TELLING: usize = 120;
/// How sure the language must be.
const SURE: f64 = 0.9;

fn lang_mismatch(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let lang = page.lang.as_deref()?;
    let declared = kit::language::primary(lang);
    if !kit::language::is_known(&declared) || page.excerpt.chars().count() < TELLING {
        return None;
    }
    // Every fourth word of running text is one of its language's commonest: where they are, nothing has to be detected,
    // which takes a hundred times as long.
    let analyzer = Analyzer::new(&declared);
    let (common, all) = kit::text::words(&page.excerpt)
        .fold((0, 0), |(common, all), word| (common + usize::from(analyzer.is_stop(&word.to_lowercase())), all + 1));
    if common * 4 >= all {
        return None;
    }
    let found = kit::language::detect(&page.excerpt).filter(|it| it.confidence >= SURE && it.language != declared)?;
    // Bokmål and Danish, and the like, are told apart too badly to accuse anybody.
    let near = [
        ["nb", "da"],
        ["nb", "sv"],
        ["es", "pt"],
        ["es", "gl"],
        ["hr", "sr"],
        ["cs", "sk"],
        ["id", "jv"],
        ["ru", "uk"],
        ["es", "ca"],
        ["af", "nl"],
    ];
    let alike = near.iter().any(|pair| pair.contains(&found.language) && pair.contains(&declared.as_str()));
    (!alike)
        .then(|| Evidence::at("<html lang>", lang).expected(format!("{}, the language of the text", found.language)))
}

fn lang_conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let lang = page.lang.as_deref().filter(|it| !it.trim().is_empty())?;
    let told = header(page, "content-language").or_else(|| meta(page, "http-equiv:content-language"))?;
    // A page for several audiences names several (RFC 9110 section 8.5).
    let other =
        !told.contains(',') && !told.trim().is_empty() && kit::language::primary(told) != kit::language::primary(lang);
    other.then(|| Evidence::at("Content-Language", told).expected(lang))
}

fn direction_missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let lang = page.lang.as_deref()?;
    let right = matches!(kit::language::primary(lang).as_str(), "ar" | "he" | "fa" | "ur" | "yi" | "ps" | "ckb");
    // Pages read before the direction was kept say nothing of it.
    let told = page.markup.dir.is_some() || page.markup.mains.is_none();
    (right && !told && !lang.to_lowercase().contains("latn"))
        .then(|| Evidence::absent("<html dir>").expected(format!("dir=rtl, as the page is in {lang}")))
}
