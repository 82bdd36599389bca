//! Pages: whether one answers, what its text says, what its head says, and whether it may be in an index.

use std::collections::BTreeMap;

use kit::page::PageFacts;
use sdk::prelude::*;
use similar::{ChangeTag, TextDiff};

use super::look::{Answered, Change, Looked, differences, no_page};
use super::text;
use crate::event::stored::{Changed, EventKind, read};
use crate::monitor::stored::{Monitor, Seen};

/// Characters of a field that are kept.
const FIELD: usize = 600;

/// Whether it answers as it should.
pub(super) fn uptime(monitor: &Monitor, answer: &Answered) -> Looked {
    let down = |why: String| Looked::wrong(EventKind::Down, why);
    let answer = match answer {
        Ok(answer) => answer,
        Err(failure) => return down(failure.name().to_owned()),
    };
    let threshold = &monitor.threshold;
    let status = i64::from(answer.status);
    let is_good = match &threshold.status_in {
        Some(good) => good.iter().any(|it| it.get() == status),
        None => (200..400).contains(&status),
    };
    if !is_good {
        return down(format!("status {status}"));
    }
    if let Some(wanted) = &threshold.contains
        && !answer.text().contains(wanted.as_str())
    {
        return down("the text is missing".to_owned());
    }
    if let Some(most) = &threshold.max_ms
        && i64::from(answer.timing.total_ms) > most.get()
    {
        return down(format!("{} ms", answer.timing.total_ms));
    }
    Looked::default()
}

/// Whether its text is another.
pub(super) fn content(cx: &Cx, monitor: &Stored<Monitor>, answer: &Answered) -> Looked {
    if let Some(why) = no_page(answer) {
        return Looked::wrong(EventKind::StatusError, why);
    }
    let Ok(answer) = answer else { return Looked::default() };
    let html = answer.text();
    let found = match monitor.selector.as_deref().and_then(text::selector) {
        Some(selector) => match text::selected(&html, &selector) {
            Some(found) => found,
            None => return Looked::skipped("selector_finds_nothing"),
        },
        None => text::main(&html),
    };
    compared(cx, monitor, &found, EventKind::ContentChanged)
}

/// A text against the one before.
pub(super) fn compared(cx: &Cx, monitor: &Stored<Monitor>, found: &str, kind: EventKind) -> Looked {
    let now = text::without(found, &monitor.ignore);
    let hash = kit::text::hex(&kit::text::sha256(now.as_bytes()));
    let seen = Seen { hash, ..Seen::default() };
    let Some(before) = &monitor.seen else { return Looked { seen: Some((seen, Some(now))), ..Looked::default() } };
    if before.hash == seen.hash {
        return Looked::default();
    }
    let old = read(cx, before.snapshot.as_deref()).unwrap_or_default();
    let (changed, all) = changed_words(&old, &now);
    let percent = 100.0 * kit::number::as_number(changed) / kit::number::as_number(all.max(1));
    let least = monitor.threshold.min_change_percent.as_ref().map_or(0.0, |it| it.get());
    if changed == 0 || percent < least {
        // What was seen first stays: small changes add up to a large one.
        return Looked::default();
    }
    let words = format!("{changed} of {all} words are others ({percent:.1} %)");
    let change = Change { kind, seen: words, fields: Vec::new() };
    Looked { change: Some(change), seen: Some((seen, Some(now))), ..Looked::default() }
}

/// Words that were taken away or added, of all words of the longer text.
fn changed_words(before: &str, after: &str) -> (u64, u64) {
    let diff = TextDiff::from_unicode_words(before, after);
    let (mut removed, mut added, mut same) = (0, 0, 0);
    for change in diff.iter_all_changes().filter(|it| it.value().chars().any(char::is_alphanumeric)) {
        match change.tag() {
            ChangeTag::Delete => removed += 1,
            ChangeTag::Insert => added += 1,
            ChangeTag::Equal => same += 1,
        }
    }
    (std::cmp::max(removed, added), same + std::cmp::max(removed, added))
}

/// Whether its head is another.
pub(super) fn head(monitor: &Monitor, answer: &Answered) -> Looked {
    if let Some(why) = no_page(answer) {
        return Looked::wrong(EventKind::StatusError, why);
    }
    let facts = site::live::facts(&monitor.target, answer);
    if !facts.is_html {
        return Looked::skipped("not_html");
    }
    let fields = fields(&facts);
    let seen = Seen { fields, ..Seen::default() };
    let Some(before) = &monitor.seen else { return Looked { seen: Some((seen, None)), ..Looked::default() } };
    let changed = differences(&before.fields, &seen.fields);
    let worst = changed
        .iter()
        .map(|it| of_field(it, &monitor.target))
        .min_by_key(|it| (std::cmp::Reverse(it.severity()), *it as u8));
    let Some(kind) = worst else { return Looked::default() };
    let names: Vec<&str> = changed.iter().map(|it| it.name.as_str()).collect();
    let change = Change { kind, seen: format!("differs in {}", names.join(", ")), fields: changed };
    Looked { change: Some(change), seen: Some((seen, None)), ..Looked::default() }
}

