//! The operation `keywords.seasonality.analyze`.

use std::collections::{BTreeMap, BTreeSet};

use kit::number::as_number;
use kit::statistics::round;
use kit::statistics::seasons::{MONTHS, by_month};
use sdk::prelude::*;
use sdk::{Degraded, json};
use search::{Cut, Figures, Month, Period, SearchType, last_day, parts};
use site::Site;

use crate::normal::normal;
use crate::stored::{Keyword, Months, Set, keyword_id};

/// Keywords of an answer when none are named.
const DEFAULT_KEYWORDS: usize = 100;
/// A month is a peak when it is this much above the mean.
const PEAK: f64 = 1.2;

#[args]
pub(crate) struct Analyze {
    /// The set.
    set_ref: Id<Set>,
    /// These keywords; the 100 with the most searches when left out.
    keywords: Option<List<Text<1, 200>, 0, 500>>,
    /// Weeks before a peak in which a page is published.
    #[default(8)]
    lead_weeks: Count<2, 26>,
}

/// What months are counted by.
#[value]
pub(crate) enum Basis {
    /// Searches in the market.
    Volume,
    /// Impressions of the website in Search Console.
    Impressions,
}

/// A month.
#[value]
pub(crate) struct OfMonth {
    /// Such as `2026-09`.
    #[own]
    month: String,
    value: Option<u64>,
}

/// A month of the year with more searches than others.
#[value]
pub(crate) struct Peak {
    /// 1 for January.
    month: u32,
    /// How many times the mean month it is.
    index: f64,
    /// The latest day to publish before it comes next.
    publish_by: Day,
    /// Whether that day has passed for this year, so that it is of the year after.
    late: bool,
}

/// The season of a keyword.
#[value]
pub(crate) struct Row {
    keyword: String,
    basis: Basis,
    months: Vec<OfMonth>,
    /// How many times the mean month each month of the year is, from January; empty when months are too few.
    indices: Vec<f64>,
    /// How much of the ups and downs the season explains, 0 to 1; null for less than 24 months.
    strength: Option<f64>,
    peaks: Vec<Peak>,
    /// The last three full months over the same of the year before, less 1; null when they are not known.
    yoy: Option<f64>,
    /// Of the next peak; null without one.
    publish_by: Option<Day>,
    /// Whether months without searches were filled with half of the smallest month.
    sparse: bool,
}

/// Seasons.
#[value]
pub(crate) struct Rows {
    /// Those to be published first come first.
    rows: Vec<Row>,
    /// Keywords of which no months are known.
    unknown: Vec<String>,
    degraded: Vec<Degraded>,
}

/// Returns monthly volume or impression history decomposed into trend and season, with peak months, year-on-year change and the latest sensible publish date before each peak.
///
/// From 24 months on the season is that of a classical multiplicative decomposition; from 12 on it is each month over the mean.
/// A keyword without stored months is told by the impressions of the website, where they reach back 12 months.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["when is my keyword searched most", "seasonal keywords", "when should I publish before christmas", "keyword trend over the year"],
    examples = [{ "set_ref": "set_01" }, { "set_ref": "set_01", "keywords": ["desk lamp"], "lead_weeks": 6 }]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Rows> {
    let set = crate::set::get(cx, &args.set_ref)?;
    let language = set.language();
    let named = args.keywords.map(List::into_vec).unwrap_or_default();
    let wanted: Vec<String> = if named.is_empty() {
        let all = cx.records::<Keyword>().by("set_order").equals(&set.id).descending();
        all.page(DEFAULT_KEYWORDS as u64, None)?
            .items
            .into_iter()
            .filter(|it| !it.excluded)
            .map(|it| it.normal.clone())
            .collect()
    } else {
        named.iter().map(|it| normal(it.as_str(), &language)).collect()
    };
    let today = cx.now().day();
    let (mut rows, mut without) = (Vec::new(), BTreeSet::new());
    for keyword in wanted {
        match cx
            .records::<Months>()
            .find(&keyword_id(&set.id, &keyword))
            .filter(|it| it.values.iter().flatten().count() >= MONTHS)
        {
            Some(months) => {
                rows.push(row(&keyword, Basis::Volume, months.first, &months.values, today, args.lead_weeks.get()))
            }
            None => drop(without.insert(keyword)),
        }
    }
    let mut degraded = Vec::new();
    if !without.is_empty() {
        let history = impressions(cx, &set, &without, &language, &mut degraded);
        for (keyword, (first, values)) in history {
            without.remove(&keyword);
            rows.push(row(&keyword, Basis::Impressions, first, &values, today, args.lead_weeks.get()));
        }
    }
    if !without.is_empty() {
        let why = format!("no months of {} keywords are stored", without.len());
        degraded
            .push(Degraded::new("months", why).supplied_by("keywords.metric.refresh", json!({ "set_ref": set.id })));
    }
    rows.sort_by(|a, b| {
        a.publish_by
            .is_none()
            .cmp(&b.publish_by.is_none())
            .then_with(|| a.publish_by.cmp(&b.publish_by))
            .then_with(|| a.keyword.cmp(&b.keyword))
    });
    Ok(Rows { rows, unknown: without.into_iter().collect(), degraded })
}

