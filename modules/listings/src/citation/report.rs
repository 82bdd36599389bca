//! The operation `listings.citation.report`.

use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};

use super::directories;
use super::list::scanned;
use super::stored::{Citation, State};
use crate::nap::compare::{Grade, Grades};
use crate::nap::stored as nap;
use crate::stored::Location;

/// Citations that are read, and corrections that are told.
const MOST: usize = 3_000;
const TOLD: usize = 50;

#[args]
pub(crate) struct Report {
    /// The location, as listed.
    location_ref: Id<Location>,
}

/// A correction.
#[value]
pub(crate) struct Correction {
    url: String,
    domain: String,
    /// `name`, `address` and `phone`, those that are wrong or missing.
    #[own]
    fields: Vec<String>,
    /// What the score gains when they are right.
    gain: f64,
    fix: Fix,
}

/// A directory without the business.
#[value]
pub(crate) struct Missing {
    domain: String,
    /// From 1 to 5.
    importance: u32,
    /// How often it stood among the search results of the last scan; null where none were read.
    in_search_results: Option<u32>,
    fix: Fix,
}

/// A page that shows the business a second time.
#[value]
pub(crate) struct Double {
    url: String,
    duplicate_of: String,
    domain: String,
}

/// The report.
#[value]
pub(crate) struct Reported {
    /// From 0 to 100; null without a citation.
    score: Option<f64>,
    /// Citations that it is made of.
    n: u64,
    /// The one with the most effect first.
    corrections: Vec<Correction>,
    /// The most important one first.
    missing: Vec<Missing>,
    duplicates: Vec<Double>,
    scanned_at: Option<Moment>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Scores consistency weighted by directory importance, lists the corrections with the most effect and directories competitors have and the location lacks.
///
/// A citation has 0.4 points for the name, 0.3 for phone number and address each: all of them when exact, 0.8 of them when near, half when nothing
/// stands there, none when something else does. Importance is our own table of some 70 directories. No competitor is scanned: directories are those
/// of the country.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how consistent are my citations", "which directories should I correct first", "directories that lack my business"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let (scanned, degraded) = scanned(cx, &args.location_ref)?;
    let record = nap::required(cx, args.location_ref.as_str())?;
    let all = cx.records::<Citation>().by("location_domain").equals(&args.location_ref).scan().take(MOST);
    let all: Vec<Stored<Citation>> = all.collect();
    let found: Vec<(&Citation, Grades)> =
        all.iter().filter(|it| it.state == State::Found).filter_map(|it| Some((&it.it, it.grades?))).collect();
    let weight = |it: &Citation| f64::from(directories::importance(&it.domain, it.in_search));
    let whole: f64 = found.iter().map(|(it, _)| weight(it)).sum();
    let sum: f64 = found.iter().map(|(it, grades)| weight(it) * points(grades)).sum();
    let score = (whole > 0.0).then(|| round(100.0 * sum / whole, 1));
    let pack = |domain: &str| {
        Fix::new("listings.citation.pack.create", json!({ "location_ref": args.location_ref, "directories": [domain] }))
    };
    let mut corrections: Vec<Correction> = found
        .iter()
        .filter(|(_, grades)| points(grades) < 1.0 && !super::work::is_right(grades))
        .map(|(it, grades)| Correction {
            url: it.url.clone(),
            domain: it.domain.clone(),
            fields: wrong(grades),
            gain: round(100.0 * weight(it) * (1.0 - points(grades)) / whole, 2),
            fix: pack(&it.domain),
        })
        .collect();
    corrections.sort_by(|a, b| b.gain.total_cmp(&a.gain).then_with(|| a.url.cmp(&b.url)));
    corrections.truncate(TOLD);
    let others = scanned.as_ref().and_then(|it| it.others_at.as_ref());
    let missing: Vec<Missing> = directories::of(&record.country)
        .into_iter()
        .filter(|directory| all.iter().all(|it| it.domain != directory.domain || it.state == State::Gone))
        .map(|it| Missing {
            domain: it.domain.to_owned(),
            importance: it.importance,
            in_search_results: others
                .map(|all| all.iter().find(|(domain, _)| domain == it.domain).map_or(0, |it| it.1)),
            fix: pack(it.domain),
        })
        .collect();
    let duplicates = all.iter().filter(|it| it.state == State::Found).filter_map(|it| {
        Some(Double { url: it.url.clone(), duplicate_of: it.duplicate_of.clone()?, domain: it.domain.clone() })
    });
    let mut domains: Vec<&str> = corrections.iter().map(|it| it.domain.as_str()).collect();
    domains.dedup();
    let next = (!domains.is_empty() && scanned.is_some()).then(|| {
        let domains: Vec<&str> = domains.into_iter().take(10).collect();
        let arguments = json!({ "location_ref": args.location_ref, "directories": domains });
        Next::new(
            "listings.citation.pack.create",
            arguments,
            "prepares the corrections with the most effect as tasks for people",
        )
    });
    Ok(Reported {
        score,
        n: found.len() as u64,
        duplicates: duplicates.collect(),
        corrections,
        missing: if scanned.is_some() { missing } else { Vec::new() },
        scanned_at: scanned.map(|it| Moment::from_millis(it.ended_ms)),
        next: next.into_iter().collect(),
        degraded,
    })
}

fn points(grades: &Grades) -> f64 {
    let part = |grade: Grade| match grade {
        Grade::Exact => 1.0,
        Grade::Near => 0.8,
        Grade::Absent => 0.5,
        Grade::Conflict => 0.0,
    };
    0.4 * part(grades.name) + 0.3 * part(grades.phone) + 0.3 * part(grades.address)
}

fn wrong(grades: &Grades) -> Vec<String> {
    let fields = [("name", grades.name), ("phone", grades.phone), ("address", grades.address)];
    let is_wrong = |it: &&(&str, Grade)| matches!(it.1, Grade::Conflict | Grade::Absent);
    fields.iter().filter(is_wrong).map(|it| it.0.to_owned()).collect()
}
