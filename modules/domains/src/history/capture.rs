//! What one capture says: its language, what it is about, and whether it is parked or spam.

use std::collections::BTreeMap;

use kit::dom::Dom;
use kit::keyphrase::{phrases, without_parts};
use kit::language;
use kit::terms::Analyzer;
use kit::text::word_count;
use sdk::prelude::*;

use super::Topic;

/// Phrases that are told.
const PHRASES: usize = 5;
/// Letters below which no language is said.
const LETTERS: usize = 200;
/// Sentences of pages that only sell their name (seen on parking services, 2026-11).
const PARKED: [&str; 14] = [
    "this domain is for sale",
    "domain is for sale",
    "buy this domain",
    "the domain may be for sale",
    "this domain may be for sale",
    "domain parking",
    "parked free, courtesy of",
    "this web page is parked",
    "inquire about this domain",
    "diese domain steht zum verkauf",
    "diese domain kaufen",
    "ce domaine est à vendre",
    "este dominio está en venta",
    "questo dominio è in vendita",
];
/// Beginnings of words that spam is about, by trade; three of them in title and headings are no chance.
const SPAM: [(&str, &[&str]); 4] = [
    (
        "pharmacy",
        &["viagra", "cialis", "levitra", "pharmac", "tramadol", "xanax", "pills", "apotheke", "rezeptfrei", "kamagra"],
    ),
    (
        "gambling",
        &[
            "casino",
            "slot",
            "poker",
            "betting",
            "jackpot",
            "roulette",
            "togel",
            "judi",
            "gacor",
            "baccarat",
            "spielautomat",
        ],
    ),
    ("adult", &["porn", "xxx", "escort", "milf", "webcam", "nude", "hentai", "fick"]),
    (
        "replicas",
        &["replica", "rolex", "louis", "vuitton", "gucci", "jersey", "ugg", "outlet", "cheap", "fake", "knockoff"],
    ),
];

/// What a capture says.
pub(super) struct Seen {
    pub(super) at: Moment,
    pub(super) title: Option<String>,
    pub(super) language: Option<&'static str>,
    pub(super) phrases: Vec<String>,
    pub(super) words: u32,
    /// The trade, and the words of it.
    pub(super) spam: Option<(&'static str, Vec<String>)>,
    pub(super) parked: Option<String>,
    pub(super) leads_to: Option<String>,
    /// Stems with their numbers.
    stems: BTreeMap<String, f64>,
}

/// Reads a capture.
pub(super) fn of(at: Moment, domain: &str, html: &str, final_url: Option<String>) -> Seen {
    let dom = Dom::parse(html);
    let text_of = |name: &str| {
        let all = dom.elements(name).map(|it| kit::text::collapse(&dom.text(it)));
        all.filter(|it| !it.is_empty()).collect::<Vec<_>>()
    };
    let title = text_of("title").into_iter().next();
    let headings = text_of("h1").into_iter().chain(text_of("h2")).collect::<Vec<_>>().join(" ");
    let body = text_of("body").into_iter().next().unwrap_or_default();
    let language = if body.len() >= LETTERS { language::detect(&body).map(|it| it.language) } else { None };
    let analyzer = Analyzer::new(language.unwrap_or("en"));
    let found = without_parts(phrases(kit::text::clip(&body, 40_000), &analyzer, 3));
    let mut stems: BTreeMap<String, f64> = BTreeMap::new();
    for stem in analyzer.stems(kit::text::clip(&body, 40_000)) {
        *stems.entry(stem).or_default() += 1.0;
    }
    let leads_to = final_url.and_then(|it| {
        let host = it.parse::<kit::url::Url>().ok()?.host_str()?.to_owned();
        let other = kit::url::registrable_domain(&host)?.to_owned();
        (other != domain).then_some(other)
    });
    let spam = spam(&format!("{} {headings}", title.as_deref().unwrap_or_default()));
    let parked = parked(&dom, domain, title.as_deref(), &body);
    Seen {
        at,
        language,
        phrases: found.into_iter().take(PHRASES).map(|it| it.text).collect(),
        words: word_count(&body),
        spam,
        parked,
        leads_to,
        stems,
        title: title.map(|it| kit::text::clip(&it, 200).to_owned()),
    }
}

fn spam(text: &str) -> Option<(&'static str, Vec<String>)> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = kit::text::words(&lower).collect();
    SPAM.iter().find_map(|(trade, stems)| {
        let mut seen: Vec<String> = stems
            .iter()
            .filter(|stem| words.iter().any(|word| word.starts_with(**stem)))
            .map(|it| (*it).to_owned())
            .collect();
        seen.sort();
        (seen.len() >= 3).then_some((*trade, seen))
    })
}

/// Why a page only sells its name; none where it does not.
fn parked(dom: &Dom, domain: &str, title: Option<&str>, body: &str) -> Option<String> {
    let lower = kit::text::clip(body, 20_000).to_lowercase();
    if let Some(words) = PARKED.iter().find(|it| lower.contains(**it)) {
        return Some(format!("the page says: {words}"));
    }
    let mut hosts: BTreeMap<String, usize> = BTreeMap::new();
    let mut links = 0;
    for id in dom.elements("a") {
        let Some(host) =
            dom.attribute(id, "href").and_then(|it| it.parse::<kit::url::Url>().ok()?.host_str().map(str::to_owned))
        else {
            continue;
        };
        links += 1;
        let own = kit::url::registrable_domain(&host).unwrap_or(&host).to_owned();
        if own != domain {
            *hosts.entry(own).or_default() += 1;
        }
    }
    // A page of a handful of words whose links nearly all lead to one stranger sells those links.
    let most = hosts.iter().max_by_key(|it| *it.1);
    if let Some((host, count)) =
        most.filter(|(_, count)| links >= 5 && **count * 5 >= links * 4 && word_count(body) < 200)
    {
        return Some(format!("{count} of {links} links lead to {host}"));
    }
    let is_bare = title.is_some_and(|it| it.eq_ignore_ascii_case(domain)) && word_count(body) < 40;
    is_bare.then(|| "its title is its own name, and it says next to nothing".to_owned())
}

/// The cosine of the stems of two captures.
pub(super) fn likeness(a: &Seen, b: &Seen) -> f64 {
    let dot: f64 = a.stems.iter().filter_map(|(stem, count)| Some(count * b.stems.get(stem)?)).sum();
    let length = |it: &Seen| it.stems.values().map(|count| count * count).sum::<f64>().sqrt();
    let lengths = length(a) * length(b);
    if lengths > 0.0 { dot / lengths } else { 0.0 }
}

impl Seen {
    pub(super) fn topic(self) -> Topic {
        Topic {
            captured_at: self.at,
            title: self.title,
            language: self.language.map(str::to_owned),
            phrases: self.phrases,
            words: self.words,
            leads_to: self.leads_to,
        }
    }
}
