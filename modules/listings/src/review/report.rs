//! The operation `listings.review.report`.

use std::collections::BTreeMap;

use kit::statistics::{self, round};
use sdk::prelude::*;
use sdk::{Degraded, Next, json};

use super::bursts;
use super::list::synced;
use super::stored::{ReplyState, Review, Tone};
use super::themes::Theme;
use crate::stored::Location;

/// Reviews that are read.
const MOST: usize = 20_000;
/// Days that are reported when none are named.
const DEFAULT_DAYS: i32 = 365;
/// Reviews that speak of a theme before it is reported.
const LEAST: u64 = 3;
/// Characters of a quote.
const QUOTE: usize = 200;

#[args]
pub(crate) struct Report {
    /// The location, as listed; all whose reviews were synced when left out.
    location_ref: Option<Id<Location>>,
    /// The first day; a year in all when left out.
    from: Option<Day>,
    /// The last day.
    to: Option<Day>,
}

/// How the stars move over months.
#[value]
pub(crate) struct Trend {
    /// Stars a month: the median of the slopes between all months (Theil and Sen).
    slope_per_month: f64,
    /// Of Mann and Kendall's test.
    p: f64,
    months: u64,
}

/// The reviews of the period.
#[value]
pub(crate) struct Summary {
    reviews: u64,
    /// The mean of the stars; null without a review.
    average: Option<f64>,
    /// One to five stars.
    stars: [u64; 5],
    with_text: u64,
    /// Reviews in 30 days.
    per_30_days: f64,
    /// The exact interval of a Poisson rate, 95 %.
    per_30_days_ci95: [f64; 2],
    trend: Option<Trend>,
    /// The share that has an answer.
    reply_share: Option<f64>,
    reply_share_ci95: Option<[f64; 2]>,
    /// The median of the hours until an answer.
    median_reply_hours: Option<f64>,
    /// One and two stars without an answer.
    unanswered_bad: u64,
    edited: u64,
    removed: u64,
}

/// A theme.
#[value]
pub(crate) struct OfTheme {
    theme: Theme,
    /// Reviews that speak of it.
    n: u64,
    positive: u64,
    neutral: u64,
    negative: u64,
    /// Mean stars of the reviews that speak of it.
    stars: f64,
    /// A review that speaks ill of it, the newest one.
    quote: Option<String>,
}

/// A run of days with unusually many reviews: facts, and no accusation.
#[value]
pub(crate) struct OfBurst {
    first: Day,
    last: Day,
    reviews: u64,
    expected: f64,
    p: f64,
    five_star_share: f64,
    one_star_share: f64,
    without_text_share: f64,
    one_word_share: f64,
    /// The share of texts of three words or more whose words stand in another text of the burst too.
    repeated_text_share: f64,
}

/// A month.
#[value]
pub(crate) struct Month {
    /// Such as `2026-08`.
    period: String,
    reviews: u64,
    average: Option<f64>,
    /// Of the mean, 95 %, by the spread of the stars; null under two reviews.
    ci95: Option<[f64; 2]>,
    /// Stars that both are made of.
    n: u64,
    replied: u64,
}

