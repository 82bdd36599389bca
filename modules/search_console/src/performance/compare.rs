//! The operation `search_console.performance.compare`.

use kit::number::as_number;
use std::collections::BTreeMap;

use kit::ctr::Curve;
use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Basis, Degraded};
use search::{Cut, Measurement, Period, SearchType, measurement, parts};
use site::Site;

use super::shapley::attribution;
use crate::given::{Given, Sums};
use crate::question::{UNASSIGNED, country};
use crate::significance;

/// What a period is compared with.
#[value]
pub(crate) enum Against {
    /// The same number of days right before, moved back to whole weeks.
    Previous,
    /// The same days 364 days before, so that weekdays match.
    Year,
    /// `compare_from` to `compare_to`.
    Custom,
}

/// What is compared.
#[value]
pub(crate) enum By {
    Query,
    Page,
    Segment,
    Country,
    Device,
}

#[args(paged)]
pub(crate) struct Compare {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// The search type.
    #[serde(rename = "type")]
    #[default("web")]
    kind: SearchType,
    /// What the period is compared with.
    #[default("previous")]
    compare: Against,
    /// The first day of the other period; only with `custom`, and needed then.
    compare_from: Option<Day>,
    /// The last day of the other period; only with `custom`, and needed then.
    compare_to: Option<Day>,
    /// What is compared.
    #[default("page")]
    by: By,
}

/// Days from the first to the last.
#[value]
pub(crate) struct Span {
    from: Day,
    to: Day,
}

/// A change of clicks, split into its parts. They add up to `delta`.
#[value]
pub(crate) struct Change {
    /// What is compared: a query, address, country or device, the reference of a segment, or `(hidden)` for the queries that
    /// Google does not name.
    key: String,
    /// Clicks now less clicks before; a day when the periods have different lengths.
    delta: f64,
    /// The part of all searches: more or fewer impressions of the whole.
    demand: f64,
    /// The part of the key's share of impressions.
    mix: f64,
    /// The part of its position, by the click rate that is expected there.
    rank: f64,
    /// The part of its click rate beside what its position explains.
    ctr: f64,
    /// Before.
    before: Sums,
    /// Now.
    after: Sums,
    /// The p-value of "no change of clicks"; null when it was not tested.
    p: Option<f64>,
    /// The p-value corrected for all tested keys (false discovery rate); null when it was not tested.
    q: Option<f64>,
    /// How much days vary, relative to a Poisson law; null when it was not tested.
    dispersion: Option<f64>,
}

/// The whole change.
#[value]
pub(crate) struct Whole {
    before: Sums,
    after: Sums,
    /// Clicks now less clicks before; a day when the periods have different lengths.
    delta: f64,
    demand: f64,
    mix: f64,
    rank: f64,
    ctr: f64,
}

