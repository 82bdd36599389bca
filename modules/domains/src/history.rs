//! The operation `domains.history.get`.

mod archive;
mod blocklist;
mod capture;

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, Severity, json};

use crate::name::registrable;
use archive::Index;
use capture::Seen;

/// Captures that are read.
const READ: usize = 6;
/// Words below which two captures are not compared.
const WORDS: u32 = 100;
/// The likeness of two texts below which their topic is another one.
const OTHER: f64 = 0.1;

#[args]
pub(crate) struct Get {
    /// A domain; of a longer name the registrable part counts.
    domain: Text<3, 253>,
}

/// The home page in one year.
#[value]
pub(crate) struct Year {
    year: u32,
    captured_at: Moment,
    /// The status that the archive was answered with; null where it does not say.
    status: Option<u16>,
    /// The capture itself.
    capture_url: Url,
}

/// What a capture is about.
#[value]
pub(crate) struct Topic {
    captured_at: Moment,
    title: Option<String>,
    /// ISO 639-1; null where the text is too short to say.
    language: Option<String>,
    /// What it is about.
    phrases: Vec<String>,
    words: u32,
    /// The domain that it leads to, where it is another one.
    leads_to: Option<String>,
}

/// What a buyer should know.
#[value]
pub(crate) struct Warning {
    /// A word for programs, such as `spam_words`.
    #[own]
    id: String,
    severity: Severity,
    captured_at: Option<Moment>,
    /// What was seen.
    evidence: String,
}

/// What a list of bad names says.
#[value]
pub(crate) enum Listing {
    Listed,
    Clean,
    /// The list did not answer, or not as lists do (RFC 5782).
    Unknown,
}

/// A list with what it says.
#[value]
pub(crate) struct Listed {
    list: String,
    state: Listing,
    /// What the list answered.
    answer: Option<String>,
}

/// What the past comes to.
#[value]
pub(crate) enum Verdict {
    /// Captures were read, and nothing in them warns.
    Clean,
    /// It was parked, changed its topic or language, or led elsewhere.
    Mixed,
    /// It carried spam, or a list has it.
    Risky,
    /// Nobody could look.
    Unknown,
}

/// The past of a domain.
#[value]
pub(crate) struct Past {
    domain: String,
    /// Years in which the archive has the home page, the newest first.
    years: Vec<Year>,
    /// At most six captures spread over the years, the newest first.
    topics: Vec<Topic>,
    /// The most serious first.
    warnings: Vec<Warning>,
    /// What lists of bad names say that the operator may ask; empty where none is set.
    blocklists: Vec<Listed>,
    /// Domains that link to it, as far as it is on file here; null where nothing is on file.
    referring_domains: Option<u64>,
    verdict: Verdict,
    degraded: Vec<Degraded>,
    /// What to do next.
    next: Vec<Next>,
}

/// Examines a domain's past before you buy it: archived captures by year, topics, languages, parked and spam periods, and DNS lists of bad names.
///
/// The archive is web.archive.org, one capture a year and six of them read. Lists are asked only where the operator has leave
/// to ask them.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 40),
    needs = ["web", "dns", "store"],
    phrasings = [
        "what was this domain used for before",
        "is this expired domain clean",
        "history of a domain before I buy it",
        "was the domain used for spam",
    ],
    examples = [{ "domain": "shop.example" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Past> {
    let (domain, _) = registrable(args.domain.as_str(), "/domain")?;
    let mut degraded =
        vec![Degraded::new("referring_domains", "no links of other websites are on file in this service yet")];
    let index = match archive::index(cx, &domain) {
        Ok(index) => Some(index),
        Err(why) => {
            degraded.push(Degraded::new("years", why));
            None
        }
    };
    let captures = index.as_ref().map(Index::spread).unwrap_or_default();
    let (mut seen, mut unread): (Vec<Seen>, usize) = (Vec::new(), 0);
    for (capture, answer) in captures.iter().zip(archive::read(cx, &captures)) {
        match answer {
            Some((html, leads_to)) => seen.push(capture::of(capture.at, &domain, &html, leads_to)),
            None => unread += 1,
        }
    }
    if unread > 0 {
        let why = format!("{unread} of {} captures could not be read", captures.len());
        degraded.push(Degraded::new("topics", why));
    }
    let blocklists = blocklist::ask(cx, &domain);
    if blocklists.is_empty() {
        degraded.push(Degraded::new("blocklists", "the operator of this service has set no DNS lists that it may ask"));
    }
    let mut warnings = warnings(&seen, &blocklists, index.as_ref());
    warnings.sort_by_key(|it| (it.severity, it.captured_at));
    let verdict = verdict(&warnings, seen.len(), &blocklists);
    let quote = Fix::new("domains.availability.check", json!({ "names": [domain] }));
    let next = vec![quote.because("says whether the name can be had now")];
    let years = index.map(Index::years).unwrap_or_default();
    let topics = seen.into_iter().map(Seen::topic).collect();
    Ok(Past { domain, years, topics, warnings, blocklists, referring_domains: None, verdict, degraded, next })
}

fn warnings(seen: &[Seen], blocklists: &[Listed], index: Option<&Index>) -> Vec<Warning> {
    let mut out = Vec::new();
    let mut say = |id: &str, severity: Severity, at: Option<Moment>, evidence: String| {
        out.push(Warning { id: id.to_owned(), severity, captured_at: at, evidence });
    };
    for it in seen {
        if let Some((kind, words)) = &it.spam {
            say(
                "spam_words",
                Severity::Error,
                Some(it.at),
                format!("title and headings have words of {kind}: {}", words.join(", ")),
            );
        }
        if let Some(why) = &it.parked {
            say("parked", Severity::Warning, Some(it.at), why.clone());
        }
        if let Some(other) = &it.leads_to {
            say("led_elsewhere", Severity::Warning, Some(it.at), format!("the home page led to {other}"));
        }
    }
    // The newest comes first: each is compared with the one before it in time.
    for pair in seen.windows(2) {
        let [newer, older] = pair else { continue };
        if newer.words < WORDS || older.words < WORDS {
            continue;
        }
        if let (Some(a), Some(b)) = (newer.language, older.language)
            && a != b
        {
            say("language_changed", Severity::Warning, Some(newer.at), format!("the language went from {b} to {a}"));
        } else if capture::likeness(newer, older) < OTHER {
            let (a, b) = (newer.phrases.join(", "), older.phrases.join(", "));
            say("topic_changed", Severity::Warning, Some(newer.at), format!("it was about {b}, and then about {a}"));
        }
    }
    for it in blocklists.iter().filter(|it| it.state == Listing::Listed) {
        say("listed", Severity::Error, None, format!("{} has the domain", it.list));
    }
    if index.is_some_and(|it| it.is_empty()) {
        say("never_archived", Severity::Notice, None, "the archive has no capture of the home page".to_owned());
    }
    out
}

/// What warnings come to: an error is risky, a warning is mixed; without a capture that was read nothing is said for it.
fn verdict(warnings: &[Warning], read: usize, blocklists: &[Listed]) -> Verdict {
    if warnings.iter().any(|it| it.severity == Severity::Error) {
        return Verdict::Risky;
    }
    if read == 0 && blocklists.iter().all(|it| it.state == Listing::Unknown) {
        return Verdict::Unknown;
    }
    if warnings.iter().any(|it| it.severity == Severity::Warning) {
        return Verdict::Mixed;
    }
    if read == 0 { Verdict::Unknown } else { Verdict::Clean }
}