/// Elements of a head by name.
fn fields(facts: &PageFacts) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|it| !it.is_empty()) {
            out.insert(name.to_owned(), kit::text::clip(&value, FIELD).to_owned());
        }
    };
    put("title", facts.titles.first().cloned());
    put("description", facts.descriptions.first().cloned());
    let canonical = facts.counted_canonicals().next().map(|it| it.url.clone().unwrap_or_else(|| it.href.clone()));
    put("canonical", canonical);
    let mut robots: Vec<String> = facts.meta_robots.iter().chain(&facts.x_robots_tag).cloned().collect();
    robots.sort();
    robots.dedup();
    put("robots", Some(robots.join(", ")));
    let mut hreflang: Vec<String> =
        facts.hreflang.iter().map(|it| format!("{} {}", it.lang, it.url.as_deref().unwrap_or(&it.href))).collect();
    hreflang.sort();
    put("hreflang", Some(hreflang.join(", ")));
    put("h1", facts.headings.iter().find(|it| it.level == 1).map(|it| it.text.clone()));
    put("lang", facts.lang.clone());
    put("viewport", facts.viewport.clone());
    put("final_url", Some(facts.final_url.clone()));
    let of = |name: &str| facts.open_graph.iter().find(|it| it.0 == name).map(|it| it.1.clone());
    put("og:title", of("og:title"));
    put("og:image", of("og:image"));
    out
}

/// What a field that differs comes to.
fn of_field(changed: &Changed, target: &str) -> EventKind {
    let forbids =
        |text: &Option<String>| text.iter().flat_map(|it| it.split(", ")).any(|it| it == "noindex" || it == "none");
    let host = |text: &str| kit::url::Url::parse(text).ok().and_then(|it| it.host_str().map(str::to_owned));
    match changed.name.as_str() {
        "title" if changed.after.is_none() => EventKind::TitleLost,
        "title" => EventKind::TitleChanged,
        "description" => EventKind::DescriptionChanged,
        "robots" if forbids(&changed.after) && !forbids(&changed.before) => EventKind::NoindexAdded,
        "robots" if forbids(&changed.before) && !forbids(&changed.after) => EventKind::NoindexRemoved,
        "canonical" => match changed.after.as_deref().and_then(host) {
            Some(other) if host(target).is_some_and(|own| own != other) => EventKind::CanonicalForeign,
            _ => EventKind::CanonicalMoved,
        },
        "hreflang" => {
            let count = |text: &Option<String>| text.as_ref().map_or(0, |it| it.split(", ").count());
            if count(&changed.after) < count(&changed.before) {
                EventKind::HreflangLost
            } else {
                EventKind::HeadChanged
            }
        }
        "final_url" if changed.after.as_deref() != Some(target) => EventKind::RedirectAdded,
        _ => EventKind::HeadChanged,
    }
}

/// An inspection, as `indexing` keeps it.
#[foreign(collection = "indexing.url_states", thing = "url_state", may_be_missing, index(site_id, url))]
pub(crate) struct UrlState {
    pub(crate) site_id: String,
    pub(crate) url: String,
    pub(crate) inspected_ms: u64,
    pub(crate) coverage: Coverage,
}

/// What Google said.
#[value]
pub(crate) struct Coverage {
    pub(crate) verdict: String,
    pub(crate) coverage: String,
}

/// Whether a search engine may index it, and whether Google did when it was asked last.
pub(super) fn index(cx: &Cx, monitor: &Stored<Monitor>, answer: &Answered) -> Looked {
    if let Err(failure) = answer {
        return Looked::skipped(failure.name());
    }
    let facts = site::live::facts(&monitor.target, answer);
    let robots = monitor.target.parse::<Url>().ok().and_then(|it| it.link("/robots.txt"));
    let rules = robots.map(|it| cx.web().fetch(&Request::get(&it).max_bytes(512 << 10)));
    let requests = u64::from(rules.is_some());
    let blocked = match &rules {
        Some(Ok(answer)) => {
            !robots::Robots::of_answer(answer.status, &answer.body, "Googlebot").allows(&monitor.target)
        }
        _ => false,
    };
    let url = kit::url::normalize(&monitor.target).unwrap_or_else(|| monitor.target.clone());
    let told = cx.records::<UrlState>().by("site_id_url").equals(&monitor.site_id).equals(&url).first();
    let wrong = if !facts.indexability.is_indexable() {
        Some(facts.indexability.reason.word().to_owned())
    } else if blocked {
        Some("robots.txt".to_owned())
    } else {
        told.as_ref().filter(|it| it.coverage.verdict != "PASS").map(|it| {
            format!("Google: {} (asked on {})", it.coverage.coverage, Moment::from_millis(it.inspected_ms).day())
        })
    };
    match wrong {
        Some(why) => Looked { requests, ..Looked::wrong(EventKind::NotIndexed, why) },
        None => Looked { requests, ..Looked::default() },
    }
}
