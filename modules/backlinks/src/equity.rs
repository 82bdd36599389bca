//! The operation `backlinks.equity.report`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use addresses::Known;
use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, Next, json};
use site::{Run, Site};

use crate::given::{Given, share};
use crate::link::bare;

/// Redirects that are followed.
const HOPS: usize = 10;
/// Pages that one answer lists.
const MOST: usize = 50;
/// Domains with followed links from which a page that hands nothing on is a loss.
const STRONG: usize = 3;

#[args]
pub(crate) struct Report {
    /// The website.
    site_id: Id<Site>,
    /// A crawl of it; the newest one when left out.
    run_ref: Option<Id<Run>>,
}

/// Where links land.
#[value]
#[derive(Default)]
pub(crate) struct Part {
    links: u64,
    domains: u64,
    link_share: Option<f64>,
    domain_share: Option<f64>,
}

/// A page that links do not reach.
#[value]
pub(crate) struct LostPage {
    url: String,
    /// `redirected_to_error`, `error`, `non_indexable` or `unknown`.
    #[own]
    lands: String,
    links: u64,
    domains: u64,
    fix: Option<Fix>,
}

/// A page that is linked to and hands nothing on.
#[value]
pub(crate) struct Stuck {
    url: String,
    /// Domains with followed links to it.
    domains: u64,
    /// Own pages that it hands authority on to.
    internal_links: u32,
    fix: Option<Fix>,
}

/// Where links from other websites land.
#[value]
pub(crate) struct Landed {
    /// By where they land: `indexable`, `one_redirect`, `two_redirects`, `more_redirects`, `error`, `non_indexable`, `unknown`.
    shares: BTreeMap<String, Part>,
    links: u64,
    domains: u64,
    /// Those with the most domains first, at most 50.
    lost: Vec<LostPage>,
    /// Those with the most domains first, at most 50; empty without a link graph.
    stuck_pages: Vec<Stuck>,
    crawl: Basis,
    basis: Basis,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

#[derive(Default)]
struct Sum {
    url: String,
    links: u64,
    domains: BTreeSet<u32>,
    followed: BTreeSet<u32>,
}

/// Reports where external links land: share reaching indexable canonical pages, through redirects, to errors, and pages whose external links never flow on internally.
///
/// Counted are followed links that neither a tool nor a look calls lost, by links and by domains. Redirects are followed in the crawl.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["where do our backlinks land", "link equity lost to redirects", "backlinks wasted on errors"],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn report(cx: &Cx, args: Report) -> Result<Landed> {
    let given = Given::of(cx, &args.site_id)?;
    let run = match &args.run_ref {
        Some(run) => {
            let run = site::readable(cx, run)?;
            if run.0.site_id != given.site.id.as_str() {
                return Err(Fault::not_found("run_not_found", "this crawl is of another website").at("/run_ref"));
            }
            run
        }
        None => site::required(cx, &given.site.id)?,
    };
    let pages = addresses::of(cx, &run.id);
    let by_url: HashMap<&str, &Known> = pages.all.iter().map(|it| (bare(&it.url), it)).collect();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    given.links.each(|link| {
        if link.target.is_empty() || link.is_lost() || !link.is_followed() {
            return;
        }
        let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let number = *numbers.entry(link.domain().to_owned()).or_insert(count);
        let it = sums.entry(bare(&link.target).to_owned()).or_default();
        it.links += 1;
        it.domains.insert(number);
        it.followed.insert(number);
        it.url = link.target;
    })?;
    let mut shares: BTreeMap<&'static str, (u64, BTreeSet<u32>)> = BTreeMap::new();
    let mut reached: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    let mut lost: Vec<(&'static str, &Sum)> = Vec::new();
    for (key, sum) in &sums {
        let (lands, end) = landing(key, &by_url);
        let (links, domains) = shares.entry(lands).or_default();
        *links += sum.links;
        domains.extend(&sum.domains);
        if let Some(end) = end.filter(|it| it.is_indexable()) {
            reached.entry(end.url.as_str()).or_default().extend(&sum.followed);
        }
        match lands {
            "error" if end.is_some_and(|it| bare(&it.url) != key) => lost.push(("redirected_to_error", sum)),
            "error" | "non_indexable" | "unknown" => lost.push((lands, sum)),
            _ => {}
        }
    }
    lost.sort_by(|a, b| {
        (b.1.domains.len(), b.1.links).cmp(&(a.1.domains.len(), a.1.links)).then_with(|| a.1.url.cmp(&b.1.url))
    });
    let links: u64 = sums.values().map(|it| it.links).sum();
    let domains = numbers.len() as u64;
    let mut degraded = given.degraded.clone();
    degraded.extend(pages.degraded.clone());
    let stuck_pages = stuck(cx, &given.site.id, &reached, &run, &mut degraded);
    let parts = shares.into_iter().map(|(name, (of, from))| {
        let from = from.len() as u64;
        let part = Part { links: of, domains: from, link_share: share(of, links), domain_share: share(from, domains) };
        (name.to_owned(), part)
    });
    let next = if lost.is_empty() {
        Vec::new()
    } else {
        let list = json!({ "site_id": given.site.id });
        vec![Next::new("backlinks.broken.list", list, "names the page that took the place of each lost one")]
    };
    Ok(Landed {
        shares: parts.collect(),
        links,
        domains,
        lost: lost.into_iter().take(MOST).map(|(lands, sum)| lost_page(lands, sum)).collect(),
        stuck_pages,
        crawl: site::basis(cx, &run),
        basis: given.basis.clone(),
        degraded,
        next,
    })
}

/// Where a link to an address lands, and the page that it lands on.
fn landing<'a>(key: &str, by_url: &HashMap<&str, &'a Known>) -> (&'static str, Option<&'a Known>) {
    let Some(mut page) = by_url.get(key).copied() else { return ("unknown", None) };
    let mut hops = 0;
    while matches!(page.reason.as_str(), "redirect" | "meta_refresh") && hops < HOPS {
        let to = page.redirect_to.as_deref().and_then(kit::url::normalize);
        let Some(next) = to.and_then(|it| by_url.get(bare(&it)).copied()) else { return ("unknown", Some(page)) };
        page = next;
        hops += 1;
    }
    let lands = match page.reason.as_str() {
        "ok" | "not_document" => match hops {
            0 => "indexable",
            1 => "one_redirect",
            2 => "two_redirects",
            _ => "more_redirects",
        },
        "noindex" | "noindex_header" | "robots_blocked" | "canonicalised" => "non_indexable",
        _ => "error",
    };
    (lands, Some(page))
}

