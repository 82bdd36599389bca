//! The operation `onpage.language.detect`: the language of a text beside what a page declares.

use kit::language::{self, primary};
use sdk::Fix;
use sdk::prelude::*;

use crate::live::Live;
use crate::source;
use site::live::Seen;

/// Below this a text does not contradict a declaration.
const SURE: f64 = 0.5;

#[args]
pub(crate) struct Detect {
    /// The text. Either this or `url`.
    text: Option<Text<20, 50_000>>,
    /// A page, with what it declares.
    url: Option<Url>,
}

#[value]
pub(crate) struct Detected {
    /// ISO 639-1.
    language: String,
    name: String,
    /// From 0 to 1: how far it is ahead of the next.
    confidence: f64,
    /// What it would be otherwise, the likeliest first.
    alternatives: Vec<Alternative>,
    /// What the page says of its language.
    declared: Option<Declared>,
    conflicts: Vec<Conflict>,
    page: Option<Seen>,
}

#[value]
struct Alternative {
    language: String,
    name: String,
}

#[value]
struct Declared {
    /// `lang` of `<html>`.
    html_lang: Option<String>,
    /// The `hreflang` that names this page itself.
    hreflang_self: Option<String>,
    /// The header `Content-Language`.
    content_language: Option<String>,
    /// The first part of the path or host that is a language.
    url_marker: Option<String>,
    /// `og:locale`.
    og_locale: Option<String>,
}

#[value]
struct Conflict {
    /// Where the declaration stands.
    source: Source,
    /// What it says.
    declared: String,
    /// What the text is.
    detected: String,
    message: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

#[value]
enum Source {
    HtmlLang,
    HreflangSelf,
    ContentLanguage,
    UrlMarker,
    OgLocale,
}

/// Detects text language with confidence and checks it against html lang, hreflang self-reference, Content-Language and the
/// URL's language marker.
///
/// Give a text or a page; only a page declares anything. A declaration is in conflict when it names another language than
/// the text and the detection is at least 0.5 sure.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["web"],
    phrasings = [
        "what language is this page in",
        "is my html lang attribute right",
        "does the hreflang match the language of the text",
        "wrong language declared",
    ],
    examples = [
        { "text": "Der Zug nach Hamburg fährt heute erst eine Stunde später." },
        { "url": "https://shop.example/de/lampen" }
    ]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let source = source::of(cx, args.url.as_ref(), args.text.as_deref(), true)?;
    let ranking = language::ranking(&source.text(), 4);
    let Some((best, others)) = ranking.split_first() else {
        return Err(Fault::invalid(source.pointer(), "too_little_text", "there are no words to tell a language by"));
    };
    let declared = source.page().map(declared);
    let conflicts = match (&declared, source.page()) {
        (Some(declared), Some(page)) if best.confidence >= SURE => conflicts(declared, best.language, page),
        _ => Vec::new(),
    };
    Ok(Detected {
        language: best.language.to_owned(),
        name: best.name.to_owned(),
        confidence: kit::statistics::round(best.confidence, 3),
        alternatives: others
            .iter()
            .map(|it| Alternative { language: it.language.to_owned(), name: it.name.to_owned() })
            .collect(),
        declared,
        conflicts,
        page: source.seen(),
    })
}

fn declared(page: &Live) -> Declared {
    let facts = &page.facts;
    let own = |url: &Option<String>| url.as_ref().is_some_and(|url| *url == facts.final_url || *url == facts.url);
    let hreflang = facts.hreflang.iter().find(|it| own(&it.url) && it.lang != "x-default");
    let og = facts.open_graph.iter().find(|(name, _)| name == "og:locale").map(|(_, value)| value.clone());
    Declared {
        html_lang: facts.lang.clone().filter(|it| !it.trim().is_empty()),
        hreflang_self: hreflang.map(|it| it.lang.clone()),
        content_language: facts.headers.get("content-language").map(str::to_owned),
        url_marker: marker(&facts.final_url),
        og_locale: og,
    }
}

/// `de` of `/de/…`, `/de-AT/…` or `de.example.com`.
fn marker(url: &str) -> Option<String> {
    let is_marker = |part: &&str| {
        let mut pieces = part.split(['-', '_']);
        let language = pieces.next().unwrap_or_default();
        let region = pieces.next();
        language.len() == 2
            && language::is_known(&primary(language))
            && region.is_none_or(|it| it.len() == 2 && it.bytes().all(|byte| byte.is_ascii_alphabetic()))
            && pieces.next().is_none()
    };
    let path = kit::url::path_and_query(url);
    let first = path.split(['/', '?']).nth(1).filter(is_marker);
    let host = url.split("://").nth(1).and_then(|it| it.split('.').next()).filter(is_marker);
    first.or(host).map(str::to_owned)
}

fn conflicts(declared: &Declared, detected: &str, page: &Live) -> Vec<Conflict> {
    let all = [
        (Source::HtmlLang, &declared.html_lang, "the lang attribute of html"),
        (Source::HreflangSelf, &declared.hreflang_self, "the hreflang of the page itself"),
        (Source::ContentLanguage, &declared.content_language, "the header Content-Language"),
        (Source::UrlMarker, &declared.url_marker, "the address"),
        (Source::OgLocale, &declared.og_locale, "og:locale"),
    ];
    let differs = |value: &str| !value.split(',').any(|one| primary(one) == detected);
    all.into_iter()
        .filter_map(|(source, value, place)| Some((source, value.as_ref().filter(|it| differs(it))?, place)))
        .map(|(source, value, place)| Conflict {
            source,
            declared: value.clone(),
            detected: detected.to_owned(),
            message: format!("{place} says {value}, the text is {detected}"),
            fix: Fix::on("onpage.markup.validate", &page.facts.final_url),
        })
        .collect()
}

#[cfg(test)]
mod tests;
