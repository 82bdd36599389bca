//! The operation `monitoring.update_impact.analyze`.

mod feed;
mod model;

use std::collections::BTreeMap;

use kit::number::as_number;
use kit::statistics::{false_discovery, round};
use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use search::{Cut, Figures, Measurement, Period, SearchType, parts};
use site::Site;

use model::{Effect, effect_of_clicks, effect_of_positions};

/// Days before and after an update that it is held against.
const BEFORE: i32 = 56;
const AFTER: i32 = 28;
/// Days after a rollout without which nothing is said of its effect.
const FEWEST_AFTER: i32 = 7;
/// Updates of one call, and segments.
const MOST_UPDATES: usize = 12;
const MOST_SEGMENTS: usize = 8;
/// Days of a report whose beginning is left out.
const USUAL: i32 = 365;

#[args]
pub(crate) struct Analyze {
    /// The website.
    site_id: Id<Site>,
    /// Updates that began on this day or later; a year before the last when left out.
    from: Option<Day>,
    /// Updates that began on this day or earlier; today when left out.
    to: Option<Day>,
}

/// An effect with its interval.
#[value]
pub(crate) struct Level {
    /// How much the level after differs from the level before, weekdays and trend aside.
    change: f64,
    ci95: [f64; 2],
    p: f64,
    /// Corrected for how many were tested (Benjamini and Hochberg).
    q: f64,
    /// Days that are compared, and those after the rollout among them.
    n: u32,
    n_after: u32,
}

/// The effect on a part of the website.
#[value]
pub(crate) struct Segment {
    name: String,
    /// In percent of clicks.
    click_change: Option<Level>,
}

/// What an update did.
#[value]
pub(crate) enum Verdict {
    /// Clicks rose beyond chance, after correction.
    Gained,
    Lost,
    /// No effect beyond chance.
    NoEffect,
    /// Too few days before or after.
    Unknown,
}

/// An update with its effect.
#[value]
pub(crate) struct Update {
    name: String,
    first_day: Day,
    /// Null while it is still being rolled out: the effect is then that of its days so far.
    last_day: Option<Day>,
    verdict: Verdict,
    /// In percent of clicks.
    click_change: Option<Level>,
    /// In places; less is better. Null where positions are not comparable over the period.
    position_change: Option<Level>,
    segments: Vec<Segment>,
    /// Other updates in the days that are compared: their effects cannot be told apart.
    overlapping: Vec<String>,
    /// What Google writes of it.
    #[own]
    source_url: Option<String>,
    fix: Option<Fix>,
}