/// The impressions of queries by month, for those that the website was shown for in 12 whole months.
fn impressions(
    cx: &Cx,
    set: &Set,
    wanted: &BTreeSet<String>,
    language: &str,
    degraded: &mut Vec<Degraded>,
) -> BTreeMap<String, (u32, Vec<Option<u64>>)> {
    let site: Id<Site> = Id::new(set.site_id.clone());
    let Some(last) = last_day(cx, &site, SearchType::Web) else { return BTreeMap::new() };
    let figures = Figures::of(cx, &site, SearchType::Web);
    // The month of the last day is not whole yet.
    let newest = Month::of(last).previous();
    let months: Vec<Month> = std::iter::successors(Some(newest), |it| Some(it.previous())).take(16).collect();
    let mut found: BTreeMap<String, BTreeMap<u32, u64>> = BTreeMap::new();
    let mut whole: BTreeSet<u32> = BTreeSet::new();
    for month in months {
        let period = Period { first: month.first(), last: month.last() };
        if i64::from(figures.stored_days(Cut::Queries, period)) < i64::from(period.length()) {
            continue;
        }
        let (year, number, _) = month.first().civil();
        let at = crate::market::month_number(u32::try_from(year).unwrap_or(0), number);
        whole.insert(at);
        let read = figures.sums(Cut::Queries, period, b"", |key, sum| {
            let query = normal(parts(key).0, language);
            if wanted.contains(&query) {
                *found.entry(query).or_default().entry(at).or_default() += sum.impressions;
            }
        });
        if read.is_err() {
            degraded.push(Degraded::new(
                "impressions",
                format!("the stored figures of {month} are too many for one answer"),
            ));
            break;
        }
    }
    let (Some(first), Some(last)) = (whole.first().copied(), whole.last().copied()) else { return BTreeMap::new() };
    if (last - first + 1) as usize != whole.len() || whole.len() < MONTHS {
        return BTreeMap::new();
    }
    let values =
        |months: BTreeMap<u32, u64>| (first..=last).map(|at| Some(months.get(&at).copied().unwrap_or(0))).collect();
    found.into_iter().map(|(keyword, months)| (keyword, (first, values(months)))).collect()
}

/// The season of months that begin with `first`.
fn row(keyword: &str, basis: Basis, first: u32, values: &[Option<u64>], today: Day, lead_weeks: i64) -> Row {
    let months = (first..)
        .zip(values)
        .map(|(at, value)| OfMonth { month: format!("{:04}-{:02}", at / 12, at % 12 + 1), value: *value })
        .collect();
    let sparse = values.iter().flatten().any(|it| *it == 0);
    let mut row = Row {
        keyword: keyword.to_owned(),
        basis,
        months,
        indices: Vec::new(),
        strength: None,
        peaks: Vec::new(),
        yoy: yoy(values),
        publish_by: None,
        sparse,
    };
    let Some(season) = by_month(first, values) else { return row };
    row.strength = season.strength.map(|it| round(it, 4));
    let indices = season.indices;
    for month in 0..MONTHS {
        let (before, after) = (indices[(month + MONTHS - 1) % MONTHS], indices[(month + 1) % MONTHS]);
        // A plateau is a peak in its first month.
        if indices[month] > PEAK && indices[month] > before && indices[month] >= after {
            let (publish_by, late) = publish_by(month, today, lead_weeks);
            row.peaks.push(Peak {
                month: u32::try_from(month + 1).unwrap_or(1),
                index: round(indices[month], 3),
                publish_by,
                late,
            });
        }
    }
    row.peaks.sort_by(|a, b| b.index.total_cmp(&a.index));
    row.publish_by = row.peaks.iter().map(|it| it.publish_by).min();
    row.indices = indices.iter().map(|it| round(*it, 4)).collect();
    row
}

