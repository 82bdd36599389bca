//! The tone of English sentences: VADER (Hutto and Gilbert, ICWSM 2014), as `vaderSentiment` 3.3.2 computes it.
//!
//! The word list and the constants are those of the reference (MIT licence). The two crates that promise this weigh intensifiers
//! otherwise than the reference; a test holds ours against its figures.

use std::collections::HashMap;

/// What an intensifier adds, and a word in capitals among others.
const STRONGER: f64 = 0.293;
const CAPITALS: f64 = 0.733;
/// What a negated word counts.
const NEGATED: f64 = -0.74;
/// What sums are brought into -1 to 1 with.
const SPREAD: f64 = 15.0;

const NEGATIONS: [&str; 59] = [
    "aint",
    "arent",
    "cannot",
    "cant",
    "couldnt",
    "darent",
    "didnt",
    "doesnt",
    "ain't",
    "aren't",
    "can't",
    "couldn't",
    "daren't",
    "didn't",
    "doesn't",
    "dont",
    "hadnt",
    "hasnt",
    "havent",
    "isnt",
    "mightnt",
    "mustnt",
    "neither",
    "don't",
    "hadn't",
    "hasn't",
    "haven't",
    "isn't",
    "mightn't",
    "mustn't",
    "neednt",
    "needn't",
    "never",
    "none",
    "nope",
    "nor",
    "not",
    "nothing",
    "nowhere",
    "oughtnt",
    "shant",
    "shouldnt",
    "uhuh",
    "wasnt",
    "werent",
    "oughtn't",
    "shan't",
    "shouldn't",
    "uh-uh",
    "wasn't",
    "weren't",
    "without",
    "wont",
    "wouldnt",
    "won't",
    "wouldn't",
    "rarely",
    "seldom",
    "despite",
];

const INTENSIFIERS: [&str; 60] = [
    "absolutely",
    "amazingly",
    "awfully",
    "completely",
    "considerable",
    "considerably",
    "decidedly",
    "deeply",
    "effing",
    "enormous",
    "enormously",
    "entirely",
    "especially",
    "exceptional",
    "exceptionally",
    "extreme",
    "extremely",
    "fabulously",
    "flipping",
    "flippin",
    "frackin",
    "fracking",
    "fricking",
    "frickin",
    "frigging",
    "friggin",
    "fully",
    "fuckin",
    "fucking",
    "fuggin",
    "fugging",
    "greatly",
    "hella",
    "highly",
    "hugely",
    "incredible",
    "incredibly",
    "intensely",
    "major",
    "majorly",
    "more",
    "most",
    "particularly",
    "purely",
    "quite",
    "really",
    "remarkably",
    "so",
    "substantially",
    "thoroughly",
    "total",
    "totally",
    "tremendous",
    "tremendously",
    "uber",
    "unbelievably",
    "unusually",
    "utter",
    "utterly",
    "very",
];

const DIMINISHERS: [&str; 24] = [
    "almost",
    "barely",
    "hardly",
    "just enough",
    "kind of",
    "kinda",
    "kindof",
    "kind-of",
    "less",
    "little",
    "marginal",
    "marginally",
    "occasional",
    "occasionally",
    "partly",
    "scarce",
    "scarcely",
    "slight",
    "slightly",
    "somewhat",
    "sort of",
    "sorta",
    "sortof",
    "sort-of",
];

/// Phrases with a value of their own.
const PHRASES: [(&str, f64); 9] = [
    ("the shit", 3.0),
    ("the bomb", 3.0),
    ("bad ass", 1.5),
    ("badass", 1.5),
    ("bus stop", 0.0),
    ("yeah right", -2.0),
    ("kiss of death", -1.5),
    ("to die for", 3.0),
    ("beating heart", 3.5),
];

/// The word list, read once.
pub(crate) struct Vader {
    values: HashMap<&'static str, f64>,
    emoji: HashMap<char, &'static str>,
}

