//! The operation `logs.uncrawled.list`.

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use search::Period;
use site::Site;
use visits::Store;

use crate::crawled::Crawled;
use crate::given::{Coverage, moment};

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The bot.
    #[default("googlebot")]
    family: Text<1, 40>,
    /// Days without a visit, counted back from the end of the lines.
    #[default(60)]
    days: Count<7, 365>,
}

/// A page that the bot has not asked for.
#[value]
pub(crate) struct Uncrawled {
    url: String,
    /// 1 is an average page; null without a link graph.
    authority: Option<f64>,
    /// Null where no visit is known since the first line.
    last_visit_at: Option<Moment>,
    in_sitemap: bool,
    /// Clicks from the home page.
    depth: u32,
}

/// Pages that a bot has not asked for.
#[page]
pub(crate) struct Pages {
    /// Those with the most authority first.
    pages: Vec<Uncrawled>,
    total: u64,
    /// Indexable pages of the crawl.
    indexable: u64,
    family: String,
    /// Days with lines among those that were looked at. Pages may have been visited on the others.
    covered_days: u64,
    /// The first and the last time that lines are of.
    since: Option<Moment>,
    until: Option<Moment>,
    crawl: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Lists indexable pages the chosen bot has not requested for a number of days, most valuable first.
///
/// Pages are the indexable ones of the newest crawl. Where visits of the bot could be verified, these alone count; else those
/// under its name.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = ["which pages does google not crawl", "pages googlebot has not visited", "uncrawled important pages"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "family": "bingbot", "days": 30 }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Pages> {
    let site = site::get(cx, &args.site_id)?;
    let family = crate::given::family(args.family.as_str(), "/family")?;
    let logs = crate::given::Given::of(cx, &args.site_id, None, None)?;
    let crawl = Crawled::required(cx, &site.id)?;
    let days = i32::try_from(args.days.get()).unwrap_or(60);
    let last = logs.coverage.end().map_or(cx.now().day(), |end| moment(end - 1).day());
    let period = Period::ending(last, days);
    let coverage = Coverage::of(cx, &site.id, period);
    let covered_days = coverage.days().len() as u64;
    let mut newest: HashMap<String, (u64, u64)> = HashMap::new();
    let mut any_verified = false;
    let read = Store::own(cx, &site.id).all_newest(|url, of, it| {
        if of == family.family {
            any_verified |= it.last_verified > 0;
            if crawl.pages.contains_key(url) {
                newest.insert(url.to_owned(), (it.last, it.last_verified));
            }
        }
    });
    read.map_err(|why| why.at("/site_id"))?;
    let last_of = |url: &String| {
        let last = newest.get(url).map(|(all, verified)| if any_verified { *verified } else { *all });
        last.filter(|it| *it > 0)
    };
    let since = u64::from(crate::given::hour_of(period.first)) * 3_600;
    let indexable: Vec<&addresses::Known> = crawl.pages.values().filter(|it| it.is_indexable()).collect();
    let mut found: Vec<Uncrawled> = indexable
        .iter()
        .filter(|it| last_of(&it.url).is_none_or(|last| last < since))
        .map(|it| Uncrawled {
            url: it.url.clone(),
            authority: crawl.authority(&it.url),
            last_visit_at: last_of(&it.url).map(moment),
            in_sitemap: it.in_sitemap,
            depth: it.depth,
        })
        .collect();
    found.sort_by(|a, b| {
        let authority = b.authority.unwrap_or(0.0).total_cmp(&a.authority.unwrap_or(0.0));
        authority.then(a.depth.cmp(&b.depth)).then_with(|| a.url.cmp(&b.url))
    });
    let mut degraded = crawl.degraded.clone();
    if covered_days < u64::try_from(days).unwrap_or(0) {
        let why =
            format!("{covered_days} of the last {days} days have log lines; pages may have been visited on the others");
        degraded.push(Degraded::new("days", why).supplied_by("logs.import.list", json!({ "site_id": site.id })));
    }
    if !any_verified && !newest.is_empty() {
        let why = "no visit of this bot could be verified; its name alone is counted, which anybody can use";
        let verify = json!({ "site_id": site.id });
        degraded.push(Degraded::new("verification", why).supplied_by("logs.bot.verify", verify));
    }
    let mut next = Vec::new();
    if !found.is_empty() {
        let page = json!({ "site_id": site.id, "url": found[0].url, "direction": "in" });
        next.push(Next::new("links.suggestion.for_page", page, "finds pages that could link to the first of them"));
    }
    let (total, units) = (found.len() as u64, indexable.len() as u64);
    let page = args.window(found)?;
    Ok(Pages {
        pages: page.items,
        next_cursor: page.next,
        total,
        indexable: units,
        family: family.family.to_owned(),
        covered_days,
        since: coverage.start().map(moment),
        until: coverage.end().map(moment),
        crawl: crawl.basis.clone(),
        degraded,
        next,
    })
}
