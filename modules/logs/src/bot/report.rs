//! The operation `logs.bot.report`.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hasher as _};

use rustc_hash::FxBuildHasher;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::{Rules, Segment, Site};
use visits::{Figures as _, Verdict, Visits};

use crate::given::{Given, class, moment, share};

/// Families that one answer lists.
const MOST: usize = 100;
/// Requests of a day below which an unknown bot is one of many.
const FEW: u64 = 100;

#[args]
pub(crate) struct Report {
    /// The website, as listed.
    site_id: Id<Site>,
    /// One family alone, such as `googlebot`, as this report names it.
    family: Option<Text<1, 42>>,
    /// Addresses of this segment alone.
    segment_ref: Option<Id<Segment>>,
    /// The first day, in UTC; 28 days before the end when left out.
    from: Option<Day>,
    /// The last day; the last day with lines when left out.
    to: Option<Day>,
}

/// What a bot comes for.
#[value]
pub(crate) enum Purpose {
    Search,
    AiTraining,
    AiSearch,
    UserFetch,
    SeoTool,
    Monitor,
    Preview,
    Feed,
    Ads,
    Archive,
    Tool,
    Unknown,
}

impl From<bots::Purpose> for Purpose {
    fn from(it: bots::Purpose) -> Self {
        match it {
            bots::Purpose::Search => Self::Search,
            bots::Purpose::AiTraining => Self::AiTraining,
            bots::Purpose::AiSearch => Self::AiSearch,
            bots::Purpose::UserFetch => Self::UserFetch,
            bots::Purpose::SeoTool => Self::SeoTool,
            bots::Purpose::Monitor => Self::Monitor,
            bots::Purpose::Preview => Self::Preview,
            bots::Purpose::Feed => Self::Feed,
            bots::Purpose::Ads => Self::Ads,
            bots::Purpose::Archive => Self::Archive,
            bots::Purpose::Tool => Self::Tool,
            bots::Purpose::Unknown => Self::Unknown,
        }
    }
}

/// What a family did.
#[value]
pub(crate) struct Family {
    /// `googlebot`, or the name in the user agent of one that the table of bots does not know.
    family: String,
    /// Who runs it; null where nobody knows.
    #[own]
    operator: Option<String>,
    purpose: Purpose,
    hits: u64,
    /// Its part of all requests of bots in this report.
    share: Option<f64>,
    /// Hits from addresses of its operator.
    verified_hits: u64,
    /// Hits under its name of which nobody could tell.
    unverified_hits: u64,
    /// Hits under its name from addresses that are not its operator's.
    spoofed_hits: u64,
    /// Different addresses that it asked for.
    urls: u64,
    bytes: u64,
    /// The mean time of its answers, of those whose time is logged.
    mean_milliseconds: Option<f64>,
    first_at: Moment,
    last_at: Moment,
}

/// Requests of a day by purpose.
#[value]
pub(crate) struct OfDay {
    date: Day,
    hits: u64,
    /// Hits by purpose.
    by_purpose: BTreeMap<String, u64>,
}

/// Requests for the addresses of a segment.
#[value]
pub(crate) struct OfSegment {
    /// The segment; null for addresses of none.
    segment_ref: Option<Id<Segment>>,
    name: Option<String>,
    hits: u64,
    /// Its part of all hits; segments can overlap.
    share: Option<f64>,
}

