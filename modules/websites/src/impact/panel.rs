//! Which pages are compared, and their days.

use std::collections::BTreeSet;

use kit::causal;
use kit::segments::{Address, Segment as Rules};
use sdk::Degraded;
use sdk::prelude::*;

use super::Metric;
use crate::search::{self, Daily};
use crate::segment::Segment;
use crate::stored::Website;
use crate::task;

/// Days of pages that are compared, all pages together: the comparison takes time by them.
const MAX_DAYS: usize = 60_000;
/// Days before the change that are looked at for that.
const LISTED_DAYS: i32 = 7;

/// What was changed.
pub(super) enum Wanted {
    /// These pages.
    Pages(BTreeSet<String>),
    /// What a segment holds.
    Segment(Id<Segment>, Rules),
}

impl Wanted {
    fn holds(&self, url: &str) -> bool {
        match self {
            Self::Pages(pages) => pages.contains(url),
            Self::Segment(_, rules) => rules.holds(Address { url, content_type: None }),
        }
    }

    /// The same for the same pages.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Pages(pages) => pages.iter().map(String::as_str).collect::<Vec<_>>().join(" "),
            Self::Segment(segment, _) => segment.to_string(),
        }
    }
}

/// The pages of the arguments; 422 without any or with both, 404 for a segment of another website.
pub(super) fn wanted(
    cx: &Cx,
    site: &Stored<Website>,
    urls: Option<List<Url, 1, 2_000>>,
    segment: Option<Id<Segment>>,
) -> Result<Wanted> {
    match (urls, segment) {
        (Some(urls), None) => {
            let urls = task::own_urls(site, urls.into_vec(), "/treated_urls")?;
            Ok(Wanted::Pages(urls.into_iter().map(|(_, url)| url).collect()))
        }
        (None, Some(id)) => {
            let missing =
                || Fault::not_found("segment_not_found", "this website has no such segment").at("/segment_ref");
            let segment = cx.records::<Segment>().find(&id).filter(|it| it.site_id == site.id).ok_or_else(missing)?;
            let broken = |_| Fault::conflict("segment_broken", "the segment's rules no longer read").at("/segment_ref");
            Ok(Wanted::Segment(id, Rules::new(&segment.rules).map_err(broken)?))
        }
        _ => Err(Fault::invalid("/treated_urls", "one_of_two", "give `treated_urls` or `segment_ref`, one of the two")),
    }
}

/// One page, day by day from the first that was read.
pub(super) struct Measured {
    pub(super) url: String,
    clicks: Vec<f64>,
    impressions: Vec<f64>,
    /// The position times the impressions.
    positions: Vec<f64>,
}

/// The pages of a comparison.
pub(super) struct Panel {
    /// Those that were changed.
    pub(super) treated: Vec<Measured>,
    /// Those that were not.
    pub(super) pool: Vec<Measured>,
    /// What could not be considered.
    pub(super) degraded: Vec<Degraded>,
}

impl Panel {
    /// Reads changed pages and pages like them; `spans` are the days before, within and after the time compared.
    pub(super) fn read(
        cx: &Cx,
        site: &Stored<Website>,
        wanted: &Wanted,
        change: Day,
        spans: [i32; 3],
        least: usize,
    ) -> Result<Self> {
        let mut degraded = Vec::new();
        let week = (change.plus(-LISTED_DAYS), change);
        #[expect(clippy::cast_precision_loss, reason = "clicks of a page are far below 2^52")]
        let known = search::clicks(cx, &site.id, week, "/change_date")?.into_iter().map(|(url, it)| (url, it as f64));
        let (mut own, others): (Vec<_>, Vec<_>) = known.partition(|(url, _)| wanted.holds(url));
        if let Wanted::Pages(pages) = wanted {
            // A page that was not shown in that week can have other days.
            let unseen: Vec<(String, f64)> = pages
                .iter()
                .filter(|url| !own.iter().any(|(it, _)| it == *url))
                .map(|url| (url.clone(), 0.0))
                .collect();
            own.extend(unseen);
        }
        own.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let days = spans.iter().sum::<i32>();
        let pages = (MAX_DAYS / usize::try_from(days).unwrap_or(1).max(1)).max(2 * least);
        let most_own = (pages / 3).max(1);
        let asked = own.len();
        let span = (change.plus(-(spans[0] + spans[1])), change.plus(spans[2]), days);
        let asked_for: Vec<String> = own.into_iter().map(|it| it.0).take(2 * most_own).collect();
        let mut treated = Measured::read(cx, &site.id, asked_for, span)?;
        treated.truncate(most_own);
        if treated.is_empty() {
            let message = "none of the changed pages has search data in this time; give other pages or dates";
            return Err(Fault::conflict("treated_not_seen", message).at("/treated_urls"));
        }
        if treated.len() < asked {
            let message =
                format!("{} of {asked} changed pages are compared, those with the most clicks", treated.len());
            degraded.push(Degraded::new("panel", message));
        }
        let pool = Measured::read(cx, &site.id, alike(&treated, others, spans, pages - treated.len()), span)?;
        if pool.len() < least {
            let message =
                format!("{} untouched pages have search data; at least {least} are needed to compare with", pool.len());
            return Err(Fault::conflict("too_few_controls", message).at("/treated_urls"));
        }
        Ok(Self { treated, pool, degraded })
    }

