//! The operation `onpage.similarity.compare`: two pages or texts beside each other.

use kit::simhash;
use kit::similarity::{self, passages, shingles};
use kit::statistics::round;
use kit::terms::Analyzer;
use kit::tfidf::{Frequencies, cosine};
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live::{self, Live};
use site::live::Seen;

/// Words in a shingle.
const SHINGLE: usize = 5;
/// Words that a shared passage has at least.
const PASSAGE: usize = 8;

#[args]
pub(crate) struct Compare {
    /// A text, or the address of a page.
    a: Text<1, 50_000>,
    /// The other.
    b: Text<1, 50_000>,
}

#[value]
pub(crate) struct Compared {
    /// Bits in which the 64-bit SimHash of 3-word shingles differs; 0 is equal, about 32 unrelated.
    simhash_distance: u32,
    /// Shared 5-word shingles of all that either has, from 0 to 1.
    jaccard: f64,
    /// Cosine of the TF-IDF vectors of stems, from 0 to 1.
    cosine: f64,
    /// The longest passages of at least eight words that both hold; at most 20.
    shared_passages: Vec<Shared>,
    verdict: Verdict,
    a: Side,
    b: Side,
    /// What settles two pages that are too alike.
    /// What to do next.
    next: Vec<Next>,
}

#[value]
struct Shared {
    text: String,
    words: u32,
    /// Where it begins, in words from the beginning.
    at_a: u32,
    /// Where it begins in the other.
    at_b: u32,
}

#[value]
struct Side {
    words: u32,
    /// The page, when it is one.
    page: Option<Seen>,
}

#[value]
enum Verdict {
    /// The same words in the same order.
    Identical,
    /// Search engines would keep one of them: a Jaccard overlap of at least 0.8, or at most 3 bits.
    NearDuplicate,
    /// Whole passages are shared: an overlap of at least 0.2.
    Overlapping,
    /// The same subject in other words: a cosine of at least 0.5.
    Related,
    Different,
}

/// Compares two pages or texts by SimHash distance, 5-word-shingle Jaccard and TF-IDF cosine and lists the longest shared
/// passages.
///
/// A value that begins with `http://` or `https://` and has no white space is an address; its main text is compared.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 2),
    needs = ["web"],
    phrasings = [
        "are these two pages duplicates",
        "how similar are two texts",
        "did they copy our text",
        "find the passages that two pages share",
    ],
    examples = [
        { "a": "https://shop.example/lamps", "b": "https://shop.example/lights" },
        { "a": "Brass lamps last long.", "b": "Brass lamps last very long." }
    ]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Compared> {
    let (a, b) = (side(cx, &args.a, "/a")?, side(cx, &args.b, "/b")?);
    let words = |text: &str| kit::text::words(text).map(str::to_lowercase).collect::<Vec<_>>();
    let (words_a, words_b) = (words(&a.text), words(&b.text));
    for (words, pointer) in [(&words_a, "/a"), (&words_b, "/b")] {
        if words.is_empty() {
            return Err(Fault::invalid(pointer, "too_little_text", "there are no words to compare"));
        }
    }
    let fingerprint = |text: &str| simhash::of_text(text).unwrap_or_default();
    let simhash_distance = simhash::distance(fingerprint(&a.text), fingerprint(&b.text));
    let jaccard = similarity::jaccard(&shingles(&words_a, SHINGLE), &shingles(&words_b, SHINGLE));
    let analyzer = Analyzer::new(kit::language::detect(&a.text).map_or("en", |it| it.language));
    let stems = [analyzer.query(&a.text), analyzer.query(&b.text)];
    let frequencies = Frequencies::of(&stems);
    let cosine = cosine(&frequencies.vector(&stems[0]), &frequencies.vector(&stems[1]));
    let verdict = match () {
        () if words_a == words_b => Verdict::Identical,
        () if jaccard >= 0.8 || (simhash_distance <= 3 && jaccard >= 0.5) => Verdict::NearDuplicate,
        () if jaccard >= 0.2 => Verdict::Overlapping,
        () if cosine >= 0.5 => Verdict::Related,
        () => Verdict::Different,
    };
    let shared = passages(&words_a, &words_b, PASSAGE, 20);
    let original: Vec<&str> = kit::text::words(&a.text).collect();
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let shared_passages = shared
        .iter()
        .map(|it| Shared {
            text: kit::text::collapse_to(&original[it.a..it.a + it.length].join(" "), 1_000),
            words: count(it.length),
            at_a: count(it.a),
            at_b: count(it.b),
        })
        .collect();
    let alike = matches!(verdict, Verdict::Identical | Verdict::NearDuplicate);
    let next = match (&a.page, &b.page) {
        (Some(one), Some(other)) if alike => {
            let competitors = json!({ "url": one.facts.final_url, "competitors": [other.facts.final_url] });
            vec![Fix::new("onpage.page.compare", competitors).because("shows what only one of the two pages covers")]
        }
        _ => Vec::new(),
    };
    Ok(Compared {
        simhash_distance,
        jaccard: round(jaccard, 4),
        cosine: round(cosine, 4),
        shared_passages,
        verdict,
        a: Side { words: count(words_a.len()), page: a.page.as_ref().map(|page| page.seen()) },
        b: Side { words: count(words_b.len()), page: b.page.as_ref().map(|page| page.seen()) },
        next,
    })
}

struct Given {
    text: String,
    page: Option<Live>,
}

fn side(cx: &Cx, value: &str, pointer: &str) -> Result<Given> {
    let value = value.trim();
    let address =
        ["http://", "https://"].iter().any(|it| value.starts_with(it)) && !value.contains(char::is_whitespace);
    if !address {
        return Ok(Given { text: value.to_owned(), page: None });
    }
    let url: Url = value.parse().map_err(|message: String| Fault::invalid(pointer, "invalid_arguments", message))?;
    let page = live::page(cx, &url, pointer)?;
    Ok(Given { text: page.text(), page: Some(page) })
}

#[cfg(test)]
mod tests;
