//! The operation `domains.name.suggest`.

mod candidates;
mod letters;

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, DnsAnswer, DnsFailure, Fix, Next, Outcome, Question, json};
use site::Site;
use unicode_security::confusable_detection::skeleton;

use crate::availability::{Row, State as Known, row};
use crate::name::registrable;
use crate::rdap::Registries;
use candidates::Candidate;

/// Names that the name system is asked for.
const ASKED: usize = 150;
/// Milliseconds after which no registry is asked any more; the host allows 60,000.
const LATE: u64 = 40_000;
/// Websites that are looked through.
const SITES: usize = 200;

/// What this module reads of competitors.
#[foreign(collection = "websites.competitors", thing = "competitors", reference = "site_id", may_be_missing)]
pub(crate) struct Competitors {
    pub(crate) domains: Vec<String>,
}

#[args]
pub(crate) struct Suggest {
    /// Words of the brand and its topic.
    words: List<Text<2, 30>, 1, 10>,
    /// Suffixes, such as `com` or `co.uk`; left out: com, net, org, io and the countries of your websites.
    tlds: Option<List<Text<2, 20>, 1, 20>>,
    /// Letters before the suffix at most.
    #[default(16)]
    max_length: Count<4, 30>,
    /// Names that are shown.
    #[default(20)]
    limit: Count<5, 50>,
}

/// Whether a name can be had.
#[value]
pub(crate) enum State {
    /// Neither the name system nor the registry has it. Its price is the registrar's: it may be dear.
    Available,
    /// Somebody has it.
    Taken,
    /// The registry keeps it back.
    Reserved,
    /// Nobody could say.
    Unknown,
    /// The name system does not have it; its registry was not asked any more.
    NotChecked,
}

/// A name.
#[value]
pub(crate) struct Suggested {
    name: String,
    state: State,
    /// Higher is better, at most 1: .35 shortness, .25 how easily it is spoken, .2 words that stand whole, .2 the suffix, less
    /// what is in its way.
    score: f64,
    #[own]
    reasons: Vec<String>,
}

/// Names, the best first.
#[value]
pub(crate) struct Names {
    /// Those that are taken are left out.
    names: Vec<Suggested>,
    /// Names that were made of the words.
    considered: u64,
    /// Of those that were asked for, how many somebody has.
    taken: u64,
    /// Names that were dropped because they are too like a competitor's.
    clashes: Vec<Clash>,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// A name that is too like one of a competitor.
#[value]
pub(crate) struct Clash {
    name: String,
    /// The competitor's name.
    resembles: String,
    why: Why,
}

/// How two names are alike.
#[value]
pub(crate) enum Why {
    /// They look the same (Unicode, technical standard 39).
    Confusable,
    /// One letter is another, missing, added or swapped.
    OneLetter,
    /// It has the name within it.
    Contains,
}

/// Suggests names made of your words, by joining, blending, shortening and suffixes, drops those that are like competitors' and says which are free.
///
/// No search for trademarks is done: ask a lawyer before you take a name. Free is said only where the name system and the
/// registry both do not have it.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "names"),
    needs = ["web", "dns", "store"],
    phrasings = [
        "suggest a domain name for my brand",
        "which good names are still free",
        "find a short available domain",
        "ideas for a domain name",
    ],
    examples = [{ "words": ["lamp", "studio"] }, { "words": ["lumen"], "tlds": ["com", "io"], "max_length": 10, "limit": 10 }]
)]
pub(crate) fn suggest(cx: &Cx, args: Suggest) -> Result<Answer<Names>> {
    let words = words(&args.words)?;
    let sites: Vec<Stored<Site>> = cx.records::<Site>().by("order").scan().take(SITES).collect();
    let tlds = tlds(args.tlds.as_ref(), &sites)?;
    let longest = usize::try_from(u64::from(args.max_length)).unwrap_or(16);
    let limit = usize::try_from(u64::from(args.limit)).unwrap_or(20);
    let brands = brands(cx, &sites);
    let (mut all, mut clashes): (Vec<(f64, String, Candidate)>, Vec<Clash>) = (Vec::new(), Vec::new());
    for candidate in candidates::of(&words, &tlds, longest) {
        if let Some((brand, why)) = clash(&candidate.label, &brands) {
            clashes.push(Clash { name: candidate.label, resembles: brand, why });
            continue;
        }
        for (place, tld) in tlds.iter().enumerate() {
            if candidate.tld.as_ref().is_none_or(|it| it == tld) {
                let score = score(&candidate, place, tlds.len(), longest);
                all.push((score, format!("{}.{tld}", candidate.label), candidate.clone()));
            }
        }
    }
    let considered = all.len() as u64;
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut seen = BTreeSet::new();
    all.retain(|(_, name, _)| seen.insert(name.clone()));
    all.truncate(ASKED);
    let answers = cx.dns().lookup_many(all.iter().map(|(_, name, _)| Question::new(name, "NS")));
    let mut registries = Registries::new();
    let (mut names, mut taken) = (Vec::new(), 0);
    for ((score, name, candidate), answer) in all.into_iter().zip(answers) {
        if names.len() >= limit {
            break;
        }
        let state = state(cx, &mut registries, &name, &answer);
        match state {
            State::Taken => taken += 1,
            state => names.push(Suggested { name, state, score: round(score), reasons: reasons(&candidate) }),
        }
    }
    clashes.truncate(50);
    let degraded = vec![Degraded::new(
        "names",
        "no search for trademarks is done: only competitors of your websites are compared",
    )];
    let first = names.iter().find(|it| it.state == State::Available).map(|it| it.name.clone());
    let next = first.map(|domain| {
        Fix::new("domains.register.quote", json!({ "domain": domain, "action": "register" }))
            .because("asks the registrar for the price, which may be a premium one")
    });
    let units = names.len() as u64;
    Ok(Answer::new(Names { names, considered, taken, clashes, degraded, next: next.into_iter().collect() })
        .units(units))
}

