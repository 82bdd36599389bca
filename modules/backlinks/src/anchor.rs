//! The operation `backlinks.anchor.report`.

mod class;

use std::collections::{BTreeMap, BTreeSet};

use kit::statistics::{round, wilson};
use kit::terms::Analyzer;
use sdk::prelude::*;
use sdk::{Basis, Degraded, json};
use site::Site;
use site::brand::Brand;

use self::class::{Class, class, name};

use crate::given::{Given, share};
use crate::link::{Link, flag};

/// Texts that one answer lists.
const MOST: usize = 100;
/// Targets whose queries are looked up.
const TARGETS: usize = 20;
/// The part of followed domains with the very query as text from which it looks made.
const EXACT: f64 = 0.2;
/// The part of domains with one text from which it looks made.
const ONE_TEXT: f64 = 0.3;
/// Domains below which a share says nothing.
const FEWEST: u64 = 20;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// Links to this own page alone.
    target: Option<Url>,
}

/// Texts of a kind.
#[value]
pub(crate) struct Kind {
    links: u64,
    domains: u64,
    /// The part of all domains whose links have a text that is known.
    domain_share: Option<f64>,
    /// Domains with a followed link.
    followed_domains: u64,
}

/// A text of links.
#[value]
pub(crate) struct Anchor {
    /// Empty for pictures without text.
    anchor: String,
    class: Class,
    links: u64,
    domains: u64,
    followed_links: u64,
    /// The page that most of them lead to.
    target: Option<String>,
}

/// Something that looks made.
#[value]
pub(crate) struct Warning {
    #[own]
    problem: String,
    anchor: Option<String>,
    /// The part of domains, with its 95 % interval (Wilson) and their number.
    share: f64,
    ci95: [f64; 2],
    n: u64,
    #[own]
    message: String,
}

/// The texts of links to a website.
#[value]
pub(crate) struct Anchors {
    /// By kind.
    classes: BTreeMap<String, Kind>,
    /// Those of the most domains first, at most 100.
    anchors: Vec<Anchor>,
    anchors_total: u64,
    links: u64,
    domains: u64,
    warnings: Vec<Warning>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

#[derive(Default)]
struct Sum {
    links: u64,
    followed: u64,
    image: u64,
    domains: BTreeSet<u32>,
    followed_domains: BTreeSet<u32>,
    targets: BTreeMap<String, u64>,
}

/// Classifies anchors into brand, URL, generic, exact, partial, image and other, and warns of shares that natural links do not have.
///
/// A text is of the first kind that fits: picture, address, brand, query, generic. Queries are those that Search Console shows the
/// linked pages for. A warning says what is unusual, not that anybody punishes it: search engines publish no limits.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["anchor text report", "what do links to us say", "is our anchor text over-optimised"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "target": "https://shop.example/lamps" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Anchors> {
    let given = Given::of(cx, &args.site_id)?;
    let only = args.target.as_ref().map(|it| kit::url::normalize(it.as_str()).unwrap_or_default());
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    let (mut links, mut unknown) = (0, 0);
    let mut languages: BTreeMap<String, u64> = BTreeMap::new();
    given.links.each(|link| {
        let is_asked = only.as_ref().is_none_or(|it| crate::link::bare(it) == crate::link::bare(&link.target));
        if !is_asked || link.is_lost() {
            return;
        }
        links += 1;
        match languages.get_mut(&link.language) {
            Some(count) => *count += 1,
            None if link.language.is_empty() => {}
            None => _ = languages.insert(link.language.clone(), 1_u64),
        }
        let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let domain = *numbers.entry(link.domain().to_owned()).or_insert(count);
        add(&mut sums, link, domain, &mut unknown);
    })?;
    let mut degraded = given.degraded;
    let queries = queries(cx, &given.site.id, &sums, &mut degraded);
    if unknown > 0 {
        let why = format!("{unknown} links are known from tools that do not say their text");
        degraded.push(Degraded::new("anchors", why));
    }
    let brand = Brand::of(&given.site);
    // Texts are in the language of the pages that link.
    let language = languages.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
    let analyzer = &Analyzer::new(&language.map_or_else(|| "en".to_owned(), |it| it.0));
    let mut classes: BTreeMap<&'static str, (u64, BTreeSet<u32>, BTreeSet<u32>)> = BTreeMap::new();
    let mut anchors: Vec<Anchor> = Vec::new();
    for (anchor, sum) in &sums {
        let target = sum.targets.iter().max_by(|a, b| a.1.cmp(b.1).then_with(|| b.0.cmp(a.0))).map(|it| it.0.clone());
        let of_target = target.as_ref().and_then(|it| queries.get(it));
        let class = class(anchor, sum.image > 0, &brand, of_target.map_or(&[], Vec::as_slice), analyzer);
        let (count, domains, followed) = classes.entry(name(class)).or_default();
        *count += sum.links;
        domains.extend(&sum.domains);
        followed.extend(&sum.followed_domains);
        anchors.push(Anchor {
            anchor: anchor.clone(),
            class,
            links: sum.links,
            domains: sum.domains.len() as u64,
            followed_links: sum.followed,
            target: target.filter(|it| !it.is_empty()),
        });
    }
    let known: BTreeSet<u32> =
        classes.iter().filter(|it| *it.0 != "unknown").flat_map(|it| it.1.1.iter().copied()).collect();
    let all: BTreeSet<u32> = sums.values().flat_map(|it| it.followed_domains.iter().copied()).collect();
    let mut warnings = Vec::new();
    let exact = classes.get("exact").map_or(0, |it| it.2.len() as u64);
    warn(
        &mut warnings,
        "exact_match",
        None,
        exact,
        all.len() as u64,
        EXACT,
        "of the domains with followed links use the very query that a page is found by as text",
    );
    anchors.sort_by(|a, b| (b.domains, b.links).cmp(&(a.domains, a.links)).then_with(|| a.anchor.cmp(&b.anchor)));
    let texts =
        anchors.iter().filter(|it| !matches!(it.class, Class::Brand | Class::Url | Class::Image | Class::Unknown));
    if let Some(first) = texts.max_by_key(|it| it.domains) {
        let (text, domains) = (Some(first.anchor.clone()), first.domains);
        warn(
            &mut warnings,
            "one_text",
            text,
            domains,
            known.len() as u64,
            ONE_TEXT,
            "of the domains use this one text",
        );
    }
    let anchors_total = anchors.len() as u64;
    anchors.truncate(MOST);
    let classes = classes.into_iter().map(|(name, (links, domains, followed))| {
        let is_known = name != "unknown";
        let kind = Kind {
            links,
            domains: domains.len() as u64,
            domain_share: if is_known { share(domains.len() as u64, known.len() as u64) } else { None },
            followed_domains: followed.len() as u64,
        };
        (name.to_owned(), kind)
    });
    Ok(Anchors {
        classes: classes.collect(),
        anchors,
        anchors_total,
        links,
        domains: numbers.len() as u64,
        warnings,
        basis: given.basis,
        degraded,
    })
}

