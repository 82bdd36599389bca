//! The operation `backlinks.profile.get`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::prelude::*;
use sdk::{Basis, Degraded, Next, json};
use site::Site;

use crate::given::{Given, hash, share};
use crate::link::{Link, NO_DAY, flag, rels, tool_names};
use crate::stored::ToolSeen;

/// Entries of a list.
const MOST: usize = 25;
/// Months of growth.
const MONTHS: usize = 24;
/// Links of one domain with one target and anchor from which they stand on every page.
const SITEWIDE: u64 = 50;

#[args]
pub(crate) struct Get {
    /// The website.
    site_id: Id<Site>,
}

/// The sums of a profile.
#[value]
#[derive(Default)]
pub(crate) struct Totals {
    links: u64,
    /// Registrable domains.
    domains: u64,
    /// Links that neither a tool nor a look calls lost.
    live_links: u64,
    lost_links: u64,
    /// The part of links without `nofollow`, `ugc` and `sponsored`.
    followed_link_share: Option<f64>,
    /// The part of domains with such a link.
    followed_domain_share: Option<f64>,
    /// Own pages that are linked to.
    target_pages: u64,
    /// Links of which no tool says where they lead.
    links_without_target: u64,
    /// Groups of 50 links or more of one domain with one target and text: those of menus and footers.
    sitewide_groups: u64,
}

/// A part of the links.
#[value]
pub(crate) struct Part {
    name: String,
    links: u64,
    domains: u64,
}

/// What links are made of.
#[value]
pub(crate) struct Mix {
    /// By attribute: `followed`, `nofollow`, `ugc`, `sponsored`.
    attributes: Vec<Part>,
    /// By how they are made: `text`, `image`, `redirect`, `frame`, `form`, `canonical`.
    forms: Vec<Part>,
    /// By the language that a tool says, the most links first.
    by_language: Vec<Part>,
    /// By the ending of the domain, the most domains first.
    endings: Vec<Part>,
    /// By the tool that knows them.
    tools: Vec<Part>,
}

/// An own page that is linked to.
#[value]
pub(crate) struct Target {
    url: String,
    links: u64,
    domains: u64,
    /// Its part of all links that say where they lead.
    share: Option<f64>,
}

/// What came in a month.
#[value]
pub(crate) struct Month {
    /// Such as `2026-09`.
    calendar_month: String,
    /// Links whose first day is in it.
    new_links: u64,
    /// Domains whose first link is.
    new_domains: u64,
    /// Links that a tool lost in it.
    lost_links: u64,
}

