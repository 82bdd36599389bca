//! What the text of a link is: brand, address, query, or nothing that says anything.

use std::collections::BTreeSet;

use kit::terms::Analyzer;
use sdk::prelude::*;
use site::brand::{Brand, Naming};

/// Texts that say nothing of the page, in fifteen languages.
const GENERIC: [&str; 72] = [
    "click here",
    "here",
    "this",
    "link",
    "read more",
    "more",
    "learn more",
    "website",
    "site",
    "web",
    "homepage",
    "home page",
    "visit website",
    "visit site",
    "source",
    "view",
    "see more",
    "continue reading",
    "this page",
    "this site",
    "official site",
    "details",
    "download",
    "hier",
    "hier klicken",
    "mehr",
    "mehr erfahren",
    "weiterlesen",
    "webseite",
    "zur webseite",
    "quelle",
    "ici",
    "cliquez ici",
    "en savoir plus",
    "lire la suite",
    "site web",
    "aquí",
    "haga clic aquí",
    "leer más",
    "más información",
    "sitio web",
    "clicca qui",
    "qui",
    "leggi tutto",
    "sito web",
    "clique aqui",
    "aqui",
    "saiba mais",
    "leia mais",
    "klik hier",
    "lees meer",
    "meer informatie",
    "kliknij tutaj",
    "tutaj",
    "czytaj więcej",
    "więcej",
    "здесь",
    "тут",
    "подробнее",
    "читать далее",
    "сайт",
    "klicka här",
    "här",
    "läs mer",
    "klik her",
    "læs mere",
    "klikk her",
    "les mer",
    "tıklayın",
    "buraya tıklayın",
    "こちら",
    "点击这里",
];

/// What a text of a link is.
#[value]
pub(crate) enum Class {
    /// The name of the website or of what it sells under its own name.
    Brand,
    /// An address.
    Url,
    /// A picture without text.
    Image,
    /// The very query that the page is found by.
    Exact,
    /// All words of such a query, and others.
    Partial,
    /// A text that says nothing of the page, such as `click here`.
    Generic,
    Other,
    /// No tool says the text.
    Unknown,
}

pub(super) fn class(anchor: &str, has_image: bool, brand: &Brand, queries: &[String], analyzer: &Analyzer) -> Class {
    if anchor == "\0" {
        return Class::Unknown;
    }
    let folded = kit::text::collapse(&anchor.to_lowercase());
    let plain = folded.trim_matches(|it: char| !it.is_alphanumeric());
    if plain.is_empty() {
        return if has_image { Class::Image } else { Class::Other };
    }
    let is_address = folded.contains("://") || folded.starts_with("www.") || is_host(plain);
    if is_address {
        return Class::Url;
    }
    // A misspelled name is hardly ever linked, and many texts are near one.
    if brand.naming(&folded, &BTreeSet::new()) == Naming::Exact {
        return Class::Brand;
    }
    if queries.iter().any(|it| it.to_lowercase() == plain) {
        return Class::Exact;
    }
    let stems: BTreeSet<String> = analyzer.stems(plain).into_iter().collect();
    let holds = |query: &String| {
        let wanted = analyzer.query(query);
        !wanted.is_empty() && wanted.iter().all(|it| stems.contains(it))
    };
    if queries.iter().any(holds) {
        return Class::Partial;
    }
    if GENERIC.contains(&plain) { Class::Generic } else { Class::Other }
}

/// Whether a text is the name of a host, with a path or without.
fn is_host(text: &str) -> bool {
    if text.contains(' ') {
        return false;
    }
    let host = text.split('/').next().unwrap_or(text);
    host.contains('.')
        && kit::url::registrable_domain(host).is_some_and(|it| it.len() > 3)
        && host.bytes().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'-'))
}

pub(super) fn name(class: Class) -> &'static str {
    match class {
        Class::Brand => "brand",
        Class::Url => "url",
        Class::Image => "image",
        Class::Exact => "exact",
        Class::Partial => "partial",
        Class::Generic => "generic",
        Class::Other => "other",
        Class::Unknown => "unknown",
    }
}
