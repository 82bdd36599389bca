//! The operation `logs.import.list`.

use std::collections::BTreeMap;

use sdk::JobState;
use sdk::prelude::*;
use search::Month;
use site::Site;

use super::hours;
use crate::given::MOST_SOURCES;
use crate::stored::{DayLines, Import, Rejections, Source, State};

/// Months of each source that gaps are looked for in.
const MONTHS: usize = 13;
/// Gaps that are told.
const GAPS: usize = 200;
/// Lines of an hour, as a share of the median of its hour of the week, below which it is thin.
const THIN: f64 = 0.05;
/// Lines below which a median says nothing.
const FEW: f64 = 20.0;

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
}

/// An import.
#[value]
pub(crate) struct Shown {
    import_ref: Id<Import>,
    source_ref: Id<Source>,
    /// The name of the source.
    source: String,
    stream: String,
    /// Where its job stands; account.job.get says more.
    state: JobState,
    job_ref: Option<Id<Job>>,
    started_at: Moment,
    imported_at: Option<Moment>,
    lines: u64,
    parsed: u64,
    /// Requests that were counted.
    counted: u64,
    other_hosts: u64,
    skipped_hours: u64,
    rejections: Rejections,
    /// Days with requests of it: the first, the last, and how many.
    first_day: Option<Day>,
    last_day: Option<Day>,
    days: u64,
    /// Whether the file was read to its end.
    whole: bool,
}

/// What a gap is.
#[value]
pub(crate) enum GapKind {
    /// A day without a line.
    NoLines,
    /// An hour with less than a twentieth of the lines that its hour of the week has as a rule.
    Thin,
}

/// A day or an hour of which lines are missing.
#[value]
pub(crate) struct Gap {
    source_ref: Id<Source>,
    kind: GapKind,
    date: Day,
    /// The hour, 0 to 23 UTC; null for a whole day.
    hour: Option<u32>,
    lines: u64,
    /// What that hour of the week has as a rule; null for a whole day.
    usual_lines: Option<f64>,
}

/// Imports of a website.
#[page]
pub(crate) struct Imports {
    /// The newest first.
    imports: Vec<Shown>,
    total: u64,
    /// Lines of each day that were counted, the last 400.
    covered: Vec<DayLines>,
    /// The first 200 gaps between the first and the last day of each source, the newest first.
    gaps: Vec<Gap>,
    gaps_total: u64,
}

/// Lists log imports with covered days, gaps, parse errors and hit counts.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which logs did i import", "which days of server logs are missing", "show my log imports"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Imports> {
    let site = site::get(cx, &args.site_id)?;
    let sources: Vec<Stored<Source>> =
        cx.records::<Source>().by("site_id_created_ms").equals(&site.id).scan().take(MOST_SOURCES).collect();
    let names: BTreeMap<&str, &str> = sources.iter().map(|it| (it.id.as_str(), it.name.as_str())).collect();
    let all = || cx.records::<Import>().by("site_id_created_ms").equals(&site.id);
    let page = all().descending().page(args.limit, args.cursor)?;
    let total = all().count();
    let page = page.map(|it| shown(cx, it, &names));
    let (mut covered, mut gaps): (BTreeMap<Day, u64>, Vec<Gap>) = (BTreeMap::new(), Vec::new());
    for source in &sources {
        let lines = lines(cx, source);
        for (hour, count) in &lines {
            *covered.entry(day(*hour)).or_default() += count;
        }
        gaps.extend(missing(&source.id, &lines));
    }
    gaps.sort_by_key(|it| std::cmp::Reverse((it.date, it.hour)));
    let gaps_total = gaps.len() as u64;
    gaps.truncate(GAPS);
    let mut covered: Vec<DayLines> = covered.into_iter().map(|(date, lines)| DayLines { date, lines }).collect();
    covered.drain(..covered.len().saturating_sub(400));
    Ok(Imports { imports: page.items, next_cursor: page.next, total, covered, gaps, gaps_total })
}

fn day(hour: u32) -> Day {
    Day::from_epoch(i32::try_from(hour / 24).unwrap_or(0))
}

/// The lines of each hour of a source in the last 13 months.
fn lines(cx: &Cx, source: &Stored<Source>) -> BTreeMap<u32, u64> {
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    let mut month = Month::of(cx.now().day());
    for _ in 0..MONTHS {
        lines.extend(hours::of_source(cx, &source.id, month).into_iter().map(|(hour, it)| (hour, it.lines)));
        month = month.previous();
    }
    lines
}

/// Days and hours of which lines are missing between the first and the last hour.
fn missing(source: &Id<Source>, lines: &BTreeMap<u32, u64>) -> Vec<Gap> {
    let (Some((first, _)), Some((last, _))) = (lines.first_key_value(), lines.last_key_value()) else {
        return Vec::new();
    };
    let mut gaps = Vec::new();
    let mut of_week: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
    for (hour, count) in lines {
        of_week.entry(hour % 168).or_default().push(number(*count));
    }
    let usual: BTreeMap<u32, f64> =
        of_week.into_iter().map(|(at, it)| (at, kit::statistics::quantile(&it, 0.5))).collect();
    for of_day in first / 24..=last / 24 {
        if lines.range(of_day * 24..(of_day + 1) * 24).next().is_none() {
            let (source_ref, date) = (source.clone(), day(of_day * 24));
            gaps.push(Gap { source_ref, kind: GapKind::NoLines, date, hour: None, lines: 0, usual_lines: None });
            continue;
        }
        // The hours at both ends are parts of hours as a rule.
        for hour in (of_day * 24..(of_day + 1) * 24).filter(|it| it > first && it < last) {
            let count = lines.get(&hour).copied().unwrap_or(0);
            if let Some(usual) = usual.get(&(hour % 168)).filter(|it| **it >= FEW && number(count) < **it * THIN) {
                gaps.push(Gap {
                    source_ref: source.clone(),
                    kind: GapKind::Thin,
                    date: day(hour),
                    hour: Some(hour % 24),
                    lines: count,
                    usual_lines: Some(*usual),
                });
            }
        }
    }
    gaps
}

#[expect(clippy::cast_precision_loss, reason = "lines of an hour are far below 2^52")]
fn number(count: u64) -> f64 {
    count as f64
}

fn shown(cx: &Cx, it: Stored<Import>, names: &BTreeMap<&str, &str>) -> Shown {
    let state = match (it.state, it.job_ref.as_ref().map(|job| cx.jobs().get(job))) {
        (State::Done, _) => JobState::Succeeded,
        (State::Running, Some(Ok(job))) => job.state,
        // A job that is no longer known has left nothing.
        (State::Running, _) => JobState::Failed,
    };
    Shown {
        import_ref: it.id.clone(),
        source_ref: Id::new(it.source_ref.clone()),
        source: names.get(it.source_ref.as_str()).copied().unwrap_or_default().to_owned(),
        stream: it.stream.clone(),
        state,
        job_ref: it.job_ref.clone(),
        started_at: Moment::from_millis(it.created_ms),
        imported_at: it.ended_ms.map(Moment::from_millis),
        lines: it.lines,
        parsed: it.parsed,
        counted: it.counted,
        other_hosts: it.other_hosts,
        skipped_hours: it.skipped_hours,
        rejections: it.rejections.clone(),
        first_day: it.days.first().map(|it| it.date),
        last_day: it.days.last().map(|it| it.date),
        days: it.days.len() as u64,
        whole: it.whole,
    }
}