/// The link profile of a website.
#[value]
pub(crate) struct Summed {
    totals: Totals,
    mix: Mix,
    /// Those with the most domains first, at most 25.
    top_targets: Vec<Target>,
    /// The last 24 months with links.
    growth: Vec<Month>,
    imports: Vec<ToolSeen>,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Counts links, and domains by their numbers.
#[derive(Default)]
struct Sum {
    links: u64,
    domains: BTreeSet<u32>,
}

impl Sum {
    fn add(&mut self, domain: u32) {
        self.links += 1;
        self.domains.insert(domain);
    }
}

/// Summarises the link profile: links, domains, follow share, target spread, language and TLD mix, live share and growth.
///
/// A link that no tool named is not there; where backlinks.verify.run looked since, links are as it found them. Growth goes by the
/// first day that a tool saw a link.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["summarise my backlink profile", "how many backlinks do we have", "how many domains link to us"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Summed> {
    let given = Given::of(cx, &args.site_id)?;
    let mut totals = Totals::default();
    let mut domains: BTreeMap<String, (u32, i32, bool)> = BTreeMap::new();
    let mut parts: [BTreeMap<String, Sum>; 5] = Default::default();
    let mut targets: BTreeMap<String, Sum> = BTreeMap::new();
    let mut months: BTreeMap<(i32, u32), (u64, u64, u64)> = BTreeMap::new();
    // Targets and texts by their hash: a million links would not fit otherwise.
    let mut alike: BTreeMap<(u32, u64), u64> = BTreeMap::new();
    let mut followed = 0;
    given.links.each(|link| {
        let count = u32::try_from(domains.len()).unwrap_or(u32::MAX);
        if !domains.contains_key(link.domain()) {
            domains.insert(link.domain().to_owned(), (count, NO_DAY, false));
        }
        let Some((number, first, any)) = domains.get_mut(link.domain()) else { return };
        if link.first != NO_DAY && (*first == NO_DAY || link.first < *first) {
            *first = link.first;
        }
        *any |= link.is_followed();
        let number = *number;
        totals.links += 1;
        followed += u64::from(link.is_followed());
        if link.is_lost() {
            totals.lost_links += 1
        } else {
            totals.live_links += 1
        }
        let mut add = |part: usize, name: &str| match parts[part].get_mut(name) {
            Some(sum) => sum.add(number),
            None if name.is_empty() => {}
            None => parts[part].entry(name.to_owned()).or_default().add(number),
        };
        attributes(&link).for_each(|name| add(0, name));
        add(1, form(&link));
        add(2, &link.language);
        add(3, ending(&link));
        tool_names(&link).for_each(|name| add(4, name));
        if link.target.is_empty() {
            totals.links_without_target += 1
        } else {
            match targets.get_mut(&link.target) {
                Some(sum) => sum.add(number),
                None => targets.entry(link.target.clone()).or_default().add(number),
            }
        }
        if let Some(month) = month(link.first) {
            months.entry(month).or_default().0 += 1;
        }
        if let Some(month) = month(link.lost) {
            months.entry(month).or_default().2 += 1;
        }
        *alike.entry((number, hash(&(link.target, link.anchor)))).or_default() += 1;
    })?;
    for (_, first, _) in domains.values() {
        if let Some(month) = month(*first) {
            months.entry(month).or_default().1 += 1;
        }
    }
    totals.domains = domains.len() as u64;
    totals.target_pages = targets.len() as u64;
    totals.followed_link_share = share(followed, totals.links);
    totals.followed_domain_share = share(domains.values().filter(|it| it.2).count() as u64, totals.domains);
    totals.sitewide_groups = alike.values().filter(|it| **it >= SITEWIDE).count() as u64;
    let aimed = totals.links - totals.links_without_target;
    let mut top: Vec<Target> = targets
        .into_iter()
        .map(|(url, it)| Target {
            url,
            links: it.links,
            domains: it.domains.len() as u64,
            share: share(it.links, aimed),
        })
        .collect();
    top.sort_by(|a, b| (b.domains, b.links).cmp(&(a.domains, a.links)).then_with(|| a.url.cmp(&b.url)));
    top.truncate(MOST);
    let growth: Vec<Month> = months
        .into_iter()
        .rev()
        .take(MONTHS)
        .map(|(month, (new_links, new_domains, lost_links))| Month {
            calendar_month: format!("{:04}-{:02}", month.0, month.1),
            new_links,
            new_domains,
            lost_links,
        })
        .collect();
    let [attributes, forms, languages, endings, tools] = parts.map(shown);
    let mut degraded = given.degraded;
    if totals.links_without_target > 0 {
        let why = format!("{} links are known from tools that do not say where they lead", totals.links_without_target);
        degraded.push(Degraded::new("targets", why));
    }
    let anchors = json!({ "site_id": given.site.id });
    Ok(Summed {
        totals,
        mix: Mix { attributes, forms, by_language: languages, endings, tools },
        top_targets: top,
        growth: growth.into_iter().rev().collect(),
        imports: given.links.profile.tools.clone(),
        basis: given.basis,
        degraded,
        next: vec![Next::new("backlinks.anchor.report", anchors, "shows what the links say")],
    })
}

fn shown(parts: BTreeMap<String, Sum>) -> Vec<Part> {
    let mut out: Vec<Part> =
        parts.into_iter().map(|(name, it)| Part { name, links: it.links, domains: it.domains.len() as u64 }).collect();
    out.sort_by(|a, b| (b.domains, b.links).cmp(&(a.domains, a.links)).then_with(|| a.name.cmp(&b.name)));
    out.truncate(MOST);
    out
}

/// The attributes of a link, `followed` without any.
fn attributes(link: &Link) -> impl Iterator<Item = &'static str> {
    rels(link.flags).chain(link.is_followed().then_some("followed"))
}

/// How a link is made.
pub(crate) fn form(link: &Link) -> &'static str {
    let named = [
        (flag::REDIRECT, "redirect"),
        (flag::CANONICAL, "canonical"),
        (flag::FRAME, "frame"),
        (flag::FORM, "form"),
        (flag::IMAGE, "image"),
    ];
    named.iter().find(|it| link.has(it.0)).map_or("text", |it| it.1)
}

fn ending(link: &Link) -> &str {
    link.domain().split_once('.').map_or("", |it| it.1)
}

fn month(day: i32) -> Option<(i32, u32)> {
    let (year, month, _) = crate::given::day(day)?.civil();
    Some((year, month))
}
