//! The operation `keywords.intent.classify`.
//!
//! The score of an intent is a weighted sum of cues; its probability is the softmax of the scores. The weights of words are
//! fitted to 600 labelled keywords; those of result pages are set by hand, since no labelled pages were at hand.

mod weights;

use std::collections::BTreeSet;

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Answer, Degraded};
use serps::{Feature, SnapshotRecord};
use site::brand::Brand;

use crate::language::{Words, languages};
use crate::normal::normal;
use crate::stored::{Intent, Keyword, Set, keyword_id};
use weights::{BIAS, FEATURES, WEIGHTS};

/// Keywords of one answer.
const MAX_KEYWORDS: usize = 1_000;
/// What an element of a result page adds to the score of an intent.
const ELEMENTS: [(Feature, Intent, f64); 7] = [
    (Feature::Shopping, Intent::Transactional, 1.5),
    (Feature::Ads, Intent::Transactional, 0.5),
    (Feature::LocalPack, Intent::Local, 2.5),
    (Feature::FeaturedSnippet, Intent::Informational, 1.0),
    (Feature::DirectAnswer, Intent::Informational, 1.0),
    (Feature::Reviews, Intent::Commercial, 1.0),
    (Feature::KnowledgePanel, Intent::Navigational, 0.7),
];

#[args]
pub(crate) struct Classify {
    /// Keywords; those of the set with the most searches when left out.
    keywords: Option<List<Text<1, 200>, 1, 1_000>>,
    /// A set: its language, the brand of its website, and stored result pages are cues too.
    set_ref: Option<Id<Set>>,
    /// The language; that of the set when left out.
    language: Option<Language>,
}

/// The intent of a keyword.
#[value]
pub(crate) struct Row {
    keyword: String,
    /// The likeliest intent; null when nothing speaks for any.
    intent: Option<Intent>,
    /// How likely it is, 0 to 1.
    probability: Option<f64>,
    /// What it was judged by, such as `commercial: best`.
    cues: Vec<String>,
    /// What DataForSEO says, if metrics were refreshed.
    provider_intent: Option<Intent>,
    /// Your own choice, which is what lists show.
    chosen_intent: Option<Intent>,
}

/// Intents.
#[value]
pub(crate) struct Rows {
    rows: Vec<Row>,
    /// The share of keywords with both on which this and the provider agree; null without any.
    agreement: Option<f64>,
    /// Keywords with both.
    agreement_n: u64,
    degraded: Vec<Degraded>,
}