/// What updates did.
#[value]
pub(crate) struct Impact {
    /// The newest first.
    updates: Vec<Update>,
    /// `feed` where Google's status feed answered, else `table`.
    #[own]
    updates_from: String,
    tests: u32,
    measurement: Vec<Measurement>,
    #[own]
    notes: Vec<String>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Reads Google's public search status feed and tests each update window for a level shift in clicks and positions by segment against the preceding weeks.
///
/// Daily clicks from 56 days before to 28 days after are modelled with weekdays, one trend and the level after the rollout, which is
/// the effect (quasi-Poisson); days of the rollout have a level of their own. While it goes on, that is the effect. Positions are by
/// least squares with standard errors that allow for a week's memory. Days are those of Los Angeles, as in Search Console. Something
/// else may have happened on the same days.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["web", "store"],
    phrasings = ["did a google update hit my site", "core update impact", "which google update changed my traffic"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "from": "2026-01-01", "to": "2026-09-30" }]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Impact> {
    let site = site::get(cx, &args.site_id)?;
    let (first, last) =
        (search::first_day(cx, &site.id, SearchType::Web), search::last_day(cx, &site.id, SearchType::Web));
    let Some((first, last)) = first.zip(last) else {
        let message = "no search figures of this website are stored; import them with search_console.sync.run";
        let sync = Fix::new("search_console.sync.run", json!({ "site_id": site.id }));
        return Err(Fault::conflict("figures_not_imported", message).at("/site_id").detail(json!(sync)));
    };
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(-USUAL));
    if from > to {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    let mut degraded = Vec::new();
    let (known, updates_from) = match feed::read(cx) {
        Some(known) => (known, "feed"),
        None => {
            let why = "Google's status feed did not answer; updates are those of a table that ends in December 2025";
            degraded.push(Degraded::new("updates", why));
            (feed::table(), "table")
        }
    };
    let mut chosen: Vec<feed::Known> = known.iter().filter(|it| (from..=to).contains(&it.first)).cloned().collect();
    chosen.sort_by(|a, b| b.first.cmp(&a.first).then_with(|| a.name.cmp(&b.name)));
    if chosen.len() > MOST_UPDATES {
        let why = format!("{} updates began in these days; the newest {MOST_UPDATES} were looked at", chosen.len());
        degraded.push(Degraded::new("updates", why));
        chosen.truncate(MOST_UPDATES);
    }
    let whole = chosen.iter().map(|it| it.first).min().map(|it| Period { first: it.plus(-BEFORE), last });
    let series = whole.map(|period| Series::read(cx, &site, period, &mut degraded)).unwrap_or_default();
    let mut tested: Vec<Tested> = chosen.iter().map(|it| Tested::of(it, &series, (first, last))).collect();
    let tests = correct(&mut tested);
    let updates: Vec<Update> = tested.into_iter().map(|it| it.told(&known, &site.id)).collect();
    let next = match updates.iter().find(|it| it.verdict == Verdict::Lost) {
        Some(_) => {
            let explain = json!({ "site_id": site.id });
            vec![Next::new("search_console.drop.explain", explain, "shows which queries and pages lost")]
        }
        None => Vec::new(),
    };
    Ok(Impact {
        updates,
        updates_from: updates_from.to_owned(),
        tests,
        measurement: whole.map(search::measurement).unwrap_or_default(),
        notes: vec![
            "nearness in time is no proof of a cause: what else changed on these days has the same effect".to_owned(),
        ],
        degraded,
        next,
    })
}

/// Daily figures of the website and its segments.
#[derive(Default)]
struct Series {
    clicks: BTreeMap<Day, f64>,
    positions: BTreeMap<Day, f64>,
    segments: Vec<(String, BTreeMap<Day, f64>)>,
}

impl Series {
    fn read(cx: &Cx, site: &Stored<Site>, period: Period, degraded: &mut Vec<Degraded>) -> Self {
        let mut series = Self::default();
        for it in search::days(cx, &site.id, SearchType::Web, period) {
            let Some(day) = it.day() else { continue };
            series.clicks.insert(day, as_number(it.clicks));
            let is_wrong = search::is_wrong(kit::anomalies::Metric::Position, day);
            if it.impressions > 0 && !is_wrong {
                series.positions.insert(day, as_number(it.positions) / as_number(it.impressions));
            }
        }
        let rules: Vec<(String, site::Rules)> = site::segments(cx, &site.id)
            .take(MOST_SEGMENTS)
            .filter_map(|it| Some((it.name.clone(), it.ready()?)))
            .collect();
        if rules.is_empty() {
            return series;
        }
        let mut sums: Vec<BTreeMap<Day, f64>> = vec![BTreeMap::new(); rules.len()];
        let mut held: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let read = Figures::of(cx, &site.id, SearchType::Web).by_day(Cut::Pages, period, b"", |key, day, figures| {
            let page = parts(key).0;
            if !held.contains_key(page) {
                let of = rules.iter().enumerate().filter(|it| site::holds(&it.1.1, page)).map(|it| it.0).collect();
                held.insert(page.to_owned(), of);
            }
            for at in held.get(page).into_iter().flatten() {
                *sums[*at].entry(day).or_default() += as_number(figures.clicks);
            }
        });
        if read.is_err() {
            let why =
                "there are too many figures by page for one call, so segments were left out; ask for a later `from`";
            degraded.push(Degraded::new("segments", why));
            return series;
        }
        // A day without clicks of a segment is a zero, where the website has figures.
        for sum in &mut sums {
            series.clicks.keys().for_each(|day| _ = sum.entry(*day).or_default());
        }
        series.segments = rules.into_iter().map(|it| it.0).zip(sums).collect();
        series
    }
}

