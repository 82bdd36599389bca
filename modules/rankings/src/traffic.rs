//! The operation `rankings.traffic.forecast`.

use std::collections::{BTreeMap, BTreeSet};

use kit::chance::Chance;
use kit::number::as_number;
use kit::pack::{Figures as _, Search};
use kit::statistics::change_points::spread;
use kit::statistics::seasons::by_month;
use kit::statistics::{median, quantile, round};
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use search::{Cut, Figures, Month, Period, SearchType, last_day, parts};
use serps::snapshot_id;

use crate::board::Board;
use crate::demand::{Model, Rates};
use crate::rows;
use crate::stored::{Check, Months, Tracker};

/// Draws that the interval is of.
const DRAWS: usize = 1_000;
/// How far searches are from Google's rounded numbers, as a factor of one standard deviation.
const VOLUME_FACTOR: f64 = 1.2;
/// The spread of positions where no history tells it, and the least.
const SPREAD: f64 = 1.0;
const MIN_SPREAD: f64 = 0.5;
/// Checks that spreads are taken from, and the fewest.
const CHECKS: usize = 12;
const MIN_CHECKS: usize = 6;
/// Days of clicks that a baseline is taken from, and days of a month.
const DAYS: i32 = 28;
const DAYS_OF_MONTH: f64 = 365.25 / 12.0;

/// A keyword and the position to reckon with.
#[args]
pub(crate) struct Wish {
    /// A keyword of the tracker.
    keyword: Text<1, 200>,
    /// The position it is to have.
    position: Count<1, 100>,
}

#[args]
pub(crate) struct Forecast {
    /// The tracker.
    tracker_ref: Id<Tracker>,
    /// Keywords with the positions they are to have. Keywords that are not named are not counted.
    scenario: List<Wish, 1, 500>,
    /// Months to look ahead, beginning with the next one.
    #[default(6)]
    months: Count<1, 12>,
}

/// Where a baseline is from.
#[value]
pub(crate) enum BaselineBasis {
    /// Clicks of the last 28 days in Search Console; the demand is these by the click rate of their mean position.
    Clicks,
    /// Searches in a month times the click rate of the present position.
    Volume,
}

/// The forecast of a keyword.
#[value]
pub(crate) struct Row {
    keyword: String,
    volume: Option<u64>,
    /// Null when the website was not found, or nobody looked.
    position: Option<u32>,
    wanted_position: u32,
    baseline_basis: BaselineBasis,
    /// Clicks of all months together as things are.
    baseline: f64,
    /// With the wanted position.
    scenario: f64,
    /// Whether its months are weighed by its own season.
    seasonal: bool,
}

/// A month.
#[value]
pub(crate) struct OfMonth {
    /// Its first day.
    starts_on: Day,
    baseline: f64,
    scenario: f64,
    /// The 80 % interval of the scenario.
    low: f64,
    high: f64,
}

/// Clicks under a scenario.
#[value]
pub(crate) struct Outlook {
    /// Clicks of all months as things are.
    baseline: f64,
    /// Clicks of all months with the wanted positions.
    scenario_total: f64,
    /// The 80 % interval of the scenario: 10 % of 1,000 draws are below, 10 % above.
    low: f64,
    high: f64,
    by_month: Vec<OfMonth>,
    /// Those that gain the most first.
    by_keyword: Vec<Row>,
    /// Keywords of the scenario without searches or clicks, which are not counted.
    uncounted_keywords: Vec<String>,
    /// The click rates by position.
    #[own]
    curve: String,
    /// Where positions are from.
    basis: Option<Basis>,
    degraded: Vec<Degraded>,
}

