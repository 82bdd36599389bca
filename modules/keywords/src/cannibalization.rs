//! The operation `keywords.cannibalization.detect`.

use std::collections::{BTreeMap, HashMap};

use kit::pack::{Figures as _, Search};
use kit::statistics::round;
use sdk::prelude::*;
use sdk::{Degraded, Fix, json};
use search::{Cut, Figures, Period, SearchType, last_day, parts};
use site::Site;
use site::brand::Brand;
use site::pages::Crawl;

use kit::number::as_number;

/// Days of a report without a period: enough weeks to see pages take turns.
const DAYS: i32 = 84;
/// The share of impressions from which a page takes part.
const MIN_SHARE: f64 = 0.15;
/// Impressions of a week in which the leading page counts.
const MIN_WEEK: u64 = 10;
/// The share of weeks with both pages from which they are several results of one search.
const TOGETHER: f64 = 0.4;
/// Pages of a query that are told.
const MAX_PAGES: usize = 8;
/// Queries with several pages that are looked at.
const MAX_GROUPS: usize = 50_000;

#[args(paged)]
pub(crate) struct Detect {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The first day; 12 weeks before the end when left out.
    from: Option<Day>,
    /// The last day; the last stored one when left out.
    to: Option<Day>,
    /// Only queries with at least this many impressions.
    #[default(100)]
    min_impressions: Count<10, 1_000_000>,
}

/// What to do about pages that are shown for the same query.
#[value]
pub(crate) enum Advice {
    /// Make one page of them.
    Merge,
    /// Aim one of them at another query.
    ReTarget,
    /// Link to the stronger one.
    Link,
    /// Nothing: they do not stand in each other's way.
    Leave,
}

/// A page that is shown for a query.
#[value]
pub(crate) struct Shown {
    url: String,
    clicks: u64,
    impressions: u64,
    /// Of the query's impressions, 0 to 1.
    share: f64,
    position: Option<f64>,
    /// Weeks in which it was shown most.
    leads: u32,
}

/// A query with several pages.
#[value]
pub(crate) struct Group {
    query: String,
    /// Those with the most clicks first.
    pages: Vec<Shown>,
    clicks: u64,
    impressions: u64,
    /// How evenly the impressions are spread over the pages, 0 to 1.
    entropy: f64,
    /// The same of clicks; null without clicks.
    click_entropy: Option<f64>,
    /// Weeks in which another page was shown most than in the week before.
    switches: u32,
    /// Weeks that were compared.
    weeks: u32,
    advice: Advice,
    /// Why.
    #[own]
    why: String,
    /// The call that looks into it; null when nothing is to be done.
    fix: Option<Fix>,
}

/// Queries whose pages compete.
#[page]
pub(crate) struct Groups {
    /// Those to act on first, then by impressions.
    groups: Vec<Group>,
    /// Queries in all.
    total: u64,
    /// Of them, with an advice other than `leave`.
    to_act: u64,
    degraded: Vec<Degraded>,
}

/// A page's figures by week.
#[derive(Default)]
struct Page {
    sum: Search,
    weeks: BTreeMap<i32, u64>,
}

/// Finds queries whose clicks or impressions split over several pages (normalised entropy and URL switching over weeks) and advises merge, re-target, link or leave.
///
/// Pages that are shown side by side in the same weeks, pages of one canonical, and queries that name the brand are told as
/// `leave` or left out: they take nothing from each other.
#[operation(
    read,
    scope = "seo:analyze",
    cost = bulk(most = limit, unit = "groups"),
    needs = ["store"],
    phrasings = ["keyword cannibalization", "which pages compete for the same query", "two pages rank for one keyword", "pages that take turns in google"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "min_impressions": 50 }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Groups> {
    let site = site::get(cx, &args.site_id)?;
    let sync = Fix::new("search_console.sync.run", json!({ "site_id": site.id }));
    let not_synced = || {
        Fault::conflict(
            "not_synced",
            "no search figures of this website are stored; import them with search_console.sync.run",
        )
        .at("/site_id")
        .detail(json!(sync))
    };
    let last = last_day(cx, &site.id, SearchType::Web).ok_or_else(not_synced)?;
    let to = args.to.unwrap_or(last);
    let period = Period { first: args.from.unwrap_or_else(|| to.plus(1 - DAYS)), last: to };
    if period.first > period.last {
        return Err(Fault::invalid("/from", "period_reversed", "`from` is not after `to`"));
    }
    let figures = Figures::of(cx, &site.id, SearchType::Web);
    let stored = figures.stored_days(Cut::Details, period);
    if stored == 0 {
        let message = format!("no figures by page and query of {} to {} are stored", period.first, period.last);
        return Err(Fault::conflict("dimensions_not_synced", message).at("/from").detail(json!(sync)));
    }
    let mut degraded = Vec::new();
    if i64::from(stored) < i64::from(period.length()) {
        let why = format!("figures by page and query are stored for {stored} of {} days", period.length());
        degraded.push(Degraded::new("days", why).supplied_by(&sync.operation_id, json!(sync.arguments)));
    }
    let competing = competing(&figures, period, u64::from(args.min_impressions), &mut degraded)?;
    let brand = Brand::of(&site);
    let mut groups: HashMap<String, BTreeMap<String, Page>> = HashMap::new();
    let read = figures.by_day(Cut::Details, period, b"", |key, day, it| {
        let (page, query) = parts(key);
        if competing.contains_key(query) {
            let slot = groups.entry(query.to_owned()).or_default().entry(page.to_owned()).or_default();
            slot.sum.add(&it);
            // 1970-01-01 was a Thursday: weeks begin on Mondays.
            *slot.weeks.entry((day.since_epoch() + 3).div_euclid(7)).or_default() += it.impressions;
        }
    });
    read.map_err(|why| why.at("/from"))?;
    let crawl = Crawl::newest(cx, &site.id);
    if crawl.is_none() {
        let why = "no crawl of the website has ended, so canonicals and texts of the pages are not compared";
        degraded.push(Degraded::new("pages", why).supplied_by("crawl.run.start", json!({ "site_id": site.id })));
    }
    let mut found: Vec<Group> = groups
        .into_iter()
        .filter(|(query, _)| !brand.has(query))
        .filter_map(|(query, pages)| group(query, pages))
        .collect();
    found.sort_by(|a, b| b.impressions.cmp(&a.impressions).then_with(|| a.query.cmp(&b.query)));
    for group in &mut found {
        judge(group, crawl.as_ref());
    }
    found.sort_by_key(|it| it.advice == Advice::Leave);
    let (total, to_act) = (found.len() as u64, found.iter().filter(|it| it.advice != Advice::Leave).count() as u64);
    let page = args.window(found)?;
    Ok(Groups { groups: page.items, next_cursor: page.next, total, to_act, degraded })
}