fn lost_page(lands: &'static str, sum: &Sum) -> LostPage {
    LostPage {
        url: sum.url.clone(),
        lands: lands.to_owned(),
        links: sum.links,
        domains: sum.domains.len() as u64,
        fix: Fix::on("indexing.url.check", &sum.url).if_served(),
    }
}

/// Pages with links of several domains that hand nothing on.
fn stuck(
    cx: &Cx,
    site: &Id<Site>,
    reached: &BTreeMap<&str, BTreeSet<u32>>,
    run: &Stored<Run>,
    degraded: &mut Vec<Degraded>,
) -> Vec<Stuck> {
    let graph = linkgraph::newest(cx, site).and_then(|graph| linkgraph::pages(cx, &graph));
    let Some(nodes) = graph else {
        let why = "no link graph is built, so it is not known which pages hand nothing on";
        degraded.push(Degraded::new("stuck_pages", why).supplied_by("links.graph.build", json!({ "run_ref": run.id })));
        return Vec::new();
    };
    let mut out: Vec<Stuck> = nodes
        .into_iter()
        .filter(|node| node.outlinks == 0 && node.is_sound())
        .filter_map(|node| {
            let domains = reached.get(node.url.as_str())?.len();
            let page = json!({ "site_id": site, "url": node.url, "direction": "out" });
            (domains >= STRONG).then(|| Stuck {
                fix: Fix::new("links.suggestion.for_page", page).if_served(),
                domains: domains as u64,
                internal_links: node.outlinks,
                url: node.url,
            })
        })
        .collect();
    out.sort_by(|a, b| b.domains.cmp(&a.domains).then_with(|| a.url.cmp(&b.url)));
    out.truncate(MOST);
    out
}
