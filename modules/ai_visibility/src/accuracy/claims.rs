//! What a sentence states of the kinds that facts have, and whether it agrees with them.

use super::facts::{Fact, Known, Money, amounts, hours, money, year};
use crate::brand::folded::fold;

/// Whether a statement agrees with the facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Correct,
    Wrong,
    Outdated,
    Unsupported,
    /// It cannot be compared with certainty.
    Uncertain,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Claim {
    pub(super) fact: String,
    pub(super) said: String,
    pub(super) truth: Option<String>,
    pub(super) verdict: Verdict,
}

/// Words that turn a statement round.
const NOT: &[&str] = &[
    "no", "not", "never", "without", "n't", "cannot", "lacks", "kein", "keine", "keinen", "nicht", "ohne", "pas",
    "aucun", "aucune", "sans", "ne", "sin", "nunca", "ningun", "ninguna",
];
/// Words of guesses: what they say is no statement.
const MAYBE: &[&str] = &[
    "may",
    "might",
    "perhaps",
    "possibly",
    "probably",
    "around",
    "about",
    "approximately",
    "roughly",
    "typically",
    "usually",
    "vielleicht",
    "etwa",
    "ungefahr",
    "meist",
    "circa",
    "peut",
    "environ",
    "probablement",
    "quiza",
    "quizas",
    "aproximadamente",
    "alrededor",
    "suele",
];
const FOUNDED: &[&str] = &["founded", "established", "gegrundet", "fondee", "fonde", "fundada", "fundado"];

/// The statements of a sentence about the brand.
pub(super) fn of(sentence: &str, _language: &str, facts: &[Fact]) -> Vec<Claim> {
    let folded = fold(sentence);
    let words: Vec<&str> = kit::text::words(&folded).collect();
    let has = |list: &[&str]| words.iter().any(|it| list.contains(it));
    let (negated, guessed) = (has(NOT) || folded.contains("n't"), has(MAYBE));
    let mut out = Vec::new();
    let (mut priced, mut dated) = (false, false);
    for fact in facts {
        let cued = fact.cues.iter().any(|cue| words.contains(&cue.as_str()));
        let found = match &fact.value {
            Known::Money(truth) if cued => {
                priced = true;
                of_money(sentence, fact, truth)
            }
            Known::Year(truth) if cued => {
                dated = true;
                year(sentence).map(|said| {
                    (
                        said.to_string(),
                        if said == *truth { Verdict::Correct } else { differs(fact, &Known::Year(said)) },
                    )
                })
            }
            Known::Phone(truth) => of_phone(sentence, fact, truth),
            Known::Hours(truth) if cued => hours(sentence).map(|said| {
                // Another number of times is of other days, which cannot be told.
                let verdict = match () {
                    () if said.iter().all(|it| truth.contains(it)) => Verdict::Correct,
                    () if said.len() == truth.len() => differs(fact, &Known::Hours(said.clone())),
                    () => Verdict::Uncertain,
                };
                (shown(&said), verdict)
            }),
            Known::Place(truth) if cued => of_place(sentence, fact, truth),
            Known::Amount(truth, unit) if cued => {
                amounts(sentence).into_iter().find(|it| it.1 == *unit).map(|(said, unit, written)| {
                    let same = (said - truth).abs() < 1e-9;
                    (written, if same { Verdict::Correct } else { differs(fact, &Known::Amount(said, unit)) })
                })
            }
            Known::Features(all) => {
                out.extend(of_features(&folded, fact, all, negated, guessed));
                None
            }
            Known::Flag(truth) => of_flag(fact, *truth, &words, negated),
            _ => None,
        };
        if let Some((said, verdict)) = found {
            let verdict = if guessed && verdict != Verdict::Correct { Verdict::Uncertain } else { verdict };
            out.push(Claim { fact: fact.name.clone(), said, truth: Some(fact.written.clone()), verdict });
        }
    }
    // Kinds of statements that no fact speaks of.
    let none = |kind: fn(&Known) -> bool| facts.iter().all(|it| !kind(&it.value));
    let unsupported = |fact: &str, said: String| Claim {
        fact: fact.to_owned(),
        said,
        truth: None,
        verdict: if guessed { Verdict::Uncertain } else { Verdict::Unsupported },
    };
    if !dated && has(FOUNDED) && none(|it| matches!(it, Known::Year(_))) {
        out.extend(year(sentence).map(|it| unsupported("founded", it.to_string())));
    }
    if !priced && none(|it| matches!(it, Known::Money(_))) {
        out.extend(money(sentence).into_iter().take(1).map(|it| unsupported("price", it.1)));
    }
    out
}

/// Another value than the fact: the one that it had before, or a wrong one.
fn differs(fact: &Fact, said: &Known) -> Verdict {
    if fact.earlier.contains(said) { Verdict::Outdated } else { Verdict::Wrong }
}

