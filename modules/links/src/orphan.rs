//! The operation `links.orphan.list`.

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::{Basis, Degraded, Fix, json};
use search::Period;
use site::backlinks::LinkedPages;
use site::{Run, Site};
use visits::Store;

use crate::basis;
use crate::node;

/// From where a page is known that no link leads to.
#[value]
pub(crate) enum Known {
    Sitemap,
    Search,
    Logs,
    Cms,
    Backlinks,
}

#[args(paged)]
pub(crate) struct List {
    /// The website.
    site_id: Id<Site>,
    /// A crawl of it with a link graph; the newest one when left out.
    run_ref: Option<Id<Run>>,
    /// Only pages that are known from here.
    source: Option<Known>,
}

/// A page that no link leads to.
#[value]
pub(crate) struct Orphan {
    url: String,
    /// From where it is known.
    sources: Vec<Known>,
    /// Words of its main text.
    words: u32,
    /// Clicks from searches in 28 days; null where nobody knows.
    clicks: Option<u64>,
    /// Visits of search engines in 28 days; null where nobody knows.
    bot_hits: Option<u64>,
    /// What finds links for it.
    fix: Fix,
}

/// Pages that no link leads to.
#[page]
pub(crate) struct Orphans {
    /// The longest texts first.
    pages: Vec<Orphan>,
    /// How many there are.
    total: u64,
    /// What the list stands on.
    basis: Basis,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Lists pages known from sitemaps, search data, logs, CMS or backlinks that no internal link reaches, with their traffic.
///
/// No link reaches a page when no page that search engines read links to it with a link that may be followed.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    needs = ["store"],
    phrasings = [
        "find orphan pages",
        "which pages in my sitemap have no internal links",
        "pages that nothing links to",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "source": "sitemap" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Orphans> {
    let graph = match &args.run_ref {
        None => basis::newest(cx, &args.site_id)?,
        Some(run) => {
            site::get(cx, &args.site_id)?;
            let graph = basis::graph(cx, run)?;
            if graph.site_id != args.site_id.as_str() {
                return Err(Fault::not_found("run_not_found", "this crawl is of another website").at("/run_ref"));
            }
            graph
        }
    };
    let mut degraded = graph.degraded.clone();
    let (clicks, missing) = basis::clicks(cx, &graph.site_id);
    degraded.extend(missing.filter(|_| args.source.is_none_or(|wanted| wanted == Known::Search)));
    for (source, what) in [(Known::Cms, "cms: no list of items of the content system is stored")] {
        if args.source.is_none_or(|wanted| wanted == source) {
            degraded.push(Degraded::new("pages", what));
        }
    }
    let linked = LinkedPages::of(cx, &Id::new(graph.site_id.clone()));
    if linked.is_none() && args.source.is_none_or(|wanted| wanted == Known::Backlinks) {
        let missing = Degraded::new("pages", "backlinks: no links from other websites are imported");
        degraded.push(missing.supplied_by("backlinks.import.run", json!({ "site_id": graph.site_id })));
    }
    let has_backlinks = |node: &node::Node| linked.as_ref().is_some_and(|it| it.domains(&node.url) > 0);
    let nodes = node::pages(cx, &graph)?;
    let visits = visits(cx, &Id::new(graph.site_id.clone()), &mut degraded)?;
    if let Some(visits) = visits.as_ref().filter(|_| args.source.is_none_or(|wanted| wanted == Known::Logs)) {
        let known: std::collections::HashSet<&str> = nodes.iter().map(|node| node.url.as_str()).collect();
        let unknown = visits.keys().filter(|url| !known.contains(url.as_str())).count();
        if unknown > 0 {
            let why = format!("logs: {unknown} addresses that search engines ask for are not in this crawl");
            let list = json!({ "site_id": graph.site_id });
            degraded.push(Degraded::new("pages", why).supplied_by("logs.unlinked.list", list));
        }
    }
    if let Some(clicks) = clicks.as_ref().filter(|_| args.source.is_none_or(|wanted| wanted == Known::Search)) {
        let known: std::collections::HashSet<&str> = nodes.iter().map(|node| node.url.as_str()).collect();
        let unknown = clicks.pages().filter(|(page, _)| !known.contains(page)).count();
        if unknown > 0 {
            let why = format!("search: {unknown} pages that searches show are not in this crawl");
            degraded.push(Degraded::new("pages", why));
        }
    }
    let home = node::home(&nodes, &graph.origin);
    let orphan = |at: u32, node: &node::Node| node.is_sound() && node.inlinks == 0 && Some(at) != home;
    let mut found: Vec<&node::Node> =
        (0_u32..).zip(&nodes).filter(|(at, node)| orphan(*at, node)).map(|(_, node)| node).collect();
    // What a crawl knows and no link leads to is from a sitemap, or is linked in a way that is not followed.
    found.retain(|node| match args.source {
        None => true,
        Some(Known::Sitemap) => node.in_sitemap,
        Some(Known::Search) => clicks.as_ref().is_some_and(|it| it.has(&node.url)),
        Some(Known::Logs) => visits.as_ref().is_some_and(|it| it.contains_key(&node.url)),
        Some(Known::Backlinks) => has_backlinks(node),
        Some(Known::Cms) => false,
    });
    let clicked = |node: &node::Node| clicks.as_ref().map(|it| it.of(&node.url));
    found.sort_by(|a, b| clicked(b).cmp(&clicked(a)).then(b.words.cmp(&a.words)).then(a.url.cmp(&b.url)));
    let total = found.len() as u64;
    let Page { items: rows, next: next_cursor } = args.window(found)?;
    let pages = rows.into_iter().map(|node| Orphan {
        url: node.url.clone(),
        sources: [
            (Known::Sitemap, node.in_sitemap),
            (Known::Search, clicks.as_ref().is_some_and(|it| it.has(&node.url))),
            (Known::Logs, visits.as_ref().is_some_and(|it| it.contains_key(&node.url))),
            (Known::Backlinks, has_backlinks(node)),
        ]
        .into_iter()
        .filter_map(|(source, known)| known.then_some(source))
        .collect(),
        words: node.words,
        clicks: clicked(node),
        bot_hits: visits.as_ref().map(|it| it.get(&node.url).copied().unwrap_or(0)),
        fix: Fix::new(
            "links.suggestion.for_page",
            json!({ "site_id": graph.site_id, "url": node.url, "direction": "in" }),
        ),
    });
    Ok(Orphans { pages: pages.collect(), total, basis: basis::of(cx, &graph), degraded, next_cursor })
}

/// Requests of search engines in the last 28 days that have log lines; none, and said, where there are no lines.
fn visits(cx: &Cx, site: &Id<Site>, degraded: &mut Vec<Degraded>) -> Result<Option<HashMap<String, u64>>> {
    let store = Store::of(cx, site);
    let Some(last) = store.last_day(cx.now().day()) else {
        let save = json!({ "site_id": site, "name": "web", "format": "combined" });
        let missing = Degraded::new("pages", "logs: no log files of this website are stored");
        degraded.push(missing.supplied_by("logs.source.save", save));
        return Ok(None);
    };
    store.of_search_engines(Period::ending(last, 28)).map(Some).map_err(|why| why.at("/site_id"))
}

#[cfg(test)]
mod tests;
