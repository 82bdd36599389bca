//! The operation `onpage.date.extract`: the dates of a page, and whether they agree.

use kit::dates::{self, Candidate, Of, Source};
use sdk::Fix;
use sdk::prelude::*;
use sdk::serde_json::json;

use crate::live;
use site::live::Seen;

/// Days that two dates of one thing may lie apart: time zones, and a cache that is a day behind.
const SAME: i64 = 1;
/// Less believed candidates are shown but decide nothing.
const LEAST: f64 = 0.3;

#[args]
pub(crate) struct Extract {
    url: Url,
}

#[value]
pub(crate) struct Extracted {
    /// The most believed date of publication, such as `2024-03-01`.
    published: Option<String>,
    /// The most believed date of the last change.
    modified: Option<String>,
    /// Every date found, the most believed first; at most 50.
    candidates: Vec<Found>,
    conflicts: Vec<Conflict>,
    /// Days since the last date believed.
    age_days: Option<i64>,
    page: Seen,
}

#[value]
struct Found {
    of: Of,
    source: Source,
    /// As written.
    value: String,
    /// What it means.
    date: String,
    /// How much it is believed, from 0 to 1.
    weight: f64,
}

#[value]
struct Conflict {
    kind: Kind,
    message: String,
    /// The call that mends it or shows more.
    fix: Fix,
}

#[value]
enum Kind {
    /// Two places give different days.
    Differs,
    /// The change is older than the publication.
    ModifiedBeforePublished,
    /// A date that has not come yet.
    Future,
    /// Readers see a date that no markup says.
    NotInMarkup,
}

/// Extracts publication and modification dates from structured data, meta, time elements, URL and visible text, ranks them by
/// reliability and flags conflicts.
///
/// Structured data is believed most, then meta elements, `time`, the address, and text last.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web"],
    phrasings = [
        "when was this page published",
        "when was this article last updated",
        "do the dates on my page agree",
        "why does google show the wrong date",
    ],
    examples = [{ "url": "https://shop.example/blog/2026/03/01/lamps" }]
)]
pub(crate) fn extract(cx: &Cx, args: Extract) -> Result<Extracted> {
    let page = live::page(cx, &args.url, "/url")?;
    let found = dates::candidates(&page.dom, &page.facts.final_url);
    let today = dates::parse(&cx.now().day().to_string());
    let past = |it: &&Candidate| today.is_none_or(|today| it.date.days() <= today.days() + SAME);
    let believed: Vec<Candidate> = found.iter().filter(past).filter(|it| it.weight >= LEAST).cloned().collect();
    let (published, modified) = (dates::best(&believed, Of::Published), dates::best(&believed, Of::Modified));
    let newest = published.into_iter().chain(modified).map(|it| it.date.days()).max();
    let conflicts = conflicts(&found, published, modified, today, &page.facts.final_url);
    Ok(Extracted {
        published: published.map(|it| it.date.to_string()),
        modified: modified.map(|it| it.date.to_string()),
        age_days: newest.and_then(|newest| Some(today?.days() - newest)),
        conflicts,
        candidates: found
            .into_iter()
            .take(50)
            .map(|it| Found {
                of: it.of,
                source: it.source,
                date: it.date.to_string(),
                weight: kit::statistics::round(it.weight, 2),
                value: it.value,
            })
            .collect(),
        page: page.seen(),
    })
}

fn conflicts(
    found: &[Candidate],
    published: Option<&Candidate>,
    modified: Option<&Candidate>,
    today: Option<dates::Date>,
    url: &str,
) -> Vec<Conflict> {
    let mut out = Vec::new();
    let mut add = |kind, message: String| {
        let fix = match kind {
            Kind::NotInMarkup => Fix::new("schema.markup.generate", json!({ "url": url, "type": "Article" })),
            _ => Fix::on("schema.page.validate", url),
        };
        out.push(Conflict { kind, message, fix });
    };
    for best in [published, modified].into_iter().flatten() {
        let same = |it: &&Candidate| it.of == best.of && it.weight >= LEAST && it.source != best.source;
        for other in found.iter().filter(same).filter(|it| (it.date.days() - best.date.days()).abs() > SAME).take(3) {
            add(
                Kind::Differs,
                format!("{} in {}, but {} in {}", best.date, name(best.source), other.date, name(other.source)),
            );
        }
        let machine = matches!(best.source, Source::JsonLd | Source::Meta | Source::Microdata);
        if !machine && best.of == Of::Published {
            add(Kind::NotInMarkup, format!("{} stands in {} only; no markup says it", best.date, name(best.source)));
        }
    }
    if let (Some(published), Some(modified)) = (published, modified)
        && modified.date.days() + SAME < published.date.days()
    {
        add(Kind::ModifiedBeforePublished, format!("changed {}, published {}", modified.date, published.date));
    }
    if let Some(today) = today {
        for ahead in found.iter().filter(|it| it.weight >= LEAST && it.date.days() > today.days() + SAME).take(3) {
            add(Kind::Future, format!("{} in {} has not come yet", ahead.date, name(ahead.source)));
        }
    }
    out
}

fn name(source: Source) -> &'static str {
    match source {
        Source::JsonLd => "JSON-LD",
        Source::Meta => "a meta element",
        Source::Microdata => "microdata",
        Source::Time => "a time element",
        Source::Url => "the address",
        Source::Text => "the text",
    }
}

#[cfg(test)]
mod tests;
