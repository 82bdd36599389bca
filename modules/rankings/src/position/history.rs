//! The operation `rankings.position.history.get`.

use sdk::prelude::*;
use sdk::{Basis, Degraded};
use serps::normal_address;

use crate::board::Board;
use crate::rows;
use crate::snapshot;
use crate::stored::{Annotation, Serp, Tracker};
use crate::tracker::registrable;

/// Checks within which an address that comes back goes back and forth.
const BACK_WITHIN: usize = 3;
/// Annotations that are shown.
const MAX_ANNOTATIONS: usize = 200;

#[args]
pub(crate) struct History {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// Keywords, also such as have left the set.
    keywords: List<Text<1, 200>, 1, 50>,
    /// Competitors by domain; those of the tracker, the first ten, when left out.
    domains: Option<List<Domain, 0, 10>>,
    /// The first day; 90 days before the last one when left out.
    from: Option<Day>,
    /// The last day; today when left out.
    to: Option<Day>,
}

/// A position on a day.
#[value]
pub(crate) struct Point {
    date: Day,
    /// Null when the website was not found.
    position: Option<u32>,
    /// How many places were looked at in vain; null when it was found.
    beyond: Option<u32>,
    url: Option<String>,
    imported: bool,
    /// The whole result page; null when it is not kept.
    snapshot_ref: Option<Id<Serp>>,
}

/// A competitor's position on a day.
#[value]
pub(crate) struct Place {
    date: Day,
    /// Null when the domain was not among the places that were looked at.
    position: Option<u32>,
}

/// The positions of a competitor.
#[value]
pub(crate) struct Rival {
    domain: String,
    points: Vec<Place>,
}

/// The history of a keyword.
#[value]
pub(crate) struct Series {
    keyword: String,
    /// A point for each check that looked at the keyword.
    points: Vec<Point>,
    competitors: Vec<Rival>,
}

/// Another page of the website became the best one.
#[value]
pub(crate) struct Switch {
    keyword: String,
    date: Day,
    from_url: String,
    to_url: String,
    /// Whether the page came back that was there up to three checks before: two pages compete.
    back_and_forth: bool,
}

/// Something that happened.
#[value]
pub(crate) struct Event {
    date: Day,
    title: String,
    kind: String,
}

/// Histories.
#[value]
pub(crate) struct Histories {
    /// In the order of the argument.
    series: Vec<Series>,
    /// The earliest first.
    url_switches: Vec<Switch>,
    /// Annotations of the website within the period.
    annotations: Vec<Event>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Returns position history of keywords for the website and competitors with URL switches and annotations.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["ranking history of a keyword", "how did my position develop", "did the ranking page change", "compare my rankings with a competitor over time"],
    examples = [{ "tracker_ref": "tracker_01", "keywords": ["desk lamp"] }, { "tracker_ref": "tracker_01", "keywords": ["desk lamp"], "domains": ["rival.example"], "from": "2026-01-01" }]
)]
pub(crate) fn get(cx: &Cx, args: History) -> Result<Histories> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let language = board.language();
    let normal: Vec<String> = args.keywords.iter().map(|it| serps::normal(it.as_str(), &language)).collect();
    let domains = match &args.domains {
        Some(given) => registrable(given),
        None => board.tracker.competitors.iter().take(10).cloned().collect(),
    };
    let period = board.period(args.from, args.to)?;
    let checks = board.checks(period)?;
    let rival = |domain: &String| Rival { domain: domain.clone(), points: Vec::new() };
    let mut series: Vec<Series> = normal
        .iter()
        .map(|it| Series {
            keyword: board.shown(it),
            points: Vec::new(),
            competitors: domains.iter().map(rival).collect(),
        })
        .collect();
    for check in &checks {
        let rows = rows::read(cx, check)?;
        let numbers: Vec<Option<u32>> = domains.iter().map(|it| rows.number(it)).collect();
        let date = check.day();
        for (keyword, series) in normal.iter().zip(&mut series) {
            let Some(row) = rows.of(keyword) else { continue };
            series.points.push(Point {
                date,
                position: row.found(),
                beyond: row.found().is_none().then_some(row.depth),
                url: row.url.clone(),
                imported: row.imported,
                snapshot_ref: row.page.map(|_| snapshot::reference(&board.tracker.id, keyword, date)),
            });
            // A file of positions says nothing of rivals.
            if !row.domains.is_empty() {
                for (rival, number) in series.competitors.iter_mut().zip(&numbers) {
                    let position = number.and_then(|it| rows.place_of(row, it));
                    rival.points.push(Place { date, position });
                }
            }
        }
    }
    let never: Vec<&str> = series.iter().filter(|it| it.points.is_empty()).map(|it| it.keyword.as_str()).collect();
    if !never.is_empty() {
        let why = format!(
            "no check of the period looked at {} of the keywords: {}",
            never.len(),
            never[..never.len().min(5)].join(", ")
        );
        let run = sdk::json!({ "tracker_ref": board.tracker.id });
        board.degraded.push(Degraded::new("history", why).supplied_by("rankings.check.run", run));
    }
    let mut url_switches: Vec<Switch> = series.iter().flat_map(switches).collect();
    url_switches.sort_by(|a, b| a.date.cmp(&b.date).then_with(|| a.keyword.cmp(&b.keyword)));
    let events = cx.records::<Annotation>().by("site_id_date").equals(&board.site.id);
    let events = events.at_least(period.0).below(period.1.plus(1)).scan().take(MAX_ANNOTATIONS);
    let annotations =
        events.map(|it| Event { date: it.date, title: it.title.clone(), kind: it.kind.clone() }).collect();
    let last = checks.last().map(|it| board.basis(it, usize::try_from(it.rows).unwrap_or(0)));
    let basis = last.ok_or_else(|| Fault::conflict("not_checked", "nothing was checked in this period").at("/from"))?;
    Ok(Histories { series, url_switches, annotations, basis, degraded: board.degraded })
}

/// The days on which another page became the best one.
fn switches(series: &Series) -> Vec<Switch> {
    let seen: Vec<(Day, &String)> = series.points.iter().filter_map(|it| Some((it.date, it.url.as_ref()?))).collect();
    let same = |a: &str, b: &str| a == b || (normal_address(a).is_some() && normal_address(a) == normal_address(b));
    let mut found = Vec::new();
    for at in 1..seen.len() {
        let ((_, before), (date, now)) = (seen[at - 1], seen[at]);
        if same(before, now) {
            continue;
        }
        let earlier = &seen[(at - 1).saturating_sub(BACK_WITHIN)..at - 1];
        found.push(Switch {
            keyword: series.keyword.clone(),
            date,
            from_url: before.clone(),
            to_url: now.clone(),
            back_and_forth: earlier.iter().any(|it| same(it.1, now)),
        });
    }
    found
}