/// The queries with enough impressions and at least two pages with a share of 15 % of them.
fn competing(
    figures: &Figures<'_>,
    period: Period,
    least: u64,
    degraded: &mut Vec<Degraded>,
) -> Result<HashMap<String, u64>> {
    let mut pages: HashMap<String, HashMap<u64, u64>> = HashMap::new();
    let read = figures.sums(Cut::Details, period, b"", |key, sum| {
        let (page, query) = parts(key);
        // Pages are told apart by a hash here, so that a long tail stays small.
        let hash = page
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        *pages.entry(query.to_owned()).or_default().entry(hash).or_default() += sum.impressions;
    });
    read.map_err(|why| why.at("/from"))?;
    let mut found: Vec<(String, u64)> = pages
        .into_iter()
        .filter_map(|(query, pages)| {
            let all: u64 = pages.values().sum();
            let taking = pages.values().filter(|it| as_number(**it) >= MIN_SHARE * as_number(all)).count();
            (all >= least && taking >= 2).then_some((query, all))
        })
        .collect();
    if found.len() > MAX_GROUPS {
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        degraded.push(Degraded::new(
            "queries",
            format!("only the {MAX_GROUPS} queries with the most impressions of {} were looked at", found.len()),
        ));
        found.truncate(MAX_GROUPS);
    }
    Ok(found.into_iter().collect())
}

/// The entropy of shares over the logarithm of their number, for shares of at least 1 %.
fn entropy(counts: &[u64]) -> Option<f64> {
    let all = as_number(counts.iter().sum());
    let shares: Vec<f64> = counts.iter().map(|it| as_number(*it) / all).filter(|it| *it >= 0.01).collect();
    if shares.len() < 2 {
        return (all > 0.0).then_some(0.0);
    }
    Some(-shares.iter().map(|it| it * it.ln()).sum::<f64>() / as_number(shares.len() as u64).ln())
}