/// Activity of bots.
#[value]
pub(crate) struct Activity {
    hits: u64,
    bytes: u64,
    /// Those with the most hits first, at most 100.
    families: Vec<Family>,
    families_total: u64,
    /// Days without lines are left out.
    series: Vec<OfDay>,
    /// Hits by status: `200`, `404`, and by class: `2xx`.
    by_status: BTreeMap<String, u64>,
    by_segment: Vec<OfSegment>,
    known_days: u64,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

#[derive(Default)]
struct Sum {
    all: Visits,
    verified: u64,
    spoofed: u64,
    urls: u64,
    days: BTreeMap<Day, u64>,
}

/// Reports bot activity by family, purpose (search, AI training, AI answer, SEO tool, monitor, unknown), day, status, bytes and section.
///
/// A name is a claim: hits are told apart by whether the address is one of the operator's. Bots that no table knows and that
/// never made more than 100 requests on a day are summed up as `unknown`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["which bots crawl my site", "how often does googlebot come", "bot traffic by day", "who is crawling my website"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "family": "googlebot", "from": "2026-09-01", "to": "2026-09-30" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Activity> {
    let given = Given::of(cx, &args.site_id, args.from, args.to)?;
    let only = site::rules(cx, given.site.id.as_str(), args.segment_ref.as_ref())?;
    let wanted = args.family.as_ref().map(|it| it.as_str().to_lowercase());
    let segments: Vec<(Stored<Segment>, Rules)> =
        site::segments(cx, &given.site.id).filter_map(|it| it.ready().map(|rules| (it, rules))).collect();
    let mut families: BTreeMap<String, Sum> = BTreeMap::new();
    let mut seen: HashSet<u64, FxBuildHasher> = HashSet::default();
    let (mut by_status, mut days): (BTreeMap<u16, u64>, BTreeMap<Day, BTreeMap<Purpose, u64>>) = Default::default();
    let mut in_segments = vec![0_u64; segments.len() + 1];
    // Addresses come in their order: what holds for one is asked once.
    let (mut last, mut held, mut of): (String, bool, Vec<usize>) = (String::new(), false, Vec::new());
    given.bots(|url, family, verdict, status, day, it| {
        let name = family.trim_start_matches('?');
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            return;
        }
        if last != url {
            url.clone_into(&mut last);
            held = site::held(only.as_ref(), url);
            of.clear();
            of.extend(segments.iter().enumerate().filter(|(_, it)| held && site::holds(&it.1, url)).map(|(at, _)| at));
            if of.is_empty() {
                of.push(segments.len());
            }
        }
        if !held {
            return;
        }
        if !families.contains_key(family) {
            families.insert(family.to_owned(), Sum::default());
        }
        let Some(sum) = families.get_mut(family) else { return };
        sum.all.add(&it);
        sum.verified += if verdict == Verdict::Verified { it.hits } else { 0 };
        sum.spoofed += if verdict == Verdict::Spoofed { it.hits } else { 0 };
        *sum.days.entry(day).or_default() += it.hits;
        let mut hasher = DefaultHasher::new();
        hasher.write(url.as_bytes());
        hasher.write(family.as_bytes());
        sum.urls += u64::from(seen.insert(hasher.finish()));
        *by_status.entry(status).or_default() += it.hits;
        let purpose = bots::family(family).map_or(Purpose::Unknown, |bot| bot.purpose.into());
        *days.entry(day).or_default().entry(purpose).or_default() += it.hits;
        of.iter().for_each(|at| in_segments[*at] += it.hits);
    })?;
    let families = together(families, wanted.is_some());
    let hits: u64 = families.iter().map(|(_, it)| it.all.hits).sum();
    let families_total = families.len() as u64;
    let bytes = families.iter().map(|(_, it)| it.all.bytes).sum();
    let pending = families.iter().any(|(name, it)| {
        bots::family(name).is_some_and(|bot| !bot.suffixes.is_empty()) && it.all.hits > it.verified + it.spoofed
    });
    let site_id = json!({ "site_id": given.site.id });
    let mut next = Vec::new();
    if pending {
        next.push(Next::new(
            "logs.bot.verify",
            site_id.clone(),
            "tells visits of bots from those that use their names",
        ));
    }
    if families.iter().any(|(name, _)| name == "googlebot") {
        next.push(Next::new("logs.crawl_budget.report", site_id, "shows what Googlebot spends its requests on"));
    }
    let all = hits;
    let shown_segments = (0..).zip(&in_segments).filter(|(at, hits)| **hits > 0 || *at < segments.len());
    let by_segment = shown_segments.map(|(at, hits)| {
        let segment = segments.get(at).map(|(it, _)| it);
        let (segment_ref, name) = (segment.map(|it| it.id.clone()), segment.map(|it| it.name.clone()));
        OfSegment { segment_ref, name, hits: *hits, share: share(*hits, all) }
    });
    let by_segment: Vec<OfSegment> = if segments.is_empty() { Vec::new() } else { by_segment.collect() };
    Ok(Activity {
        hits,
        bytes,
        families: families.into_iter().take(MOST).map(|(name, sum)| shown(&name, &sum, hits)).collect(),
        families_total,
        series: days.into_iter().map(|(date, by)| of_day(date, by)).collect(),
        by_status: statuses(by_status),
        by_segment,
        known_days: given.known_days(),
        basis: given.basis,
        degraded: given.degraded,
        next,
    })
}

/// Families with the most hits first; unknown ones that hardly came are one.
fn together(families: BTreeMap<String, Sum>, whole: bool) -> Vec<(String, Sum)> {
    let mut rest = Sum::default();
    let mut out: Vec<(String, Sum)> = Vec::new();
    for (name, sum) in families {
        if !whole && name.starts_with('?') && sum.days.values().all(|hits| *hits <= FEW) {
            rest.all.add(&sum.all);
            rest.urls += sum.urls;
        } else {
            out.push((name, sum));
        }
    }
    if rest.all.hits > 0 {
        out.push(("?unknown".to_owned(), rest));
    }
    out.sort_by(|a, b| b.1.all.hits.cmp(&a.1.all.hits).then_with(|| a.0.cmp(&b.0)));
    out
}

fn shown(name: &str, sum: &Sum, hits: u64) -> Family {
    let bot = bots::family(name);
    Family {
        family: name.trim_start_matches('?').to_owned(),
        operator: bot.map(|it| it.operator.to_owned()),
        purpose: bot.map_or(Purpose::Unknown, |it| it.purpose.into()),
        hits: sum.all.hits,
        share: share(sum.all.hits, hits),
        verified_hits: sum.verified,
        unverified_hits: sum.all.hits.saturating_sub(sum.verified + sum.spoofed),
        spoofed_hits: sum.spoofed,
        urls: sum.urls,
        bytes: sum.all.bytes,
        mean_milliseconds: sum.all.mean_milliseconds().map(|it| kit::statistics::round(it, 1)),
        first_at: moment(sum.all.first),
        last_at: moment(sum.all.last),
    }
}

fn of_day(date: Day, by: BTreeMap<Purpose, u64>) -> OfDay {
    let name =
        |purpose: &Purpose| sdk::serde_json::to_value(purpose).ok().and_then(|it| it.as_str().map(str::to_owned));
    let hits = by.values().sum();
    OfDay { date, hits, by_purpose: by.iter().filter_map(|(purpose, hits)| Some((name(purpose)?, *hits))).collect() }
}

/// Hits by status and by class of statuses.
pub(crate) fn statuses(by: BTreeMap<u16, u64>) -> BTreeMap<String, u64> {
    let mut out = BTreeMap::new();
    for (status, hits) in by {
        *out.entry(class(status).to_owned()).or_default() += hits;
        out.insert(status.to_string(), hits);
    }
    out
}