/// Words as labels: letters and digits of ASCII, each once.
fn words(given: &[Text<2, 30>]) -> Result<Vec<String>> {
    let mut out: Vec<String> = Vec::new();
    for (at, it) in given.iter().enumerate() {
        let plain: String = deunicode::deunicode(it.as_str()).to_ascii_lowercase();
        let word: String = plain.chars().filter(char::is_ascii_alphanumeric).collect();
        if word.len() < 2 {
            let message = "a word has two letters or digits at least";
            return Err(Fault::invalid(format!("/words/{at}"), "invalid_word", message));
        }
        if !out.contains(&word) {
            out.push(word);
        }
    }
    Ok(out)
}

/// Suffixes that registries sell names under.
fn tlds(given: Option<&List<Text<2, 20>, 1, 20>>, sites: &[Stored<Site>]) -> Result<Vec<String>> {
    let Some(given) = given else {
        let mut out = ["com", "net", "org", "io"].map(str::to_owned).to_vec();
        for site in sites {
            let Ok((domain, _)) = registrable(&site.domain, "/tlds") else { continue };
            let Some((_, suffix)) = domain.split_once('.') else { continue };
            let is_country = suffix.rsplit('.').next().is_some_and(|it| it.len() == 2);
            if is_country && out.len() < 12 && !out.iter().any(|it| it == suffix) {
                out.push(suffix.to_owned());
            }
        }
        return Ok(out);
    };
    let mut out: Vec<String> = Vec::new();
    for (at, it) in given.iter().enumerate() {
        let tld = it.as_str().trim().trim_start_matches('.').to_ascii_lowercase();
        let sold =
            registrable(&format!("name.{tld}"), "/tlds").is_ok_and(|(domain, _)| domain == format!("name.{tld}"));
        if !sold || suffixes::suffix(&tld).is_none_or(|it| !it.is_known) {
            let message = "names are not registered under this suffix; suffixes are such as com, io or co.uk";
            return Err(Fault::invalid(format!("/tlds/{at}"), "not_a_suffix", message));
        }
        if !out.contains(&tld) {
            out.push(tld);
        }
    }
    Ok(out)
}