/// The day to publish before the next time that a month comes, from 0 for January.
fn publish_by(month: usize, today: Day, lead_weeks: i64) -> (Day, bool) {
    let lead = i32::try_from(lead_weeks * 7).unwrap_or(56);
    let (year, _, _) = today.civil();
    let number = u32::try_from(month + 1).unwrap_or(1);
    let peaks = (year..=year + 2).filter_map(|year| Day::from_civil(year, number, 1)).filter(|first| *first > today);
    let mut late = false;
    for first in peaks {
        let day = first.plus(-lead);
        if day >= today {
            return (day, late);
        }
        late = true;
    }
    (today, true)
}

/// The last three months over the same a year before, less 1.
fn yoy(values: &[Option<u64>]) -> Option<f64> {
    let length = values.len();
    let sum =
        |range: std::ops::Range<usize>| values.get(range)?.iter().map(|it| it.map(as_number)).sum::<Option<f64>>();
    let (now, before) = (sum(length.checked_sub(3)?..length)?, sum(length.checked_sub(15)?..length.checked_sub(12)?)?);
    (before > 0.0).then(|| round(now / before - 1.0, 4))
}

#[cfg(test)]
mod tests {
    use sdk::prelude::*;

    use super::{Basis, publish_by, row, yoy};

    #[test]
    fn a_christmas_keyword_peaks_in_december_and_is_published_weeks_before() {
        let today = Day::from_civil(2026, 9, 28).expect("a day");
        let values: Vec<Option<u64>> =
            (0..36).map(|at| Some(if at % 12 == 11 { 3_000 } else { 500 + at * 5 })).collect();
        let found = row("advent wreath", Basis::Volume, 2023 * 12, &values, today, 8);
        assert_eq!(found.peaks.len(), 1);
        assert_eq!((found.peaks[0].month, found.peaks[0].late), (12, false));
        assert_eq!(found.publish_by, Day::from_civil(2026, 10, 6));
        assert!(found.strength.is_some_and(|it| it > 0.9) && found.indices[11] > 3.0);
        assert!((found.indices.iter().sum::<f64>() - 12.0).abs() < 1e-3);
        let shifted = row("advent wreath", Basis::Volume, 2023 * 12 + 5, &values[5..], today, 8);
        assert_eq!(shifted.peaks[0].month, 12, "months keep their names wherever the series begins");
    }

    #[test]
    fn few_months_have_no_strength_and_few_searches_no_season() {
        let today = Day::from_civil(2026, 9, 28).expect("a day");
        let year: Vec<Option<u64>> = (0..12).map(|at| Some(if at == 6 { 400 } else { 100 })).collect();
        let found = row("fan", Basis::Volume, 2025 * 12, &year, today, 8);
        assert_eq!((found.strength, found.peaks[0].month), (None, 7));
        let rare: Vec<Option<u64>> = (0..24).map(|at| Some(u64::from(at % 3 == 0) * 10)).collect();
        let found = row("rare", Basis::Volume, 2024 * 12, &rare, today, 8);
        assert!(found.indices.is_empty() && found.peaks.is_empty() && found.sparse);
        let one: Vec<Option<u64>> = (0..24).map(|at| Some(if at == 3 { 0 } else { 10 })).collect();
        assert_eq!(row("one", Basis::Volume, 2024 * 12, &one, today, 8).indices.len(), 12);
    }

    #[test]
    fn a_peak_that_is_too_near_is_of_the_next_year() {
        let today = Day::from_civil(2026, 9, 28).expect("a day");
        assert_eq!(publish_by(9, today, 8), (Day::from_civil(2027, 8, 6).expect("a day"), true));
        assert_eq!(publish_by(11, today, 2), (Day::from_civil(2026, 11, 17).expect("a day"), false));
        let values: Vec<Option<u64>> = (0..15).map(|at| Some(if at < 3 { 100 } else { 150 })).collect();
        assert_eq!(yoy(&values), Some(0.5));
        assert_eq!((yoy(&values[1..]), yoy(&[None; 15])), (None, None));
    }
}