fn of_money(sentence: &str, fact: &Fact, truth: &Money) -> Option<(String, Verdict)> {
    let all = money(sentence);
    // Several amounts in one sentence are of several things.
    let (said, written) = match all.as_slice() {
        [] => return None,
        [one] => one.clone(),
        _ if all.iter().any(|it| it.0.cents == truth.cents && it.0.currency == truth.currency) => {
            return Some((fact.written.clone(), Verdict::Correct));
        }
        [first, ..] => return Some((first.1.clone(), Verdict::Uncertain)),
    };
    let verdict = match () {
        () if said.currency != truth.currency => Verdict::Uncertain,
        () if said.cents == truth.cents => Verdict::Correct,
        () if truth.from && !said.from && said.cents > truth.cents => Verdict::Correct,
        () if said.from && !truth.from && said.cents < truth.cents => Verdict::Correct,
        () if fact
            .earlier
            .iter()
            .any(|it| matches!(it, Known::Money(it) if it.cents == said.cents && it.currency == said.currency)) =>
        {
            Verdict::Outdated
        }
        () => Verdict::Wrong,
    };
    Some((written, verdict))
}

/// A telephone number: the same when the last eight digits are.
fn of_phone(sentence: &str, fact: &Fact, truth: &str) -> Option<(String, Verdict)> {
    let is_part = |it: char| it.is_ascii_digit() || matches!(it, ' ' | '-' | '(' | ')' | '/' | '.' | '+');
    let run = sentence.split(|it: char| !is_part(it)).map(str::trim).find(|it| {
        let digits = it.chars().filter(char::is_ascii_digit).count();
        let begins = it.starts_with('+') || it.starts_with('0') || it.starts_with('(');
        begins && (8..=15).contains(&digits)
    })?;
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let tail = |text: &str| text.chars().rev().take(8).collect::<String>();
    let said = digits(run);
    let same = tail(&said) == tail(truth);
    let verdict = if same {
        Verdict::Correct
    } else if fact.earlier.iter().any(|it| matches!(it, Known::Phone(it) if tail(it) == tail(&said))) {
        Verdict::Outdated
    } else {
        Verdict::Wrong
    };
    Some((run.to_owned(), verdict))
}

/// The place behind `in`, as it is written with a capital.
fn of_place(sentence: &str, fact: &Fact, truth: &[String]) -> Option<(String, Verdict)> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let begins = words.windows(2).position(|it| {
        let word = it[0].to_lowercase();
        matches!(word.as_str(), "in" | "à" | "en" | "near") && it[1].chars().next().is_some_and(char::is_uppercase)
    })?;
    let mut place: Vec<&str> = Vec::new();
    for word in &words[begins + 1..] {
        let bare = word.trim_matches(|it: char| !it.is_alphanumeric() && it != '-');
        if !bare.chars().next().is_some_and(char::is_uppercase) {
            break;
        }
        place.push(bare);
        if word.ends_with(['.', ';', ')']) {
            break;
        }
    }
    let said: Vec<String> =
        place.iter().flat_map(|it| kit::text::words(it)).map(fold).filter(|it| it.chars().count() > 2).collect();
    if said.is_empty() {
        return None;
    }
    let held = said.iter().filter(|it| truth.contains(it)).count();
    let before = |it: &Known| matches!(it, Known::Place(it) if said.iter().all(|word| it.contains(word)));
    let verdict = match () {
        () if held == said.len() => Verdict::Correct,
        () if fact.earlier.iter().any(before) => Verdict::Outdated,
        // A country where the fact is a city, or the other way round, cannot be told.
        () if held > 0 || truth.len() < 2 && said.len() > 1 => Verdict::Uncertain,
        () if fact.name.to_lowercase().contains("city") => Verdict::Wrong,
        () => Verdict::Uncertain,
    };
    Some((place.join(" "), verdict))
}

fn of_features(folded: &str, fact: &Fact, all: &[String], negated: bool, guessed: bool) -> Vec<Claim> {
    let held = all.iter().filter(|it| {
        let feature = fold(it);
        !feature.is_empty() && folded.contains(&feature)
    });
    held.map(|feature| Claim {
        fact: fact.name.clone(),
        said: if negated { format!("no {feature}") } else { feature.clone() },
        truth: Some(feature.clone()),
        verdict: match (negated, guessed) {
            (false, _) => Verdict::Correct,
            (true, true) => Verdict::Uncertain,
            (true, false) => Verdict::Wrong,
        },
    })
    .collect()
}

fn of_flag(fact: &Fact, truth: bool, words: &[&str], negated: bool) -> Option<(String, Verdict)> {
    let own: Vec<String> =
        fact.name.to_lowercase().split(['_', '-', ' ']).map(fold).filter(|it| it.chars().count() > 2).collect();
    let held = own.iter().filter(|it| words.iter().any(|word| word.starts_with(it.as_str()))).count();
    if own.is_empty() || held < own.len() {
        return None;
    }
    let said = !negated;
    Some((if said { "yes" } else { "no" }.to_owned(), if said == truth { Verdict::Correct } else { Verdict::Wrong }))
}

fn shown(hours: &[(u32, u32)]) -> String {
    let one = |(from, to): &(u32, u32)| format!("{:02}:{:02}-{:02}:{:02}", from / 60, from % 60, to / 60, to % 60);
    hours.iter().map(one).collect::<Vec<_>>().join(", ")
}