impl Default for Vader {
    fn default() -> Self {
        let lines = include_str!("lexicons/en.tsv").lines().filter_map(|line| line.split_once('\t'));
        let emoji = include_str!("lexicons/emoji.tsv").lines().filter_map(|line| line.split_once('\t'));
        Self {
            values: lines.filter_map(|(word, value)| Some((word, value.parse().ok()?))).collect(),
            emoji: emoji.filter_map(|(sign, words)| Some((sign.chars().next()?, words))).collect(),
        }
    }
}

/// A sentence in its words: as written, and in small letters.
struct Words<'t> {
    written: Vec<&'t str>,
    lower: Vec<String>,
    /// Some words are in capitals, and others are not.
    is_mixed: bool,
}

/// Python's `isupper`: letters with case are there, and all of them are capitals.
fn is_upper(word: &str) -> bool {
    word.chars().any(char::is_uppercase) && !word.chars().any(char::is_lowercase)
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        // Punctuation around a word goes; what then has two letters or fewer may be a smiley.
        let bare = |token: &'t str| {
            let stripped = token.trim_matches(|it: char| it.is_ascii_punctuation());
            if stripped.chars().count() <= 2 { token } else { stripped }
        };
        let written: Vec<&str> = text.split_whitespace().map(bare).collect();
        let loud = written.iter().filter(|it| is_upper(it)).count();
        let lower = written.iter().map(|it| it.to_lowercase()).collect();
        Self { is_mixed: loud > 0 && loud < written.len(), written, lower }
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.lower.get(at).is_some_and(|it| it == word)
    }

    /// The words from one to another, with a space between.
    fn phrase(&self, from: usize, to: usize) -> String {
        self.lower[from..=to].join(" ")
    }
}

fn booster(word: &str) -> Option<f64> {
    if INTENSIFIERS.contains(&word) {
        return Some(STRONGER);
    }
    DIMINISHERS.contains(&word).then_some(-STRONGER)
}

fn is_negation(word: &str) -> bool {
    NEGATIONS.contains(&word) || word.contains("n't")
}

impl Vader {
    /// How friendly a sentence is, from -1 to 1.
    pub(crate) fn score(&self, text: &str) -> f64 {
        let text = self.spelled(text);
        let words = Words::of(&text);
        let mut values: Vec<f64> = (0..words.written.len()).map(|at| self.value(&words, at)).collect();
        turn(&words, &mut values);
        let mut sum: f64 = values.iter().sum();
        let emphasis = emphasis(&text);
        if sum > 0.0 {
            sum += emphasis;
        } else if sum < 0.0 {
            sum -= emphasis;
        }
        sum / (sum * sum + SPREAD).sqrt()
    }

    /// Signs that the list describes, in words.
    fn spelled(&self, text: &str) -> String {
        let (mut out, mut after_space) = (String::with_capacity(text.len()), true);
        for sign in text.chars() {
            match self.emoji.get(&sign) {
                Some(words) => {
                    if !after_space {
                        out.push(' ');
                    }
                    out.push_str(words);
                    after_space = false;
                }
                None => {
                    out.push(sign);
                    after_space = sign == ' ';
                }
            }
        }
        out.trim().to_owned()
    }

    fn known(&self, word: &str) -> Option<f64> {
        self.values.get(word).copied()
    }