fn group(query: String, pages: BTreeMap<String, Page>) -> Option<Group> {
    let all = pages.values().fold(Search::default(), |mut all, page| {
        all.add(&page.sum);
        all
    });
    let mut by_week: BTreeMap<i32, BTreeMap<&str, u64>> = BTreeMap::new();
    for (url, page) in &pages {
        for (week, impressions) in &page.weeks {
            *by_week.entry(*week).or_default().entry(url).or_default() += impressions;
        }
    }
    let leaders: Vec<&str> = by_week
        .values()
        .filter(|week| week.values().sum::<u64>() >= MIN_WEEK)
        .filter_map(|week| week.iter().max_by_key(|(url, count)| (**count, std::cmp::Reverse(**url))).map(|it| *it.0))
        .collect();
    let switches = leaders.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let mut leads: BTreeMap<&str, u32> = BTreeMap::new();
    leaders.iter().for_each(|url| *leads.entry(url).or_default() += 1);
    let mut shown: Vec<Shown> = pages
        .iter()
        .filter(|(_, page)| as_number(page.sum.impressions) >= MIN_SHARE * as_number(all.impressions))
        .map(|(url, page)| Shown {
            url: url.clone(),
            clicks: page.sum.clicks,
            impressions: page.sum.impressions,
            share: round(as_number(page.sum.impressions) / as_number(all.impressions), 4),
            position: page.sum.position().map(|it| round(it, 2)),
            leads: leads.get(url.as_str()).copied().unwrap_or(0),
        })
        .collect();
    if shown.len() < 2 {
        return None;
    }
    shown.sort_by(|a, b| {
        b.clicks.cmp(&a.clicks).then_with(|| b.impressions.cmp(&a.impressions)).then_with(|| a.url.cmp(&b.url))
    });
    // Weeks in which the two strongest pages are both shown as results of one search: as often as each other.
    let pair = |week: &BTreeMap<&str, u64>| {
        let of = |at: usize| week.get(shown[at].url.as_str()).copied().unwrap_or(0);
        let (one, other) = (of(0), of(1));
        one.min(other) * 10 >= one.max(other) * 8 && one > 0 && other > 0
    };
    let together = by_week.values().filter(|week| pair(week)).count();
    let side_by_side = as_number(together as u64) > TOGETHER * as_number(by_week.len() as u64);
    let impressions: Vec<u64> = pages.values().map(|it| it.sum.impressions).collect();
    let clicks: Vec<u64> = pages.values().map(|it| it.sum.clicks).collect();
    let entropy_of_impressions = entropy(&impressions).unwrap_or(0.0);
    shown.truncate(MAX_PAGES);
    Some(Group {
        query,
        pages: shown,
        clicks: all.clicks,
        impressions: all.impressions,
        entropy: round(entropy_of_impressions, 4),
        click_entropy: entropy(&clicks).map(|it| round(it, 4)),
        switches: u32::try_from(switches).unwrap_or(0),
        weeks: u32::try_from(leaders.len().saturating_sub(1)).unwrap_or(0),
        advice: if side_by_side { Advice::Leave } else { Advice::Link },
        why: if side_by_side {
            "both pages are shown in the same weeks as often as each other: they are two results of one search"
                .to_owned()
        } else {
            String::new()
        },
        fix: None,
    })
}

/// Decides the advice by the first rule that holds.
fn judge(group: &mut Group, crawl: Option<&Crawl<'_>>) {
    if group.advice == Advice::Leave {
        return;
    }
    let (first, second) = (&group.pages[0], &group.pages[1]);
    let texts = crawl.and_then(|crawl| Some((crawl.page(&first.url)?, crawl.page(&second.url)?)));
    let link = |from: &str| site::examine(from, Some(&group.query));
    let (advice, why, fix) = match &texts {
        Some((one, other))
            if one.canonical.as_deref() == Some(other.url.as_str())
                || other.canonical.as_deref() == Some(one.url.as_str()) =>
        {
            (Advice::Leave, "one page names the other as its canonical: search engines join them by themselves", None)
        }
        Some((one, other)) if one.plain.len() > 200 && similar(&one.plain, &other.plain) => {
            (Advice::Merge, "both pages have nearly the same text", link(&second.url))
        }
        _ if group.switches >= 2 && as_number(second.impressions) * 2.0 > as_number(first.impressions) => {
            (Advice::Merge, "the pages take turns: neither is settled as the answer", link(&second.url))
        }
        Some((_, other)) if !answers(other, &group.query) => (
            Advice::ReTarget,
            "the weaker page does not name the query in its title or first heading, so it is about something else",
            link(&second.url),
        ),
        _ if first.clicks >= second.clicks.saturating_mul(2) => (
            Advice::Link,
            "one page has at least twice the clicks: link to it from the other with the words of the query",
            link(&second.url),
        ),
        _ => (Advice::Merge, "both pages are about as strong and split what one could have", link(&second.url)),
    };
    (group.advice, group.why, group.fix) = (advice, why.to_owned(), fix);
}

/// Whether most of two texts is the same.
fn similar(one: &str, other: &str) -> bool {
    let shingles = |text: &str| kit::similarity::shingles(&kit::text::words(text).collect::<Vec<&str>>(), 4);
    kit::similarity::jaccard(&shingles(one), &shingles(other)) > 0.7
}

/// Whether a page names all words of a query in its title or first heading.
fn answers(page: &site::pages::PageText, query: &str) -> bool {
    let analyzer = kit::terms::Analyzer::new(&kit::language::primary(&page.language));
    let head = format!("{} {}", page.title.as_deref().unwrap_or_default(), page.h1.as_deref().unwrap_or_default());
    let held = analyzer.stems(&head);
    analyzer.query(query).iter().all(|stem| held.contains(stem))
}

#[cfg(test)]
mod tests {
    use super::entropy;

    #[test]
    fn entropy_is_one_for_even_shares_and_none_for_nothing() {
        assert!(entropy(&[50, 50]).is_some_and(|it| (it - 1.0).abs() < 1e-12));
        assert!(entropy(&[100, 0]).is_some_and(|it| it.abs() < 1e-12));
        assert!(entropy(&[90, 10]).is_some_and(|it| (it - 0.468_995_593_589_281_2).abs() < 1e-9));
        assert!(entropy(&[]).is_none() && entropy(&[0, 0]).is_none());
    }
}