    /// The clicks of pages in the days before the change.
    pub(super) fn clicks(&self, pages: &[Measured], back: i32, before: i32) -> Vec<Vec<f64>> {
        let place = |day: i32| usize::try_from(day).unwrap_or(0);
        pages.iter().map(|page| page.clicks[place(back)..place(back + before)].to_vec()).collect()
    }
}

/// The pages whose clicks in the last week are nearest to those of a changed page, in turns.
fn alike(treated: &[Measured], others: Vec<(String, f64)>, spans: [i32; 3], most: usize) -> Vec<String> {
    let change = usize::try_from(spans[0] + spans[1]).unwrap_or(0);
    let week = change.saturating_sub(7);
    let levels: Vec<f64> = treated.iter().map(|page| super::level(&page.clicks[week..change])).collect();
    let mut others: Vec<(String, f64)> =
        others.into_iter().map(|(url, clicks)| (url, super::level(&[clicks / f64::from(LISTED_DAYS)]))).collect();
    let mut chosen = Vec::new();
    while chosen.len() < most && !others.is_empty() {
        for level in &levels {
            let distance = |it: &(String, f64)| (it.1 - level).abs();
            let nearest = others.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
            let Some((at, _)) = nearest.filter(|_| chosen.len() < most) else { break };
            chosen.push(others.swap_remove(at).0);
        }
    }
    chosen
}

impl Measured {
    /// The days of some pages, in their order, from the first day up to the day before the second, so many. Pages without a
    /// day are left out.
    fn read(cx: &Cx, site: &Id<Website>, urls: Vec<String>, (from, below, days): (Day, Day, i32)) -> Result<Vec<Self>> {
        let wanted: BTreeSet<String> = urls.iter().cloned().collect();
        let mut found = search::days(cx, site, &wanted, (from, below), "/pre_days")?;
        Ok(urls.into_iter().filter_map(|url| Some(Self::of(found.remove(&url)?, url, from, days))).collect())
    }

    #[expect(clippy::cast_precision_loss, reason = "clicks of a page and day are far below 2^52")]
    fn of(rows: Vec<Daily>, url: String, from: Day, days: i32) -> Self {
        let empty = vec![0.0; usize::try_from(days).unwrap_or(0)];
        let mut page = Self { url, clicks: empty.clone(), impressions: empty.clone(), positions: empty };
        for row in rows {
            let at = usize::try_from(row.date.since_epoch() - from.since_epoch()).unwrap_or(usize::MAX);
            if at < page.clicks.len() {
                page.clicks[at] += row.clicks as f64;
                page.impressions[at] += row.impressions as f64;
                page.positions[at] += row.positions as f64;
            }
        }
        page
    }
}

/// The daily mean of a group; of a position the mean by impressions, none on days without any.
pub(super) fn group(pages: &[Measured], weights: &[f64], metric: Metric) -> Vec<Option<f64>> {
    let of = |which: fn(&Measured) -> &Vec<f64>| {
        let values: Vec<Vec<f64>> = pages.iter().map(|page| which(page).clone()).collect();
        causal::daily_mean(&values, weights)
    };
    match metric {
        Metric::Clicks => of(|page| &page.clicks).into_iter().map(Some).collect(),
        Metric::Impressions => of(|page| &page.impressions).into_iter().map(Some).collect(),
        Metric::Position => {
            let (shown, summed) = (of(|page| &page.impressions), of(|page| &page.positions));
            shown.into_iter().zip(summed).map(|(shown, summed)| (shown > 0.0).then(|| summed / shown)).collect()
        }
    }
}
