//! Reads an answer: which brands it names, in what order, how prominently and how friendly, and names that nobody configured.

use std::collections::BTreeMap;
use std::ops::Range;

use kit::statistics::round;

use super::Brand;
use super::detect::{Detector, Found};
use super::markup::{Item, Markup};
use crate::stored::{Mention, Zone};

/// Sentences that are kept of a mention, and the characters of each.
const SENTENCES: usize = 3;
const SENTENCE: usize = 300;
/// The longest name at the head of a list, in words and characters.
const NAME: (usize, usize) = (5, 60);
/// Names that are kept of an answer.
const NAMES: usize = 20;

/// What was read of an answer.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    /// Brands, in order.
    pub(crate) mentions: Vec<Mention>,
    /// Names at the heads of lists that are no configured brand.
    pub(crate) unknown: Vec<String>,
}

/// Reads answers with one set of brands.
pub(crate) struct Reader<'a> {
    brands: &'a [Brand],
    detector: Detector,
    tone: tone::Reader,
}

/// A mention with its zone and bytes.
struct Placed {
    found: Found,
    bytes: Range<usize>,
    zone: Zone,
}

impl<'a> Reader<'a> {
    /// With a set.
    pub(crate) fn new(brands: &'a [Brand]) -> Self {
        Self { brands, detector: Detector::new(brands), tone: tone::Reader::default() }
    }

    /// Reads a text of a language.
    pub(crate) fn read(&self, text: &str, language: &str) -> Reading {
        let markup = Markup::of(text);
        let starts = starts(text);
        let byte = |at: usize| starts.get(at).copied().unwrap_or(text.len());
        let found = self.detector.find(text, language);
        let placed: Vec<Placed> = found
            .into_iter()
            .filter_map(|found| {
                let bytes = byte(found.start)..byte(found.end);
                Some(Placed { found, zone: markup.zone(&bytes)?, bytes })
            })
            .collect();
        let mut firsts: BTreeMap<usize, &Placed> = BTreeMap::new();
        for it in &placed {
            firsts.entry(it.found.brand).or_insert(it);
        }
        let mut order: Vec<&Placed> = firsts.into_values().collect();
        order.sort_by_key(|it| it.found.start);
        let sentences = sentences(text);
        let length = starts.len().max(1);
        let mentions = order
            .iter()
            .zip(1..)
            .map(|(first, rank)| self.mention(text, language, &markup, &placed, first, rank, &sentences, length));
        Reading { mentions: mentions.collect(), unknown: self.unknown(text, &markup, &placed) }
    }

    #[expect(clippy::too_many_arguments, reason = "one mention out of all that was read of the answer")]
    #[expect(clippy::cast_precision_loss, reason = "characters of one answer")]
    fn mention(
        &self,
        text: &str,
        language: &str,
        markup: &Markup,
        placed: &[Placed],
        first: &Placed,
        rank: u32,
        sentences: &[Range<usize>],
        length: usize,
    ) -> Mention {
        let own: Vec<&Placed> = placed.iter().filter(|it| it.found.brand == first.found.brand).collect();
        let listed = headed(markup, placed, first.found.brand);
        let top = listed.is_some_and(|(place, list)| list == 0 && place <= 3);
        let early = 1.0 - first.found.start as f64 / length as f64;
        let often = (own.len() as f64 / 3.0).min(1.0);
        let prominence = 0.5 * early + if top { 0.3 } else { 0.0 } + 0.2 * often;
        let number = markup.items.iter().find(|it| heads(it, placed, first.found.brand)).and_then(|it| it.number);
        let mut named: Vec<Range<usize>> =
            own.iter().filter_map(|it| around(text, markup, placed, it, sentences)).collect();
        named.dedup();
        let clauses = own.iter().filter_map(|it| self.clause(text, language, markup, placed, it, sentences));
        let scores: Vec<f64> = clauses.filter_map(|clause| self.score(clause, language)).collect();
        let tone = (!scores.is_empty()).then(|| round(kit::statistics::mean(&scores), 4));
        let small = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        Mention {
            brand: self.brands[first.found.brand].name.clone(),
            start: small(first.found.start),
            end: small(first.found.end),
            zone: first.zone,
            rank: number.unwrap_or(rank),
            times: small(own.len()),
            prominence: round(prominence, 4),
            tone,
            sentences: named
                .into_iter()
                .take(SENTENCES)
                .map(|it| kit::text::clip(text[it].trim(), SENTENCE).to_owned())
                .collect(),
        }
    }