/// An update with what was computed.
struct Tested {
    known: feed::Known,
    clicks: Option<(Effect, f64)>,
    position: Option<(Effect, f64)>,
    segments: Vec<(String, Option<(Effect, f64)>)>,
}

impl Tested {
    fn of(known: &feed::Known, series: &Series, (_, newest): (Day, Day)) -> Self {
        let start = known.first.plus(-BEFORE);
        let end = known.last.map_or(newest, |last| last.plus(AFTER)).min(newest);
        let window = |of: &BTreeMap<Day, f64>| -> Option<model::Window> {
            // While it goes on, its own days are the effect so far.
            let begins = known.last.unwrap_or_else(|| known.first.plus(-1));
            if end.since_epoch() - begins.since_epoch() < FEWEST_AFTER {
                return None;
            }
            let days = of.range(start..=end).map(|(day, value)| (day.since_epoch(), *value)).collect();
            Some(model::Window { days, first: known.first.since_epoch(), last: known.last.map(Day::since_epoch) })
        };
        let clicks = |of: &BTreeMap<Day, f64>| window(of).and_then(|it| effect_of_clicks(&it)).map(|it| (it, 1.0));
        Self {
            known: known.clone(),
            clicks: clicks(&series.clicks),
            position: window(&series.positions).and_then(|it| effect_of_positions(&it)).map(|it| (it, 1.0)),
            segments: series.segments.iter().map(|(name, of)| (name.clone(), clicks(of))).collect(),
        }
    }

    fn told(self, all: &[feed::Known], site: &Id<Site>) -> Update {
        let known = self.known;
        let (start, end) = (known.first.plus(-BEFORE), known.last.unwrap_or(known.first).plus(AFTER));
        let overlapping = all
            .iter()
            .filter(|it| it.name != known.name && it.first <= end && it.last.unwrap_or(it.first) >= start)
            .map(|it| it.name.clone());
        let percent = |(effect, q): (Effect, f64)| Level {
            change: round((effect.value.exp() - 1.0) * 100.0, 2),
            ci95: effect.interval().map(|it| round((it.exp() - 1.0) * 100.0, 2)),
            p: round(effect.p, 6),
            q: round(q, 6),
            n: effect.before + effect.after,
            n_after: effect.after,
        };
        let places = |(effect, q): (Effect, f64)| Level {
            change: round(effect.value, 3),
            ci95: effect.interval().map(|it| round(it, 3)),
            p: round(effect.p, 6),
            q: round(q, 6),
            n: effect.before + effect.after,
            n_after: effect.after,
        };
        let verdict = match &self.clicks {
            None => Verdict::Unknown,
            Some((_, q)) if *q > 0.05 => Verdict::NoEffect,
            Some((effect, _)) if effect.value > 0.0 => Verdict::Gained,
            Some(_) => Verdict::Lost,
        };
        let fix =
            (verdict == Verdict::Lost).then(|| Fix::new("search_console.drop.explain", json!({ "site_id": site })));
        Update {
            overlapping: overlapping.collect(),
            name: known.name,
            first_day: known.first,
            last_day: known.last,
            verdict,
            click_change: self.clicks.map(percent),
            position_change: self.position.map(places),
            segments: self
                .segments
                .into_iter()
                .map(|(name, effect)| Segment { name, click_change: effect.map(percent) })
                .collect(),
            source_url: known.url,
            fix: fix.and_then(Fix::if_served),
        }
    }
}

/// Corrects all p-values together; how many there are.
fn correct(tested: &mut [Tested]) -> u32 {
    let mut all: Vec<&mut (Effect, f64)> = tested
        .iter_mut()
        .flat_map(|it| {
            it.clicks
                .iter_mut()
                .chain(it.position.iter_mut())
                .chain(it.segments.iter_mut().filter_map(|it| it.1.as_mut()))
        })
        .collect();
    let values: Vec<f64> = all.iter().map(|it| it.0.p).collect();
    for (it, q) in all.iter_mut().zip(false_discovery(&values)) {
        it.1 = q;
    }
    u32::try_from(values.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