fn add(sums: &mut BTreeMap<String, Sum>, link: Link, domain: u32, unknown: &mut u64) {
    // Search Console and its like say no text: that is no picture.
    let says_text = link.tools & !1 != 0;
    *unknown += u64::from(!says_text);
    let key = if says_text { link.anchor.clone() } else { "\0".to_owned() };
    let sum = sums.entry(key).or_default();
    sum.links += 1;
    sum.image += u64::from(link.has(flag::IMAGE));
    sum.domains.insert(domain);
    if link.is_followed() {
        sum.followed += 1;
        sum.followed_domains.insert(domain);
    }
    *sum.targets.entry(link.target).or_default() += 1;
}

/// The queries of the pages that most links lead to.
fn queries(
    cx: &Cx,
    site: &Id<Site>,
    sums: &BTreeMap<String, Sum>,
    degraded: &mut Vec<Degraded>,
) -> BTreeMap<String, Vec<String>> {
    let mut targets: BTreeMap<&str, u64> = BTreeMap::new();
    sums.values().flat_map(|it| &it.targets).for_each(|(url, links)| *targets.entry(url).or_default() += links);
    let mut most: Vec<(&str, u64)> = targets.into_iter().filter(|it| !it.0.is_empty()).collect();
    most.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let mut found = BTreeMap::new();
    for (url, _) in most.into_iter().take(TARGETS) {
        match search::page_queries(cx, site, url, 5) {
            Some(queries) => {
                found.insert(url.to_owned(), queries.into_iter().map(|it| it.query).collect());
            }
            None => {
                let why = "no search figures by page and query are stored, so texts that are a page's very query are not told apart";
                let sync = json!({ "site_id": site, "dimensions": ["page", "query"] });
                degraded.push(Degraded::new("queries", why).supplied_by("search_console.sync.run", sync));
                break;
            }
        }
    }
    found
}

/// Warns where even the lower bound of a share is above a line.
fn warn(
    out: &mut Vec<Warning>,
    problem: &str,
    anchor: Option<String>,
    part: u64,
    whole: u64,
    line: f64,
    message: &str,
) {
    if whole < FEWEST {
        return;
    }
    let [low, high] = wilson(part, whole);
    if low > line {
        let share = kit::number::as_number(part) / kit::number::as_number(whole);
        out.push(Warning {
            problem: problem.to_owned(),
            anchor,
            share: round(share, 4),
            ci95: [round(low, 4), round(high, 4)],
            n: whole,
            message: format!("{:.0} % {message}; that is unusual", share * 100.0),
        });
    }
}

#[cfg(test)]
mod tests;