/// Forecasts clicks under a position scenario for keywords or pages with the fitted CTR model, seasonality and an 80% interval.
///
/// The interval holds what is known to be uncertain: searches are rounded numbers (a factor of 1.2), positions vary as they did in
/// the tracker's checks, and click rates are estimates. It does not hold whether the positions are reached.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["how much traffic would position 1 bring", "forecast clicks if rankings improve", "what is it worth to rank in the top three", "traffic scenario for keywords"],
    examples = [{ "tracker_ref": "tracker_01", "scenario": [{ "keyword": "desk lamp", "position": 1 }, { "keyword": "oil lamp", "position": 3 }], "months": 12 }]
)]
pub(crate) fn forecast(cx: &Cx, args: Forecast) -> Result<Outlook> {
    let mut board = Board::of(cx, &args.tracker_ref)?;
    let wishes = wishes(&board, &args.scenario)?;
    let check = board.newest(None).ok();
    let positions = check.as_ref().map(|it| rows::read(cx, it)).transpose()?.unwrap_or_default();
    let language = board.language();
    let clicks = clicks(&mut board, &wishes, &language);
    let model = Model::of(&board);
    let spreads = spreads(&board, &wishes)?;
    let first = Month::of(cx.now().day()).next();
    let ahead: Vec<Month> = std::iter::successors(Some(first), |it| Some(it.next()))
        .take(usize::try_from(args.months.get()).unwrap_or(6))
        .collect();
    let (mut plans, mut uncounted_keywords) = (Vec::new(), Vec::new());
    let mut without_season = 0_u64;
    for (keyword, wanted) in &wishes {
        let position = positions.of(keyword).and_then(rows::Row::found);
        let Some(plan) = plan(&board, &model, keyword, (position, *wanted), &clicks, &spreads, &ahead) else {
            uncounted_keywords.push(board.shown(keyword));
            continue;
        };
        without_season += u64::from(!plan.seasonal);
        plans.push(plan);
    }
    if check.is_none() {
        let why = "nothing was checked yet, so present positions are not known and baselines rest on clicks alone";
        let run = json!({ "tracker_ref": board.tracker.id });
        board.degraded.push(Degraded::new("positions", why).supplied_by("rankings.check.run", run));
    }
    if without_season > 0 {
        let why = format!("no season of {without_season} keywords is known, so all their months are alike");
        let refresh = json!({ "set_ref": board.tracker.set_ref });
        board.degraded.push(Degraded::new("seasons", why).supplied_by("keywords.metric.refresh", refresh));
    }
    let mut chance = Chance::of(&format!("{} {}", board.tracker.id, json!(args.scenario)));
    let drawn = draws(&plans, ahead.len(), &mut chance);
    let sum = |month: usize, of: fn(&Plan<'_>) -> f64| plans.iter().map(|it| of(it) * it.months[month]).sum::<f64>();
    let by_month = ahead
        .iter()
        .enumerate()
        .map(|(at, month)| {
            let of_month: Vec<f64> = drawn.iter().map(|it| it[at]).collect();
            OfMonth {
                starts_on: month.first(),
                baseline: round(sum(at, |it| it.baseline), 1),
                scenario: round(sum(at, |it| it.scenario), 1),
                low: round(quantile(&of_month, 0.1), 1),
                high: round(quantile(&of_month, 0.9), 1),
            }
        })
        .collect();
    let totals: Vec<f64> = drawn.iter().map(|it| it.iter().sum()).collect();
    let all = |of: fn(&Plan<'_>) -> f64| plans.iter().map(|it| of(it) * it.months.iter().sum::<f64>()).sum::<f64>();
    let (baseline, scenario_total) = (round(all(|it| it.baseline), 1), round(all(|it| it.scenario), 1));
    let mut by_keyword: Vec<Row> = plans.into_iter().map(|it| it.shown(&board)).collect();
    by_keyword.sort_by(|a, b| {
        let gain = |it: &Row| it.scenario - it.baseline;
        gain(b).total_cmp(&gain(a)).then_with(|| a.keyword.cmp(&b.keyword))
    });
    Ok(Outlook {
        baseline,
        scenario_total,
        low: round(quantile(&totals, 0.1), 1),
        high: round(quantile(&totals, 0.9), 1),
        by_month,
        by_keyword,
        uncounted_keywords,
        curve: model.name.to_owned(),
        basis: check.as_ref().map(|it| board.basis(it, positions.rows.len())),
        degraded: board.degraded,
    })
}

/// The scenario by normal forms.
///
/// # Errors
/// 422 `keyword_not_tracked` and `keyword_repeated` with the pointer.
fn wishes(board: &Board<'_>, scenario: &[Wish]) -> Result<Vec<(String, u32)>> {
    let language = board.language();
    let mut seen = BTreeSet::new();
    let wish = |(at, it): (usize, &Wish)| {
        let normal = serps::normal(it.keyword.as_str(), &language);
        let pointer = format!("/scenario/{at}/keyword");
        if !board.keywords.contains_key(&normal) {
            let message = "this keyword is not one of the tracker; add it to the set with keywords.item.import";
            return Err(Fault::invalid(pointer, "keyword_not_tracked", message));
        }
        if !seen.insert(normal.clone()) {
            return Err(Fault::invalid(pointer, "keyword_repeated", "each keyword has one position in a scenario"));
        }
        Ok((normal, u32::try_from(it.position.get()).unwrap_or(1)))
    };
    scenario.iter().enumerate().map(wish).collect()
}

/// What Search Console counted for a keyword: clicks in a month, and the mean position that they were had at.
#[derive(Clone, Copy)]
struct Clicked {
    monthly: f64,
    position: f64,
}

/// The clicks of the keywords; none where Search Console has no figures.
fn clicks(board: &mut Board<'_>, wishes: &[(String, u32)], language: &str) -> BTreeMap<String, Clicked> {
    let Some(last) = last_day(board.cx, &board.site.id, SearchType::Web) else { return BTreeMap::new() };
    let wanted: BTreeSet<&String> = wishes.iter().map(|it| &it.0).collect();
    let mut sums: BTreeMap<String, Search> = BTreeMap::new();
    let figures = Figures::of(board.cx, &board.site.id, SearchType::Web);
    let read = figures.sums(Cut::Queries, Period::ending(last, DAYS), b"", |key, sum| {
        let query = serps::normal(parts(key).0, language);
        if wanted.contains(&query) {
            sums.entry(query).or_default().add(&sum);
        }
    });
    if read.is_err() {
        let why = "the stored search figures cannot be read in one answer, so baselines rest on searches";
        board.degraded.push(Degraded::new("clicks", why));
        return BTreeMap::new();
    }
    let clicked = |it: Search| {
        let monthly = as_number(it.clicks) * DAYS_OF_MONTH / f64::from(DAYS);
        Some(Clicked { monthly, position: it.position()?.max(1.0) })
    };
    sums.into_iter().filter_map(|(keyword, it)| Some((keyword, clicked(it)?))).collect()
}

/// How much the positions of keywords vary: of each by its own history, of the others by the middle of all.
fn spreads(board: &Board<'_>, wishes: &[(String, u32)]) -> Result<BTreeMap<String, f64>> {
    let all = board.cx.records::<Check>().by("tracker_date").equals(&board.tracker.id).descending().scan();
    let mut histories: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
    for check in all.take(CHECKS) {
        let rows = rows::read(board.cx, &check)?;
        for (keyword, _) in wishes {
            if let Some(position) = rows.of(keyword).and_then(rows::Row::found) {
                histories.entry(keyword).or_default().push(f64::from(position));
            }
        }
    }
    let of = |values: &Vec<f64>| (values.len() >= MIN_CHECKS).then(|| spread(values, 1).max(MIN_SPREAD));
    let known: BTreeMap<&String, f64> =
        histories.iter().filter_map(|(keyword, it)| Some((*keyword, of(it)?))).collect();
    let values: Vec<f64> = known.values().copied().collect();
    let middle = if values.is_empty() { SPREAD } else { median(&values) };
    Ok(wishes.iter().map(|(it, _)| (it.clone(), known.get(it).copied().unwrap_or(middle))).collect())
}

/// A keyword of the scenario.
struct Plan<'m> {
    keyword: String,
    position: Option<u32>,
    wanted: u32,
    basis: BaselineBasis,
    /// Searches in a month that the scenario reckons with.
    demand: f64,
    spread: f64,
    rates: &'m Rates,
    seasonal: bool,
    /// How many times the mean each of the months is.
    months: Vec<f64>,
    /// Clicks in a mean month as things are, and with the wanted position.
    baseline: f64,
    scenario: f64,
}

impl Plan<'_> {
    fn shown(self, board: &Board<'_>) -> Row {
        let all: f64 = self.months.iter().sum();
        Row {
            keyword: board.shown(&self.keyword),
            volume: board.volume(&self.keyword),
            position: self.position,
            wanted_position: self.wanted,
            baseline_basis: self.basis,
            baseline: round(self.baseline * all, 1),
            scenario: round(self.scenario * all, 1),
            seasonal: self.seasonal,
        }
    }
}

