//! What of a page stays the same in translation: ids, pictures, numbers, and how it is built.

use std::collections::BTreeSet;

use kit::page::PageFacts;

/// Pictures of one page that are compared.
const IMAGES: usize = 40;
/// Numbers of one page that are compared.
const NUMBERS: usize = 60;

/// A page as translations are compared.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Features {
    pub(crate) url: String,
    /// The path behind what tells the language, without a slash at its end.
    pub(crate) rest: String,
    /// Its folders and name.
    pub(crate) segments: Vec<String>,
    /// Numbers with two digits and more, and words with digits, in the path.
    pub(crate) ids: BTreeSet<String>,
    /// File names of pictures.
    pub(crate) images: BTreeSet<String>,
    /// Numbers of title, headings and the beginning of the text.
    pub(crate) numbers: BTreeSet<String>,
    /// Headings by level, pictures and types: how it is built.
    pub(crate) shape: Vec<f64>,
    /// Versions that the page names itself: address by language.
    pub(crate) declared: Vec<(String, String)>,
}

impl Features {
    /// Those of an address alone.
    pub(crate) fn of_address(url: &str, rest: &str) -> Self {
        let rest = rest.trim_end_matches('/').to_owned();
        let path = rest.split('?').next().unwrap_or_default();
        let segments: Vec<String> = path.split('/').filter(|it| !it.is_empty()).map(str::to_lowercase).collect();
        let words = rest.split(|c: char| !c.is_alphanumeric()).filter(|it| it.len() >= 2);
        let ids = words.filter(|it| it.bytes().any(|byte| byte.is_ascii_digit())).map(str::to_lowercase).collect();
        Self { url: url.to_owned(), rest, segments, ids, ..Self::default() }
    }

    /// Adds what the page itself holds.
    pub(crate) fn add(&mut self, facts: &PageFacts) {
        let name = |src: &str| {
            let path = src.split(['?', '#']).next().unwrap_or_default();
            path.rsplit('/').next().unwrap_or_default().to_lowercase()
        };
        self.images = facts.images.iter().map(|it| name(&it.src)).filter(|it| it.len() > 4).take(IMAGES).collect();
        let texts = facts.titles.iter().map(String::as_str).chain(facts.headings.iter().map(|it| it.text.as_str()));
        self.numbers = texts.chain([facts.excerpt.as_str()]).flat_map(numbers).take(NUMBERS).collect();
        let level = |level: u8| facts.headings.iter().filter(|it| it.level == level).count();
        let counts =
            [level(1), level(2), level(3), facts.images.len(), facts.structured.json_ld.len(), facts.forms.len()];
        self.shape = counts.into_iter().map(|it| f64::from(u32::try_from(it).unwrap_or(u32::MAX))).collect();
        self.shape.push(f64::from(facts.word_count) / 50.0);
        let declared = facts.hreflang.iter().filter_map(|it| Some((it.lang.to_lowercase(), it.url.clone()?)));
        self.declared = declared.collect();
    }
}

/// Numbers of a text as their digits, so that `1.299,00` and `1,299.00` are the same; single digits say little.
fn numbers(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut current = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            current.push(c);
        } else if current.is_empty() || !matches!(c, '.' | ',' | '\'' | '\u{a0}') {
            if current.len() >= 2 {
                out.push(std::mem::take(&mut current));
            }
            current.clear();
        }
    }
    out
}

/// The share of what two sets have in common; none where one is empty.
#[expect(clippy::cast_precision_loss, reason = "sets of some dozens")]
pub(crate) fn overlap(a: &BTreeSet<String>, b: &BTreeSet<String>) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let both = a.intersection(b).count();
    Some(both as f64 / (a.len() + b.len() - both) as f64)
}

/// How alike two pages are built: 1 the same, towards 0 the further apart; none where nothing is known.
pub(crate) fn likeness(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let apart: f64 = a.iter().zip(b).map(|(x, y)| (x - y).abs() / (1.0 + x.max(*y))).sum();
    Some((1.0 - apart / f64::from(u32::try_from(a.len()).unwrap_or(1))).max(0.0))
}