/// Two periods side by side.
#[page]
pub(crate) struct Compared {
    /// The largest changes first.
    rows: Vec<Change>,
    /// Keys that have impressions in either period.
    total: u64,
    /// All keys together.
    totals: Whole,
    /// The period.
    this_period: Span,
    /// The other period.
    compared_with: Span,
    /// Whether counts are a day, because the periods have different lengths.
    per_day: bool,
    /// Keys that were tested.
    tested_rows: u32,
    /// The click rates by position that `rank` and `ctr` are computed with.
    curve: String,
    /// Known faults of Google's figures in either period.
    measurement: Vec<Measurement>,
    /// When the figures were imported.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Compares two periods per query, page or segment and splits the click change into demand, ranking, CTR and mix parts that add up exactly.
///
/// Clicks are impressions of all keys × share of the key × click rate expected at its position × its click rate relative to
/// that; the parts are the Shapley values of the four factors. A key without impressions in one period changed by demand and
/// mix alone. Of the keys with at least 10 impressions those 1,500 are tested that changed most.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "compare this month with last month in google",
        "why did my clicks change compared with last year",
        "did rankings or demand cause the change in traffic",
        "year over year search performance by page",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "from": "2026-08-01", "to": "2026-08-31", "compare": "year", "by": "query" },
    ]
)]
pub(crate) fn compare(cx: &Cx, args: Compare) -> Result<Compared> {
    let mut given = Given::of(cx, &args.site_id, args.kind, args.from, args.to)?;
    let after = given.period;
    let before = other(&args, after)?;
    let cut = match args.by {
        By::Query => Cut::Queries,
        By::Page | By::Segment => Cut::Pages,
        By::Country | By::Device => Cut::Markets,
    };
    given.needs(cut, after)?;
    given.needs(cut, before)?;
    let grouping = Grouping::of(&given, args.by);
    let mut figures: BTreeMap<String, (Search, Search)> = BTreeMap::new();
    for (period, first) in [(before, true), (after, false)] {
        let read = given.figures.sums(cut, period, b"", |key, sum| {
            for group in grouping.of_key(key) {
                let pair = figures.entry(group).or_default();
                if first { pair.0.add(&sum) } else { pair.1.add(&sum) }
            }
        });
        read.map_err(Given::unread)?;
        crate::given::within_bounds(figures.len())?;
    }
    let mut order: Vec<(u64, String)> = figures
        .iter()
        .filter(|(_, (one, two))| one.impressions.max(two.impressions) >= significance::MIN_IMPRESSIONS)
        .map(|(key, (one, two))| (one.clicks.abs_diff(two.clicks), key.clone()))
        .collect();
    order.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let chosen: Vec<String> = order.into_iter().map(|it| it.1).take(significance::MAX_TESTED).collect();
    let tests = significance::test(&given, cut, (before, after), |it| it.clicks, |key| grouping.of_key(key), &chosen)?;
    if args.by == By::Query {
        let hidden = hidden(&mut given, &figures, before, after);
        if hidden.0.impressions + hidden.1.impressions > 0 {
            figures.insert("(hidden)".to_owned(), hidden);
        }
    }
    let (curve, curve_name) = given.curve(after);
    let stored = |period: Period| given.figures.stored_days(cut, period);
    let per_day = stored(before) != stored(after);
    let days = |period: Period| if per_day { f64::from(stored(period).max(1)) } else { 1.0 };
    let split = split(&figures, &curve, (days(before), days(after)));
    let (one, two) = figures.values().fold((Search::default(), Search::default()), |mut sums, (before, after)| {
        sums.0.add(before);
        sums.1.add(after);
        sums
    });
    let sum = |at: usize| split.values().map(|parts| parts[at]).sum::<f64>();
    let totals = Whole {
        before: Sums::of(one),
        after: Sums::of(two),
        delta: short((0..4).map(sum).sum()),
        demand: short(sum(0)),
        mix: short(sum(1)),
        rank: short(sum(2)),
        ctr: short(sum(3)),
    };
    let mut rows: Vec<Change> = figures
        .into_iter()
        .map(|(key, (one, two))| {
            let [demand, mix, rank, ctr] = split.get(&key).copied().unwrap_or_default();
            let test = tests.get(&key);
            Change {
                delta: short(demand + mix + rank + ctr),
                demand: short(demand),
                mix: short(mix),
                rank: short(rank),
                ctr: short(ctr),
                before: Sums::of(one),
                after: Sums::of(two),
                p: test.map(|it| round(it.p, 6)),
                q: test.map(|it| round(it.q, 6)),
                dispersion: test.map(|it| round(it.dispersion, 2)),
                key,
            }
        })
        .collect();
    rows.sort_by(|a, b| b.delta.abs().total_cmp(&a.delta.abs()).then_with(|| a.key.cmp(&b.key)));
    let total = rows.len() as u64;
    let page = args.window(rows)?;
    let wide = Period { first: before.first.min(after.first), last: after.last.max(before.last) };
    Ok(Compared {
        rows: page.items,
        next_cursor: page.next,
        total,
        totals,
        this_period: Span { from: after.first, to: after.last },
        compared_with: Span { from: before.first, to: before.last },
        per_day,
        tested_rows: u32::try_from(tests.len()).unwrap_or(0),
        curve: curve_name.to_owned(),
        measurement: measurement(wide),
        basis: given.basis,
        degraded: given.degraded,
    })
}

/// The other period.
fn other(args: &Compare, period: Period) -> Result<Period> {
    let given = args.compare_from.is_some() || args.compare_to.is_some();
    match args.compare {
        Against::Previous | Against::Year if given => {
            let message = "`compare_from` and `compare_to` need `compare: custom`";
            Err(Fault::invalid("/compare_from", "not_custom", message))
        }
        Against::Previous => Ok(period.previous()),
        Against::Year => Ok(period.shifted(-364)),
        Against::Custom => match (args.compare_from, args.compare_to) {
            (Some(first), Some(last)) if first <= last => Ok(Period { first, last }),
            (Some(_), Some(_)) => {
                Err(Fault::invalid("/compare_from", "period_reversed", "`compare_from` is not after `compare_to`"))
            }
            _ => {
                let message = "`compare: custom` needs `compare_from` and `compare_to`";
                Err(Fault::invalid("/compare", "period_needed", message))
            }
        },
    }
}