/// Names of competitors: the labels of their domains.
fn brands(cx: &Cx, sites: &[Stored<Site>]) -> Vec<String> {
    let mut out = BTreeSet::new();
    for site in sites {
        let id: Id<Competitors> = Id::new(site.id.as_str());
        for domain in cx.records::<Competitors>().find(&id).into_iter().flat_map(|it| it.domains.clone()) {
            let label = registrable(&domain, "/words").ok().and_then(|(it, _)| it.split('.').next().map(str::to_owned));
            out.extend(label);
        }
    }
    out.into_iter().collect()
}

/// The competitor's name that a name is too like.
fn clash(label: &str, brands: &[String]) -> Option<(String, Why)> {
    let look = |it: &str| skeleton(it).collect::<String>().to_ascii_lowercase();
    let own = look(label);
    for brand in brands {
        let why = if look(brand) == own {
            Why::Confusable
        } else if brand.len() >= 5 && strsim::damerau_levenshtein(label, brand) <= 1 {
            Why::OneLetter
        } else if brand.len() >= 5 && label.contains(brand.as_str()) {
            Why::Contains
        } else {
            continue;
        };
        return Some((brand.clone(), why));
    }
    None
}

#[expect(clippy::cast_precision_loss, reason = "labels have at most thirty letters")]
fn score(candidate: &Candidate, place: usize, tlds: usize, longest: usize) -> f64 {
    let label = &candidate.label;
    // 1 up to eight letters, 0 at the longest.
    let over = label.len().saturating_sub(8) as f64 / longest.saturating_sub(8).max(1) as f64;
    let short = 1.0 - over.min(1.0);
    let suffix = if candidate.tld.is_some() { 1.0 } else { 1.0 - place as f64 / tlds.max(1) as f64 };
    let mut score = 0.35 * short + 0.25 * letters::spoken(label) + 0.2 * candidate.kept + 0.2 * suffix;
    if label.contains('-') {
        score -= 0.15;
    }
    if label.contains(|c: char| c.is_ascii_digit()) {
        score -= 0.1;
    }
    if is_hard(label) {
        score -= 0.1;
    }
    score.clamp(0.0, 1.0)
}

/// Whether three letters stand in a row that are equal, or more than three consonants.
fn is_hard(label: &str) -> bool {
    let bytes = label.as_bytes();
    let equal = bytes.windows(3).any(|it| it[0] == it[1] && it[1] == it[2]);
    let consonant = |it: &u8| it.is_ascii_lowercase() && !b"aeiouy".contains(it);
    equal || bytes.windows(4).any(|it| it.iter().all(consonant))
}

fn reasons(candidate: &Candidate) -> Vec<String> {
    let label = &candidate.label;
    let mut out = vec![candidate.way.words().to_owned()];
    if label.len() <= 8 {
        out.push(format!("short: {} letters", label.len()));
    }
    if letters::spoken(label) >= 0.5 {
        out.push("easily spoken".to_owned());
    }
    if is_hard(label) {
        out.push("hard to speak: letters in a row".to_owned());
    }
    out
}

/// What the name system and the registry say; the registry is asked only where it may be free.
fn state(cx: &Cx, registries: &mut Registries, name: &str, answer: &Result<DnsAnswer, DnsFailure>) -> State {
    match answer {
        Ok(answer) if matches!(answer.outcome, Outcome::Found | Outcome::NoData) => return State::Taken,
        Ok(answer) if answer.outcome == Outcome::NoName => {}
        Ok(_) | Err(_) => return State::Unknown,
    }
    if cx.elapsed() > LATE {
        return State::NotChecked;
    }
    let Row { state, .. } = row(cx, registries, name, answer, true);
    match state {
        Known::Available => State::Available,
        Known::Taken | Known::Invalid => State::Taken,
        Known::Reserved => State::Reserved,
        Known::Unknown => State::Unknown,
    }
}

fn round(score: f64) -> f64 {
    (score * 1_000.0).round() / 1_000.0
}