/// The report.
#[value]
pub(crate) struct Reported {
    from: Day,
    to: Day,
    summary: Summary,
    /// The one with the most bad words first.
    themes: Vec<OfTheme>,
    bursts: Vec<OfBurst>,
    series: Vec<Month>,
    synced_at: Option<Moment>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Reports rating trend, velocity, reply share and speed, themes with tone, and unusual bursts against a Poisson baseline.
///
/// Days are those on which reviews were written. A burst says what is unusual and never why; nothing is claimed of days whose 180 days
/// before have fewer than 20 reviews. Themes are read in English, German, French and Spanish.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["analyse my google reviews", "what do reviewers complain about", "review trend and reply speed", "unusual bursts of reviews"],
    examples = [{ "location_ref": "108800001.4503600001.con_1" }, { "from": "2026-01-01", "to": "2026-06-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Reported> {
    let to = args.to.unwrap_or_else(|| cx.now().day());
    let from = args.from.unwrap_or_else(|| to.plus(1 - DEFAULT_DAYS));
    if from > to {
        return Err(Fault::invalid("/from", "reversed_period", "from is after to"));
    }
    let (mut degraded, mut synced_at) = (Vec::new(), None);
    let records = cx.records::<Review>();
    let all: Vec<Review> = match &args.location_ref {
        Some(location) => {
            synced_at = synced(cx, location, &mut degraded)?;
            let rows = records.by("location_created_ms").equals(location).descending().scan().take(MOST);
            rows.map(Stored::into_inner).collect()
        }
        None => records.by("created_ms").descending().scan().take(MOST).map(Stored::into_inner).collect(),
    };
    if all.len() == MOST {
        degraded.push(Degraded::new("summary", "the newest 20,000 reviews are read"));
    }
    let day = |it: &Review| Moment::from_millis(it.created_ms).day();
    let within: Vec<&Review> = all.iter().filter(|it| (from..=to).contains(&day(it))).collect();
    let series = series(&within, from, to);
    let summary = summary(&within, &series, from, to);
    let themes = themes(&within);
    let bursts = of_bursts(&all, from, to);
    let mut next = Vec::new();
    if summary.unanswered_bad > 0 {
        let open =
            within.iter().filter(|it| it.stars <= 2 && it.reply_state == ReplyState::None && it.removed_ms.is_none());
        let refs: Vec<_> = open.map(|it| super::stored::review_id(&it.location, &it.review_id)).take(20).collect();
        next.push(Next::new(
            "listings.review.reply.draft",
            json!({ "review_refs": refs }),
            "drafts answers to the bad reviews that have none",
        ));
    }
    Ok(Reported { from, to, summary, themes, bursts, series, synced_at, next, degraded })
}

#[expect(clippy::cast_precision_loss, reason = "counts of reviews are small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { round(part as f64 / whole as f64, 4) }
}

#[expect(clippy::cast_precision_loss, reason = "counts of reviews are small")]
fn summary(all: &[&Review], series: &[Month], from: Day, to: Day) -> Summary {
    let standing: Vec<&&Review> = all.iter().filter(|it| it.removed_ms.is_none()).collect();
    let stars: Vec<f64> = standing.iter().filter(|it| it.stars > 0).map(|it| f64::from(it.stars)).collect();
    let mut counts = [0; 5];
    for it in &standing {
        if let Some(count) = (it.stars as usize).checked_sub(1).and_then(|at| counts.get_mut(at)) {
            *count += 1;
        }
    }
    let replied: Vec<&&&Review> = standing.iter().filter(|it| it.reply_state != ReplyState::None).collect();
    let hours: Vec<f64> =
        replied.iter().filter_map(|it| Some(it.reply_ms?.saturating_sub(it.created_ms) as f64 / 3_600_000.0)).collect();
    let days = f64::from(to.since_epoch() - from.since_epoch() + 1);
    let n = standing.len() as u64;
    let [low, high] = poisson_interval(n);
    let months: Vec<f64> = series.iter().filter_map(|it| it.average).collect();
    let trend = (months.len() >= 4).then(|| statistics::trend(&months)).flatten().map(|it| Trend {
        slope_per_month: round(it.slope, 4),
        p: round(it.p, 6),
        months: months.len() as u64,
    });
    Summary {
        reviews: n,
        average: (!stars.is_empty()).then(|| round(statistics::mean(&stars), 3)),
        stars: counts,
        with_text: standing.iter().filter(|it| it.text.is_some()).count() as u64,
        per_30_days: round(n as f64 / days * 30.0, 3),
        per_30_days_ci95: [round(low / days * 30.0, 3), round(high / days * 30.0, 3)],
        trend,
        reply_share: (n > 0).then(|| share(replied.len(), standing.len())),
        reply_share_ci95: (n > 0).then(|| statistics::wilson(replied.len() as u64, n)),
        median_reply_hours: (!hours.is_empty()).then(|| round(statistics::median(&hours), 1)),
        unanswered_bad: standing.iter().filter(|it| it.stars <= 2 && it.reply_state == ReplyState::None).count() as u64,
        edited: all.iter().filter(|it| it.edited_ms.is_some()).count() as u64,
        removed: all.iter().filter(|it| it.removed_ms.is_some()).count() as u64,
    }
}

/// The exact interval of a count (Garwood 1936): the rates at which so many or more, and so many or fewer, have 2.5 %.
pub(super) fn poisson_interval(count: u64) -> [f64; 2] {
    #[expect(clippy::cast_precision_loss, reason = "counts of reviews are small")]
    let n = count as f64;
    let solve = |holds: &dyn Fn(f64) -> bool| {
        let (mut low, mut high) = (0.0, n + 10.0 * (n + 1.0).sqrt() + 10.0);
        for _ in 0..200 {
            let middle = (low + high) / 2.0;
            if holds(middle) { low = middle } else { high = middle }
        }
        low
    };
    let at_least = statistics::poisson_at_least;
    let low = if count == 0 { 0.0 } else { solve(&|rate| at_least(count, rate) < 0.025) };
    [low, solve(&|rate| at_least(count + 1, rate) < 0.975)]
}

fn month_of(day: Day) -> String {
    let (year, month, _) = day.civil();
    format!("{year:04}-{month:02}")
}

fn series(all: &[&Review], from: Day, to: Day) -> Vec<Month> {
    let mut months: BTreeMap<String, Vec<&Review>> = BTreeMap::new();
    let mut day = from;
    while day <= to {
        months.entry(month_of(day)).or_default();
        day = day.plus(1);
    }
    for it in all.iter().filter(|it| it.removed_ms.is_none()) {
        months.entry(month_of(Moment::from_millis(it.created_ms).day())).or_default().push(it);
    }
    let month = |(month, reviews): (String, Vec<&Review>)| {
        let stars: Vec<f64> = reviews.iter().filter(|it| it.stars > 0).map(|it| f64::from(it.stars)).collect();
        let average = (!stars.is_empty()).then(|| statistics::mean(&stars));
        #[expect(clippy::cast_precision_loss, reason = "counts of reviews are small")]
        let ci95 = average.filter(|_| stars.len() >= 2).map(|mean| {
            let half = 1.96 * statistics::deviation(&stars) / (stars.len() as f64).sqrt();
            [round((mean - half).max(1.0), 3), round((mean + half).min(5.0), 3)]
        });
        Month {
            period: month,
            reviews: reviews.len() as u64,
            average: average.map(|it| round(it, 3)),
            ci95,
            n: stars.len() as u64,
            replied: reviews.iter().filter(|it| it.reply_state != ReplyState::None).count() as u64,
        }
    };
    months.into_iter().map(month).collect()
}

fn themes(all: &[&Review]) -> Vec<OfTheme> {
    let mut found: BTreeMap<Theme, Vec<&Review>> = BTreeMap::new();
    for it in all.iter().filter(|it| it.removed_ms.is_none()) {
        let mut themes: Vec<Theme> = it.themes.iter().map(|said| said.theme).collect();
        themes.sort();
        themes.dedup();
        for theme in themes {
            found.entry(theme).or_default().push(it);
        }
    }
    let of = |(theme, reviews): (Theme, Vec<&Review>)| {
        let with =
            |it: &&&Review, tone: Tone| it.themes.iter().any(|said| said.theme == theme && said.tone == Some(tone));
        let count = |tone| reviews.iter().filter(|it| with(it, tone)).count() as u64;
        let stars: Vec<f64> = reviews.iter().map(|it| f64::from(it.stars)).collect();
        let worst = reviews.iter().filter(|it| with(it, Tone::Negative)).max_by_key(|it| it.created_ms);
        OfTheme {
            theme,
            n: reviews.len() as u64,
            positive: count(Tone::Positive),
            neutral: count(Tone::Neutral),
            negative: count(Tone::Negative),
            stars: round(statistics::mean(&stars), 2),
            quote: worst.and_then(|it| it.text.as_deref()).map(|it| kit::text::clip(it, QUOTE).to_owned()),
        }
    };
    let mut themes: Vec<OfTheme> = found.into_iter().map(of).filter(|it| it.n >= LEAST).collect();
    themes.sort_by(|a, b| b.negative.cmp(&a.negative).then(b.n.cmp(&a.n)));
    themes
}

/// Bursts that end within the period, by all that is known before.
fn of_bursts(all: &[Review], from: Day, to: Day) -> Vec<OfBurst> {
    let day = |it: &Review| Moment::from_millis(it.created_ms).day();
    let Some(oldest) = all.iter().map(&day).min() else { return Vec::new() };
    // Before the first review the business may not have been there.
    let first = oldest.max(from.plus(-200));
    let days = usize::try_from(to.since_epoch() - first.since_epoch() + 1).unwrap_or(0);
    let mut counts = vec![0_u64; days];
    let number =
        |it: &Review| usize::try_from(day(it).since_epoch() - first.since_epoch()).ok().filter(|at| *at < days);
    for at in all.iter().filter_map(&number) {
        counts[at] += 1;
    }
    let of = |burst: bursts::Burst| {
        let within: Vec<&Review> =
            all.iter().filter(|it| number(it).is_some_and(|at| (burst.first..=burst.last).contains(&at))).collect();
        let part = |holds: &dyn Fn(&Review) -> bool| share(within.iter().filter(|it| holds(it)).count(), within.len());
        let words = |it: &Review| it.text.as_deref().map_or(0, kit::text::word_count);
        let texts: Vec<std::collections::HashSet<u64>> = within
            .iter()
            .filter(|it| words(it) >= 3)
            .map(|it| {
                let lower = it.text.as_deref().unwrap_or_default().to_lowercase();
                kit::similarity::shingles(&kit::text::words(&lower).collect::<Vec<_>>(), 3)
            })
            .collect();
        let repeated = texts.iter().enumerate().filter(|(at, one)| {
            texts.iter().enumerate().any(|(other, two)| other != *at && kit::similarity::jaccard(one, two) >= 0.5)
        });
        let at = |number: usize| first.plus(i32::try_from(number).unwrap_or(0));
        OfBurst {
            first: at(burst.first),
            last: at(burst.last),
            reviews: burst.count,
            expected: round(burst.expected, 2),
            p: burst.p,
            five_star_share: part(&|it| it.stars == 5),
            one_star_share: part(&|it| it.stars == 1),
            without_text_share: part(&|it| it.text.is_none()),
            one_word_share: part(&|it| words(it) == 1),
            repeated_text_share: share(repeated.count(), texts.len()),
        }
    };
    let all = bursts::bursts(&counts).into_iter().map(of);
    all.filter(|it| it.last >= from).collect()
}
