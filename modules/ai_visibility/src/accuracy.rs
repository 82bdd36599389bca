//! The operation `ai_visibility.accuracy.check`.

mod claims;
mod facts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Degraded, Next, json};
use site::Site;

use crate::brand;
use crate::brand::reading::Reader;
use crate::measured::{begins, earlier, is_current, period};
use crate::stored::{Answer, Citation, text_key};
use claims::Verdict;
use facts::Fact;

/// Answers whose texts are read.
const ANSWERS: usize = 400;
/// Answers among which these are sought, and sources of each that are read.
const LOOKED: usize = 12_000;
const SOURCES: usize = 60;
/// Bytes of a text.
const MAX_TEXT: u32 = 32 * 1024;
/// Statements of one verdict that are told.
const TOLD: usize = 100;

#[args]
pub(crate) struct Check {
    /// The website.
    site_id: Id<Site>,
    /// The first day; 90 days in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
    /// Facts by name, such as `{"founded": 1998, "price": "from 49 EUR", "phone": "+44 20 7946 0018", "features": ["repair"], "free_shipping": true}`;
    /// an object `{"value": …, "earlier": […]}` for one that has changed. Those of the website when left out.
    facts: Option<Map<String, Value>>,
}

/// A statement about the brand.
#[value]
pub(crate) struct Statement {
    /// The fact that it is about.
    fact: String,
    /// What the answer says.
    said: String,
    /// What is true, as it was given; null where nothing was.
    truth: Option<String>,
    /// The sentence.
    sentence: String,
    /// Answers that say so.
    answers: u64,
    answer_ref: Id<Answer>,
    models: Vec<String>,
    /// The source that the provider names for the sentence; null where it names none.
    source_url: Option<String>,
    last_said_at: Moment,
}