    /// The clauses of a sentence that name a brand.
    pub(crate) fn clauses<'t>(&self, sentence: &'t str, language: &str, brand: &str) -> Vec<&'t str> {
        let starts = starts(sentence);
        let byte = |at: usize| starts.get(at).copied().unwrap_or(sentence.len());
        let markup = Markup::of(sentence);
        let place = |found: Found| {
            let bytes = byte(found.start)..byte(found.end);
            Some(Placed { found, zone: markup.zone(&bytes)?, bytes })
        };
        let placed: Vec<Placed> = self.detector.find(sentence, language).into_iter().filter_map(place).collect();
        let whole = sentences(sentence);
        let own = placed.iter().filter(|it| self.brands[it.found.brand].name == brand);
        let mut out: Vec<&str> =
            own.filter_map(|it| self.clause(sentence, language, &markup, &placed, it, &whole)).collect();
        out.dedup();
        out
    }

    /// The sentences that name one of these brands, and the next one where it goes on with a pronoun; each with the character at
    /// which it begins.
    pub(crate) fn about<'t>(&self, text: &'t str, language: &str, brands: &[&str]) -> Vec<(usize, &'t str)> {
        let markup = Markup::of(text);
        let starts = starts(text);
        let byte = |at: usize| starts.get(at).copied().unwrap_or(text.len());
        let found = self.detector.find(text, language);
        let named: Vec<usize> = found
            .into_iter()
            .filter(|it| brands.contains(&self.brands[it.brand].name.as_str()))
            .filter(|it| markup.zone(&(byte(it.start)..byte(it.end))).is_some())
            .map(|it| byte(it.start))
            .collect();
        let all = sentences(text);
        let holds = |it: &Range<usize>| named.iter().any(|at| it.start <= *at && *at < it.end);
        let mut out: Vec<(usize, &str)> = Vec::new();
        let mut before = false;
        for sentence in all {
            let words = &text[sentence.clone()];
            let is_own = holds(&sentence);
            if is_own || (before && goes_on(words)) {
                out.push((starts.partition_point(|it| *it < sentence.start), words));
            }
            before = is_own;
        }
        out
    }

    /// How friendly a clause is, from -1 to 1; none in a language that is not read. The names of brands say nothing: one may be
    /// called Bright.
    pub(crate) fn score(&self, clause: &str, language: &str) -> Option<f64> {
        let mut letters: Vec<char> = clause.chars().collect();
        for found in self.detector.find(clause, language) {
            letters[found.start..found.end].fill(' ');
        }
        let text: String = letters.into_iter().collect();
        self.tone.score(&text.replace(['*', '_', '`', '#', '|'], " "), language)
    }

    /// The clause of a mention: the line of a list that is about it alone, else its sentence, cut at words of contrast and at commas that part it from another brand.
    fn clause<'t>(
        &self,
        text: &'t str,
        language: &str,
        markup: &Markup,
        placed: &[Placed],
        mention: &Placed,
        sentences: &[Range<usize>],
    ) -> Option<&'t str> {
        if let Some(item) = whole_item(markup, placed, mention) {
            return Some(text[item.bytes.clone()].trim());
        }
        let within = |it: &&Range<usize>| it.start <= mention.bytes.start && mention.bytes.start < it.end;
        let sentence = sentences.iter().find(within)?;
        let base = text.as_ptr() as usize;
        let clauses = tone::clauses(&text[sentence.clone()], language);
        let mut bytes = clauses
            .into_iter()
            .map(|it| {
                let start = it.as_ptr() as usize - base;
                start..start + it.len()
            })
            .find(|it| it.start <= mention.bytes.start && mention.bytes.start < it.end)
            .unwrap_or_else(|| sentence.clone());
        for other in placed.iter().filter(|it| it.found.brand != mention.found.brand) {
            let between = if other.bytes.start > mention.bytes.end {
                mention.bytes.end..other.bytes.start
            } else if other.bytes.end < mention.bytes.start {
                other.bytes.end..mention.bytes.start
            } else {
                continue;
            };
            let Some(comma) = text[between.clone()].find([',', ';']).map(|at| at + between.start) else { continue };
            if other.bytes.start > mention.bytes.end {
                bytes.end = bytes.end.min(comma);
            } else {
                let last = text[between.clone()].rfind([',', ';']).map_or(comma, |at| at + between.start);
                bytes.start = bytes.start.max(last + 1);
            }
        }
        (bytes.start < bytes.end).then(|| &text[bytes])
    }

    /// Names at the heads of lists that are no brand of the set.
    fn unknown(&self, text: &str, markup: &Markup, placed: &[Placed]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for item in &markup.items {
            let Some(head) = head(&text[item.bytes.clone()]) else { continue };
            let start = item.bytes.start + (head.as_ptr() as usize - text[item.bytes.clone()].as_ptr() as usize);
            let bytes = start..start + head.len();
            let is_known = placed.iter().any(|it| it.bytes.start < bytes.end && bytes.start < it.bytes.end);
            let name = kit::text::collapse(head);
            if !is_known && is_name(&name) && !out.contains(&name) && out.len() < NAMES {
                out.push(name);
            }
        }
        out
    }
}

