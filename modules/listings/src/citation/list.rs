//! The operation `listings.citation.list`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, json};

use super::stored::{Citation, LinkState, Scanned, State};
use crate::nap::compare::{Grade, Grades, Shown};
use crate::stored::Location;

/// Citations that one call looks at.
const MOST: usize = 3_000;

/// What is wrong.
#[value]
pub(crate) enum Problem {
    Name,
    Address,
    Phone,
    Website,
    Duplicate,
}

#[args(paged)]
pub(crate) struct Listing {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// Those with this problem alone.
    problem: Option<Problem>,
}

/// A citation.
#[value]
pub(crate) struct Row {
    citation_ref: Id<Citation>,
    url: String,
    domain: String,
    state: State,
    /// What stands there.
    shown: Shown,
    /// How each field goes together with the record; null for a page that could not be read.
    grades: Option<Grades>,
    link: LinkState,
    /// The page of the same domain that shows the business too.
    duplicate_of: Option<String>,
    checked_at: Moment,
    fix: Option<Fix>,
}

/// Citations.
#[page]
pub(crate) struct Rows {
    /// The most important directory first.
    citations: Vec<Row>,
    total: u64,
    scanned_at: Option<Moment>,
    degraded: Vec<Degraded>,
}

/// Lists citations with each field's match grade, link state, duplicates and last check.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["list my citations", "directories with a wrong phone number", "duplicate listings of my shop"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "problem": "phone" }]
)]
pub(crate) fn list(cx: &Cx, args: Listing) -> Result<Rows> {
    let (scanned, degraded) = scanned(cx, &args.location_ref)?;
    let all = cx.records::<Citation>().by("location_domain").equals(&args.location_ref).scan().take(MOST);
    let mut all: Vec<Stored<Citation>> = all.filter(|it| args.problem.is_none_or(|problem| has(it, problem))).collect();
    let importance = |it: &Citation| super::directories::importance(&it.domain, it.in_search);
    all.sort_by(|a, b| importance(b).cmp(&importance(a)).then_with(|| a.url.cmp(&b.url)));
    let total = all.len() as u64;
    let page = args.window(all)?;
    let citations = page.items.into_iter().map(row).collect();
    let scanned_at = scanned.map(|it| Moment::from_millis(it.ended_ms));
    Ok(Rows { citations, next_cursor: page.next, total, scanned_at, degraded })
}

/// What the last scan knew; the scan is named where there was none.
pub(super) fn scanned(cx: &Cx, location: &Id<Location>) -> Result<(Option<Stored<Scanned>>, Vec<Degraded>)> {
    let scanned = cx.records::<Scanned>().find(&Id::new(location.as_str()));
    if scanned.is_some() {
        return Ok((scanned, Vec::new()));
    }
    crate::nap::stored::required(cx, location.as_str())?;
    let missing = Degraded::new("citations", "no scan of this location has ended");
    Ok((None, vec![missing.supplied_by("listings.citation.scan", json!({ "location_ref": location }))]))
}

fn has(it: &Citation, problem: Problem) -> bool {
    let is = |grade: fn(&Grades) -> Grade| it.grades.as_ref().is_some_and(|it| grade(it) == Grade::Conflict);
    match problem {
        Problem::Name => is(|it| it.name),
        Problem::Address => is(|it| it.address),
        Problem::Phone => is(|it| it.phone),
        Problem::Website => is(|it| it.website),
        Problem::Duplicate => it.duplicate_of.is_some(),
    }
}

fn row(stored: Stored<Citation>) -> Row {
    let citation_ref = stored.id.clone();
    let it = stored.into_inner();
    let wrong = it.duplicate_of.is_some() || it.grades.as_ref().is_some_and(super::work::conflicts);
    let fix = wrong.then(|| {
        Fix::new("listings.citation.pack.create", json!({ "location_ref": it.location, "directories": [it.domain] }))
    });
    Row {
        citation_ref,
        url: it.url,
        domain: it.domain,
        state: it.state,
        shown: it.shown,
        grades: it.grades,
        link: it.link,
        duplicate_of: it.duplicate_of,
        checked_at: Moment::from_millis(it.checked_ms),
        fix,
    }
}