/// What was found.
#[value]
pub(crate) struct Checked {
    from: Day,
    to: Day,
    /// Another value than the fact; those that most answers say first.
    wrong: Vec<Statement>,
    /// The value that the fact had before.
    outdated: Vec<Statement>,
    /// Statements of a kind that the facts say nothing of.
    unsupported: Vec<Statement>,
    /// Statements that agree with the facts.
    correct: u64,
    /// Statements that could not be compared, left out.
    uncertain: u64,
    /// Answers that were read.
    answers: u64,
    /// Facts that were compared with.
    facts: Vec<String>,
    #[own]
    comparison: String,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Compares statements about the brand in answers with the website's fact sheet (prices, places, hours, founding, features) and lists wrong, outdated and unsupported ones with their cited source.
///
/// Statements are sentences that name the brand, and the next one where it goes on with a pronoun, in English, German, French and
/// Spanish. What cannot be compared with certainty is left out and counted.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["does chatgpt say wrong things about us", "wrong prices in AI answers", "outdated facts about my brand in AI", "check what AI says about our company"],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "facts": { "founded": 1998, "phone": "+44 20 7946 0018", "features": ["repair"] } },
    ]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let site = site::get(cx, &args.site_id)?;
    let set = brand::required(cx, &site)?;
    let (from, to) = period(cx, args.from, args.to)?;
    let given: BTreeMap<String, Value> = match &args.facts {
        Some(facts) => facts.iter().map(|(name, value)| (name.clone(), value.clone())).collect(),
        None => site.facts.clone().unwrap_or_default(),
    };
    let mut degraded = Vec::new();
    let (facts, unread) = facts::read(&given);
    if facts.is_empty() {
        let missing = Degraded::new(
            "facts",
            "no fact is known that answers could be compared with, so that every statement is unsupported",
        );
        let example = json!({ "site_id": site.id, "facts": { "founded": 1998 } });
        degraded.push(missing.supplied_by("websites.profile.update", example));
    }
    if !unread.is_empty() {
        degraded.push(Degraded::new(
            "facts",
            format!("these facts are of no kind that is compared: {}", unread.join(", ")),
        ));
    }
    let own: Vec<&str> = set.brands.iter().filter(|it| it.own).map(|it| it.name.as_str()).collect();
    let query = cx.records::<Answer>().by("site_id_at_ms").equals(&site.id);
    let query = query.at_least(begins(from)).below(begins(to.plus(1))).descending();
    let names_own = |it: &Stored<Answer>| it.mentions.iter().any(|mention| own.contains(&mention.brand.as_str()));
    let (mut answers, mut looked, mut old) = (Vec::new(), 0, 0);
    for it in query.scan().take(LOOKED) {
        looked += 1;
        if !is_current(&it, &set) {
            old += 1;
        } else if names_own(&it) {
            answers.push(it);
            if answers.len() == ANSWERS {
                break;
            }
        }
    }
    degraded.extend(earlier(old));
    if looked == LOOKED {
        degraded.push(Degraded::new("answers", format!("the newest {LOOKED} answers of the period are looked at")));
    }
    if answers.len() == ANSWERS {
        degraded.push(Degraded::new("answers", format!("the newest {ANSWERS} answers that name the brand are read")));
    }
    if answers.is_empty() && old == 0 {
        degraded.push(Degraded::new("answers", "no answer of the period names the brand"));
    }
    let reader = Reader::new(&set.brands);
    let mut found: BTreeMap<(Verdict, String, String), Statement> = BTreeMap::new();
    let (mut correct, mut uncertain, mut cleared) = (0, 0, 0);
    for answer in &answers {
        let Some(bytes) = cx.blobs().read(&text_key(&answer.id), 0, MAX_TEXT).filter(|it| !it.is_empty()) else {
            cleared += 1;
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let language = answer.language.as_deref().unwrap_or("en");
        let mut cited = None;
        for (place, sentence) in reader.about(&text, language, &own) {
            for claim in claims::of(sentence, language, &facts) {
                match claim.verdict {
                    Verdict::Correct => correct += 1,
                    Verdict::Uncertain => uncertain += 1,
                    verdict => {
                        let key = (verdict, claim.fact.clone(), claim.said.to_lowercase());
                        let known = found.entry(key).or_insert_with(|| Statement {
                            fact: claim.fact.clone(),
                            said: claim.said.clone(),
                            truth: claim.truth.clone(),
                            sentence: kit::text::clip(sentence, 400).to_owned(),
                            answers: 0,
                            answer_ref: answer.id.clone(),
                            models: Vec::new(),
                            source_url: source(
                                cited.get_or_insert_with(|| sources(cx, &answer.id)),
                                place,
                                sentence.chars().count(),
                            ),
                            last_said_at: Moment::from_millis(answer.at_ms),
                        });
                        known.answers += 1;
                        if !known.models.contains(&answer.model) {
                            known.models.push(answer.model.clone());
                        }
                    }
                }
            }
        }
    }
    if cleared > 0 {
        degraded.push(Degraded::new("answers", format!("the texts of {cleared} answers were cleared away")));
    }
    let mut by_verdict: BTreeMap<Verdict, Vec<Statement>> = BTreeMap::new();
    for ((verdict, ..), it) in found {
        by_verdict.entry(verdict).or_default().push(it);
    }
    let mut told = |wanted: Verdict| {
        let mut all = by_verdict.remove(&wanted).unwrap_or_default();
        all.sort_by(|a, b| b.answers.cmp(&a.answers).then_with(|| a.fact.cmp(&b.fact)));
        all.truncate(TOLD);
        all
    };
    let (wrong, outdated, unsupported) = (told(Verdict::Wrong), told(Verdict::Outdated), told(Verdict::Unsupported));
    let mut next = Vec::new();
    if !wrong.is_empty() || !outdated.is_empty() {
        next.push(Next::new(
            "schema.organization.generate",
            json!({ "site_id": site.id }),
            "says who you are in a form that machines read; then have the cited sources corrected",
        ));
    }
    Ok(Checked {
        from,
        to,
        wrong,
        outdated,
        unsupported,
        correct,
        uncertain,
        answers: answers.len() as u64 - cleared,
        facts: facts.iter().map(|it: &Fact| it.name.clone()).collect(),
        comparison: "typed values are compared: money of one currency, years, numbers with their unit, telephone numbers, places, hours, features; not measured against labels by people".to_owned(),
        next,
        degraded,
    })
}

/// The first sources of an answer.
fn sources(cx: &Cx, answer: &Id<Answer>) -> Vec<Citation> {
    cx.records::<Citation>().by("answer").equals(answer).scan().take(SOURCES).map(Stored::into_inner).collect()
}

/// The source that a provider names for some characters of an answer.
fn source(cited: &[Citation], from: usize, length: usize) -> Option<String> {
    let to = from + length;
    // A source follows the words that it stands for.
    let near =
        |it: &&Citation| it.span.is_some_and(|(start, end)| (start as usize) < to + 2 && end as usize + 2 > from);
    cited.iter().find(near).map(|it| it.url.clone())
}