/// Whether a sentence goes on about what the one before names.
fn goes_on(sentence: &str) -> bool {
    const PRONOUNS: &[&str] = &[
        "it", "its", "they", "their", "the", "this", "es", "sie", "ihre", "ihr", "das", "der", "die", "elle", "il",
        "ils", "elles", "leur", "leurs", "ella", "ellos", "su", "sus", "all", "alle", "tous", "todos",
    ];
    let first = kit::text::words(sentence).next().map(str::to_lowercase);
    first.is_some_and(|it| PRONOUNS.contains(&it.as_str()))
}

/// The bytes at which characters begin.
fn starts(text: &str) -> Vec<usize> {
    text.char_indices().map(|(at, _)| at).collect()
}

/// The bytes of sentences.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let base = text.as_ptr() as usize;
    let range = |it: &str| {
        let start = it.as_ptr() as usize - base;
        start..start + it.len()
    };
    kit::sentence::sentences(text).into_iter().map(range).collect()
}

/// The line of a list that is about a mention's brand alone.
fn whole_item<'m>(markup: &'m Markup, placed: &[Placed], mention: &Placed) -> Option<&'m Item> {
    let holds = |it: &Item, bytes: &Range<usize>| it.bytes.start <= bytes.start && bytes.start < it.bytes.end;
    let item = markup.items.iter().find(|it| holds(it, &mention.bytes))?;
    let alone = placed.iter().filter(|it| holds(item, &it.bytes)).all(|it| it.found.brand == mention.found.brand);
    (alone && heads(item, placed, mention.found.brand)).then_some(item)
}

/// What is shown of a mention: the line of a list that is about it alone, else its sentence.
fn around(
    text: &str,
    markup: &Markup,
    placed: &[Placed],
    mention: &Placed,
    sentences: &[Range<usize>],
) -> Option<Range<usize>> {
    if let Some(item) = whole_item(markup, placed, mention) {
        return Some(item.line..item.line + text[item.line..item.bytes.end].trim_end().len());
    }
    let within = |it: &&Range<usize>| it.start <= mention.bytes.start && mention.bytes.start < it.end;
    sentences.iter().find(within).cloned()
}

/// Whether a line of a list has a brand as its first.
fn heads(item: &Item, placed: &[Placed], brand: usize) -> bool {
    let first = placed.iter().find(|it| item.bytes.start <= it.bytes.start && it.bytes.start < item.bytes.end);
    first.is_some_and(|it| it.found.brand == brand && it.bytes.start < item.bytes.start + 60)
}

/// The place in its list, from 1, and the list of the first line that a brand heads.
fn headed(markup: &Markup, placed: &[Placed], brand: usize) -> Option<(usize, usize)> {
    let item = markup.items.iter().find(|it| heads(it, placed, brand))?;
    let before = markup.items.iter().filter(|it| it.list == item.list && it.bytes.start <= item.bytes.start).count();
    Some((before, item.list))
}

/// What a line of a list is about: its bold words, else what stands before a dash or a colon.
fn head(line: &str) -> Option<&str> {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix("**").or_else(|| line.strip_prefix("__")) {
        let end = rest.find("**").or_else(|| rest.find("__"))?;
        return Some(unlinked(rest[..end].trim_end_matches(':')));
    }
    let end = [" - ", " – ", " — ", ": "].iter().filter_map(|mark| line.find(mark)).min()?;
    Some(unlinked(&line[..end]))
}

/// The words of a link, for words that are one.
fn unlinked(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('[').and_then(|it| it.split_once("](")).map_or(text, |(words, _)| words)
}

/// Whether words look like a name: few, and beginning with a capital or a digit.
fn is_name(text: &str) -> bool {
    let (words, letters) = (text.split_whitespace().count(), text.chars().count());
    let first = text.chars().next();
    let begins = first.is_some_and(|it| it.is_uppercase() || it.is_numeric() || kit::text::is_spaceless(it));
    let minor = |it: &str| it.chars().next().is_some_and(char::is_lowercase) && it.chars().count() > 3;
    (1..=NAME.0).contains(&words)
        && (2..=NAME.1).contains(&letters)
        && begins
        && !text.ends_with(['.', '?', '!'])
        && text.split_whitespace().skip(1).filter(|it| minor(it)).count() == 0
}