/// Classifies intent (informational, commercial, transactional, navigational, local) from modifiers, brand list and stored SERP features, with probability and the cues used.
///
/// Weights are fitted to 600 keywords in English, German, French, Spanish, Italian and Dutch, written and labelled by one
/// author: cross-validated accuracy 0.99 on them, which will be lower on yours. A keyword without a cue has no intent here.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = 1_000, unit = "keywords"),
    needs = ["store"],
    phrasings = ["search intent of keywords", "is this keyword informational or transactional", "classify my keywords by intent"],
    examples = [{ "keywords": ["best desk lamp", "desk lamp price"], "language": "en" }, { "set_ref": "set_01" }]
)]
pub(crate) fn classify(cx: &Cx, args: Classify) -> Result<Answer<Rows>> {
    let set = args.set_ref.as_ref().map(|set| crate::set::get(cx, set)).transpose()?;
    let Some(language) = args.language.clone().or_else(|| set.as_ref().map(|it| it.language.clone())) else {
        return Err(Fault::invalid("/language", "language_needed", "give the language of the keywords, or a set"));
    };
    let code = language.primary().to_owned();
    let rows: Vec<(String, Option<Keyword>)> = match (&args.keywords, &set) {
        (Some(keywords), set) => keywords
            .iter()
            .map(|it| {
                let row = set
                    .as_ref()
                    .and_then(|set| cx.records::<Keyword>().find(&keyword_id(&set.id, &normal(it.as_str(), &code))));
                (it.to_string(), row.map(Stored::into_inner))
            })
            .collect(),
        (None, Some(set)) => {
            let page =
                cx.records::<Keyword>().by("set_order").equals(&set.id).descending().page(MAX_KEYWORDS as u64, None)?;
            page.items.into_iter().map(|row| (row.keyword.clone(), Some(row.into_inner()))).collect()
        }
        (None, None) => return Err(Fault::invalid("/keywords", "keywords_needed", "give keywords, or a set")),
    };
    let mut degraded = Vec::new();
    let words = Words::of(&code);
    if words.is_none() {
        let why = format!(
            "there are no modifiers of the language {language}, only of {}; brand and result pages decide alone",
            languages()
        );
        degraded.push(Degraded::new("modifiers", why));
    }
    let site = set.as_ref().and_then(|set| site::get(cx, &Id::new(set.site_id.clone())).ok());
    let pages = set.as_ref().map(|set| crate::item::view::snapshots(cx, set)).unwrap_or_default();
    let judge = Judge { words, brand: site.as_ref().map(|it| Brand::of(it)), places: places() };
    let shown: Vec<Row> = rows
        .into_iter()
        .map(|(keyword, stored)| {
            let normal = normal(&keyword, &code);
            let verdict = judge.judge(&normal, pages.get(&normal));
            Row {
                keyword,
                intent: verdict.as_ref().map(|it| it.intent),
                probability: verdict.as_ref().map(|it| round(it.probability, 4)),
                cues: verdict.map(|it| it.cues).unwrap_or_default(),
                provider_intent: stored.as_ref().and_then(|it| it.intent),
                chosen_intent: stored.as_ref().and_then(|it| it.chosen_intent),
            }
        })
        .collect();
    let both: Vec<bool> = shown.iter().filter_map(|it| Some(it.intent? == it.provider_intent?)).collect();
    let agreement_n = both.len() as u64;
    let agreeing = both.iter().filter(|it| **it).count() as u64;
    let agreement =
        (agreement_n > 0).then(|| round(kit::number::as_number(agreeing) / kit::number::as_number(agreement_n), 4));
    let units = shown.len() as u64;
    Ok(Answer::new(Rows { rows: shown, agreement, agreement_n, degraded }).units(units))
}

/// The names of cities that keywords may name.
pub(crate) fn places() -> BTreeSet<&'static str> {
    let lines = include_str!("../data/cities.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(':')).flat_map(|(_, names)| names.split('|').map(str::trim)).collect()
}

/// What was found out about a keyword.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Verdict {
    pub(crate) intent: Intent,
    pub(crate) probability: f64,
    cues: Vec<String>,
}

/// Judges keywords of one language and website.
pub(crate) struct Judge {
    pub(crate) words: Option<Words>,
    pub(crate) brand: Option<Brand>,
    pub(crate) places: BTreeSet<&'static str>,
}

impl Judge {
    /// The intent of a keyword in normal form; `None` when nothing speaks for any.
    pub(crate) fn judge(&self, normal: &str, page: Option<&SnapshotRecord>) -> Option<Verdict> {
        let is_brand = self.brand.as_ref().is_some_and(|it| it.has(normal));
        self.weigh(normal, is_brand, page)
    }

    fn weigh(&self, normal: &str, is_brand: bool, page: Option<&SnapshotRecord>) -> Option<Verdict> {
        let (features, mut cues) = self.features(normal, is_brand);
        let mut scores = BIAS;
        for (score, weights) in scores.iter_mut().zip(WEIGHTS) {
            *score += weights.iter().zip(&features).map(|(weight, value)| weight * value).sum::<f64>();
        }
        for (element, intent, weight) in ELEMENTS {
            if page.is_some_and(|page| page.features.contains(&element)) {
                scores[Intent::ALL.iter().position(|it| *it == intent).unwrap_or(0)] += weight;
                cues.push(format!("result page: {}", element.name()));
            }
        }
        if cues.is_empty() {
            return None;
        }
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = scores.iter().map(|it| (it - most).exp()).sum();
        let best = scores.iter().position(|it| (it - most).abs() < f64::EPSILON)?;
        Some(Verdict { intent: Intent::ALL[best], probability: 1.0 / sum, cues })
    }