/// The plan of a keyword; `None` where neither its searches nor its clicks are known.
fn plan<'m>(
    board: &Board<'_>,
    model: &'m Model,
    keyword: &str,
    (position, wanted): (Option<u32>, u32),
    clicks: &BTreeMap<String, Clicked>,
    spreads: &BTreeMap<String, f64>,
    ahead: &[Month],
) -> Option<Plan<'m>> {
    let rates = model.rates(keyword);
    let rate = |it: u32| rates.at(f64::from(it));
    let now = position.map_or(0.0, rate);
    // Clicks at their own position tell the demand better than rounded searches, and both sides then rest on the same.
    let (basis, demand, baseline) = match clicks.get(keyword).map(|it| (it.monthly, rates.at(it.position))) {
        Some((monthly, rate)) if monthly > 0.0 && rate > 0.0 => (BaselineBasis::Clicks, monthly / rate, monthly),
        _ => {
            let demand = board.volume(keyword).map(as_number)?;
            (BaselineBasis::Volume, demand, demand * now)
        }
    };
    let months: Option<Stored<Months>> =
        board.cx.records::<Months>().find(&Id::new(snapshot_id(&board.tracker.set_ref, keyword)));
    let season = months.and_then(|it| by_month(it.first, &it.values));
    let index = |month: &Month| {
        let number = usize::try_from(month.first().civil().1).unwrap_or(1);
        season.as_ref().map_or(1.0, |it| it.indices[number - 1])
    };
    let months: Vec<f64> = ahead.iter().map(index).collect();
    Some(Plan {
        keyword: keyword.to_owned(),
        position,
        wanted,
        basis,
        demand,
        spread: spreads.get(keyword).copied().unwrap_or(SPREAD),
        rates,
        seasonal: season.is_some(),
        baseline,
        scenario: demand * rate(wanted),
        months,
    })
}

/// Draws of the scenario: for each the clicks of each month.
fn draws(plans: &[Plan<'_>], months: usize, chance: &mut Chance) -> Vec<Vec<f64>> {
    let mut drawn = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let mut sums = vec![0.0; months];
        for plan in plans {
            let volume = plan.demand * (VOLUME_FACTOR.ln() * normal(chance)).exp();
            let position = (f64::from(plan.wanted) + plan.spread * normal(chance)).clamp(1.0, kit::ctr::LAST);
            let rate = plan.rates.at(position) + plan.rates.noise(position) * normal(chance);
            let rate = rate.clamp(0.0, 1.0);
            sums.iter_mut().zip(&plan.months).for_each(|(sum, index)| *sum += volume * rate * index);
        }
        drawn.push(sums);
    }
    drawn
}

/// A value of the standard normal law (Box and Muller 1958).
fn normal(chance: &mut Chance) -> f64 {
    let (radius, angle) = (chance.unit(), chance.unit());
    (-2.0 * (1.0 - radius).ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
}