/// What keys of a cut are grouped into.
struct Grouping {
    by: By,
    segments: Vec<(String, site::Rules)>,
}

impl Grouping {
    fn of(given: &Given<'_>, by: By) -> Self {
        let mut segments = Vec::new();
        if by == By::Segment {
            let all = site::segments(given.cx, &given.site.id);
            segments.extend(all.filter_map(|segment| Some((segment.id.to_string(), segment.ready()?))));
        }
        Self { by, segments }
    }

    fn of_key(&self, key: &[u8]) -> Vec<String> {
        let (first, second) = parts(key);
        match self.by {
            By::Query | By::Page => vec![first.to_owned()],
            By::Country => vec![country(first)],
            By::Device => vec![second.to_ascii_lowercase()],
            By::Segment => {
                let held = self.segments.iter().filter(|(_, rules)| site::holds(rules, first));
                let mut held: Vec<String> = held.map(|(name, _)| name.clone()).collect();
                if held.is_empty() {
                    held.push(UNASSIGNED.to_owned());
                }
                held
            }
        }
    }
}

/// The clicks and impressions that no query accounts for.
fn hidden(
    given: &mut Given<'_>,
    known: &BTreeMap<String, (Search, Search)>,
    before: Period,
    after: Period,
) -> (Search, Search) {
    let all = |period: Period| {
        given.days_with(Cut::Queries, period).iter().fold(Search::default(), |mut sum, day| {
            sum.add(&Search { impressions: day.impressions, clicks: day.clicks, positions: day.positions });
            sum
        })
    };
    let less = |all: Search, known: Search| Search {
        impressions: all.impressions.saturating_sub(known.impressions),
        clicks: all.clicks.saturating_sub(known.clicks),
        positions: all.positions.saturating_sub(known.positions),
    };
    let (one, two) = known.values().fold((Search::default(), Search::default()), |mut sums, (before, after)| {
        sums.0.add(before);
        sums.1.add(after);
        sums
    });
    let (all_before, all_after) = (all(before), all(after));
    if one.clicks > all_before.clicks || two.clicks > all_after.clicks {
        let why = "the known queries have more clicks than the property, by Google's rounding; hidden ones count as 0";
        given.degraded.push(Degraded::new("hidden queries", why));
    }
    (less(all_before, one), less(all_after, two))
}

/// The parts of each key's change, scaled to a day where the periods differ.
fn split(
    figures: &BTreeMap<String, (Search, Search)>,
    curve: &Curve,
    (days_before, days_after): (f64, f64),
) -> BTreeMap<String, [f64; 4]> {
    let all = |side: fn(&(Search, Search)) -> Search| figures.values().map(|it| side(it).impressions).sum::<u64>();
    let (all_before, all_after) = (as_number(all(|it| it.0)), as_number(all(|it| it.1)));
    let factors = |figures: Search, all: f64, days: f64| {
        let share = if all > 0.0 { as_number(figures.impressions) / all } else { 0.0 };
        let seen = figures.click_rate()?;
        let expected =
            curve.at(figures.position().unwrap_or(1.0).clamp(1.0, kit::ctr::LAST)).max(curve.at(kit::ctr::LAST));
        Some([all / days, share, expected, seen / expected])
    };
    figures
        .iter()
        .map(|(key, (before, after))| {
            let (one, two) = (factors(*before, all_before, days_before), factors(*after, all_after, days_after));
            // A key that was not shown has no position and no click rate: those of the other period stand in.
            let parts = match (one, two) {
                (Some(one), Some(two)) => attribution(one, two),
                (None, Some(two)) => attribution([all_before / days_before, 0.0, two[2], two[3]], two),
                (Some(one), None) => attribution(one, [all_after / days_after, 0.0, one[2], one[3]]),
                (None, None) => [0.0; 4],
            };
            (key.clone(), parts)
        })
        .collect()
}

fn short(value: f64) -> f64 {
    round(value, 6)
}