    /// The features of a keyword, in the order of the weights, and the cues among them.
    fn features(&self, normal: &str, is_brand: bool) -> ([f64; FEATURES], Vec<String>) {
        let mut features = [0.0; FEATURES];
        let mut cues = Vec::new();
        let padded = format!(" {normal} ");
        let holds = |phrase: &str| padded.contains(&format!(" {phrase} "));
        if let Some(words) = &self.words {
            for (at, intent) in Intent::ALL.into_iter().enumerate() {
                let found: Vec<&&str> = words.section(intent.name()).iter().filter(|cue| holds(cue)).collect();
                features[at] = if found.len() > 1 { 2.0 } else { kit::number::as_number(found.len() as u64) };
                cues.extend(found.into_iter().map(|cue| format!("{}: {cue}", intent.name())));
            }
            if words.is_question(normal) {
                features[5] = 1.0;
                cues.push("question".to_owned());
            }
        }
        if is_brand {
            features[6] = 1.0;
            cues.push("brand".to_owned());
        }
        if let Some(place) = self.places.iter().find(|place| holds(place)) {
            features[7] = 1.0;
            cues.push(format!("place: {place}"));
        }
        let count = normal.split(' ').count();
        features[8] = f64::from(u8::from(count == 1));
        features[9] = f64::from(u8::from(count >= 4));
        let letters: Vec<char> = normal.chars().collect();
        let has_domain =
            letters.windows(3).any(|it| it[1] == '.' && it[0].is_alphanumeric() && it[2].is_alphanumeric());
        features[10] = f64::from(u8::from(has_domain));
        (features, cues)
    }
}

#[cfg(test)]
mod tests {
    use serps::{Page, SnapshotRecord};

    use super::*;

    fn judge(language: &str) -> Judge {
        Judge { words: Words::of(language), brand: None, places: places() }
    }

    #[test]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "600 keywords in ten bins")]
    fn the_labelled_keywords_are_judged_right_and_as_surely_as_said() {
        let mut bins = [(0.0, 0.0, 0.0); 10];
        let (mut right, mut all) = (0.0, 0.0);
        for line in include_str!("../data/labelled.txt").lines().filter(|it| !it.starts_with('#')) {
            let (head, items) = line.split_once(':').expect("a section");
            let (language, label) = head.split_once(' ').expect("a language and a label");
            let judge = judge(language);
            for item in items.split('|').map(str::trim) {
                let text = normal(&item.replace(['{', '}'], ""), language);
                all += 1.0;
                let Some(verdict) = judge.weigh(&text, item.contains('{'), None) else { continue };
                let hit = f64::from(u8::from(verdict.intent.name() == label));
                right += hit;
                let bin = &mut bins[((verdict.probability * 10.0) as usize).min(9)];
                *bin = (bin.0 + 1.0, bin.1 + hit, bin.2 + verdict.probability);
            }
        }
        let error: f64 = bins
            .iter()
            .filter(|it| it.0 > 0.0)
            .map(|(count, hits, sure)| (count / all) * (hits / count - sure / count).abs())
            .sum();
        assert!(all > 599.0 && right / all >= 0.85, "accuracy {}", right / all);
        assert!(error <= 0.08, "calibration error {error}");
    }

    #[test]
    fn a_keyword_without_a_cue_has_no_intent_until_a_result_page_speaks() {
        let judge = judge("en");
        assert_eq!(judge.judge("desk lamp", None), None);
        let mut page = SnapshotRecord::of(&Page::default(), "81", "desk lamp", "", "GB", Day::from_epoch(0), 10);
        page.features = vec![Feature::LocalPack];
        let verdict = judge.judge("desk lamp", Some(&page)).expect("a cue");
        assert_eq!((verdict.intent, verdict.cues), (Intent::Local, vec!["result page: local_pack".to_owned()]));
        assert_eq!(super::Judge { words: None, brand: None, places: BTreeSet::new() }.judge("best lamp", None), None);
    }
}