    fn value(&self, words: &Words<'_>, at: usize) -> f64 {
        let lower = words.lower[at].as_str();
        if booster(lower).is_some() || (lower == "kind" && words.is(at + 1, "of")) {
            return 0.0;
        }
        let Some(own) = self.known(lower) else { return 0.0 };
        let mut value = own;
        if lower == "no" && words.lower.get(at + 1).is_some_and(|it| self.known(it).is_some()) {
            value = 0.0;
        }
        let before = |back: usize, word: &str| at.checked_sub(back).is_some_and(|it| words.is(it, word));
        if before(1, "no") || before(2, "no") || (before(3, "no") && (before(1, "or") || before(1, "nor"))) {
            value = own * NEGATED;
        }
        if is_upper(words.written[at]) && words.is_mixed {
            value += if value > 0.0 { CAPITALS } else { -CAPITALS };
        }
        for back in 1..=3 {
            let Some(place) = at.checked_sub(back) else { break };
            if self.known(&words.lower[place]).is_some() {
                continue;
            }
            let weight = [1.0, 0.95, 0.9][back - 1];
            value += weight * strength(words, place, value);
            value = negation(words, at, back, value);
            if back == 3 {
                value = phrases(words, at, value);
            }
        }
        if at > 0 && self.known(&words.lower[at - 1]).is_none() && words.is(at - 1, "least") {
            let is_turned = at > 1 && (words.is(at - 2, "at") || words.is(at - 2, "very"));
            if !is_turned {
                value *= NEGATED;
            }
        }
        value
    }
}

/// What a word before another adds to it.
fn strength(words: &Words<'_>, at: usize, value: f64) -> f64 {
    let Some(booster) = booster(&words.lower[at]) else { return 0.0 };
    let mut strength = if value < 0.0 { -booster } else { booster };
    if is_upper(words.written[at]) && words.is_mixed {
        strength += if value > 0.0 { CAPITALS } else { -CAPITALS };
    }
    strength
}

fn negation(words: &Words<'_>, at: usize, back: usize, value: f64) -> f64 {
    let is = |back: usize, word: &str| words.is(at - back, word);
    let so = |back: usize| is(back, "so") || is(back, "this");
    // As the reference has it: "so" or "this" right before counts three words back also without "never".
    let never = (back == 2 && is(2, "never") && so(1)) || (back == 3 && ((is(3, "never") && so(2)) || so(1)));
    if never {
        return value * 1.25;
    }
    let doubt = (back == 2 && is(2, "without") && is(1, "doubt"))
        || (back == 3 && is(3, "without") && (is(2, "doubt") || is(1, "doubt")));
    if !doubt && is_negation(&words.lower[at - back]) { value * NEGATED } else { value }
}

/// Phrases around a word that has three words before it.
fn phrases(words: &Words<'_>, at: usize, mut value: f64) -> f64 {
    let find = |text: &str| PHRASES.iter().find(|it| it.0 == text).map(|it| it.1);
    let before = [(at - 1, at), (at - 2, at), (at - 2, at - 1), (at - 3, at - 1), (at - 3, at - 2)];
    if let Some(own) = before.iter().find_map(|(from, to)| find(&words.phrase(*from, *to))) {
        value = own;
    }
    let last = words.lower.len() - 1;
    for ahead in [1, 2] {
        if last >= at + ahead
            && let Some(own) = find(&words.phrase(at, at + ahead))
        {
            value = own;
        }
    }
    for (from, to) in [(at - 3, at - 1), (at - 3, at - 2), (at - 2, at - 1)] {
        value += booster(&words.phrase(from, to)).unwrap_or(0.0);
    }
    value
}

/// Before "but" words weigh half, after it half as much again. The reference finds a value by the first place that has the same:
/// so do we, so that the figures are the same.
fn turn(words: &Words<'_>, values: &mut [f64]) {
    let Some(but) = words.lower.iter().position(|it| it == "but") else { return };
    for at in 0..values.len() {
        let value = values[at];
        #[expect(clippy::float_cmp, reason = "the very same value is looked for")]
        let Some(first) = values.iter().position(|it| *it == value) else { continue };
        match first.cmp(&but) {
            std::cmp::Ordering::Less => values[first] = value * 0.5,
            std::cmp::Ordering::Greater => values[first] = value * 1.5,
            std::cmp::Ordering::Equal => {}
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "at most four are counted")]
fn emphasis(text: &str) -> f64 {
    let exclamations = text.matches('!').count().min(4) as f64 * 0.292;
    let questions = match text.matches('?').count() {
        0 | 1 => 0.0,
        count @ (2 | 3) => count as f64 * 0.18,
        _ => 0.96,
    };
    exclamations + questions
}
