//! The operation `cms.redirect.list`.

use sdk::prelude::*;
use sdk::{Degraded, Fix, Next, json};
use site::Site;

use super::graph::End;
use super::held::{Held, Redirects};
use super::{Redirect, key, place};

#[args(paged)]
pub(crate) struct List {
    /// The website, as listed.
    site_id: Id<Site>,
    /// A part of the source or the target.
    search: Option<Text<1, 200>>,
}

/// A redirect.
#[value]
pub(crate) struct Shown {
    redirect_ref: Id<Redirect>,
    /// A path of the website with its query; a pattern where `is_pattern` says so.
    from: String,
    /// Where it leads; null for what is gone.
    to: Option<String>,
    /// Its status.
    code: u16,
    /// Whether it answers visitors.
    is_live: bool,
    is_pattern: bool,
    /// Visitors since it was made; null where nobody counts.
    hits: Option<u64>,
    /// The day of the last one, as the plugin writes it.
    last_access: Option<String>,
    /// Whether it leads in a circle.
    in_loop: bool,
    /// Redirects that a visitor goes through, this one among them; null in a circle.
    hops: Option<u32>,
    /// Where a visitor ends; null in a circle and for what is gone.
    ends_at: Option<String>,
    /// The call that mends it; null when nothing is wrong with it.
    fix: Option<Fix>,
}

/// Redirects, those in a circle and those in a chain first.
#[page]
pub(crate) struct Listed {
    redirects: Vec<Shown>,
    /// Redirects that fit.
    total: u64,
    /// Whether the website's own plugin holds them; else they are kept here and do nothing by themselves.
    are_live: bool,
    /// What to do next.
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Lists redirects held by the Redirection plugin or the stored redirect map with hits and loop or chain flags.
#[operation(
    read,
    scope = "assets:read",
    cost = live(most = 30),
    needs = ["store", "connection:wordpress?"],
    outside = [
        "wordpress GET /wp-json",
        "wordpress GET /wp-json/wp/v2",
        "wordpress GET /wp-json/rankmath/v1",
        "wordpress GET /wp-json/redirection/v1/redirect",
    ],
    phrasings = [
        "list the redirects of my website",
        "which redirects lead in a circle",
        "show redirect chains in wordpress",
        "where does this old address redirect to",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "search": "/old" }]
)]
pub(crate) fn list(cx: &Cx, args: List) -> Result<Listed> {
    let site = site::get(cx, &args.site_id)?;
    let redirects = Redirects::of(cx, &site)?;
    let graph = redirects.graph();
    let search = args.search.as_ref().map(|it| it.as_str().to_lowercase());
    let fits = |it: &&Held| {
        search.as_ref().is_none_or(|words| {
            it.from.to_lowercase().contains(words) || it.to.as_ref().is_some_and(|to| to.to_lowercase().contains(words))
        })
    };
    let ends: Vec<(&Held, Option<End>)> = redirects
        .all
        .iter()
        .filter(fits)
        .map(|it| (it, (it.enabled && !it.is_pattern).then(|| graph.end(&key(&it.from)))))
        .collect();
    let rank = |end: &Option<End>| match end {
        Some(End::Loop) => 0,
        Some(End::At(_, hops)) if *hops > 1 => 1,
        _ => 2,
    };
    let mut ends = ends;
    ends.sort_by_key(|(it, end)| (rank(end), std::cmp::Reverse(it.hits)));
    let total = ends.len() as u64;
    let page = args.window(ends)?;
    let mut degraded = Vec::new();
    if redirects.cut {
        degraded.push(Degraded::new("redirects", "only the first 5,000 redirects of the plugin were read"));
    }
    let target = |end: &str| {
        if end.starts_with('/') || end.is_empty() {
            format!("{}{end}", kit::url::origin(&redirects.origin))
        } else {
            end.to_owned()
        }
    };
    let shown = |(it, end): (&Held, Option<End>)| {
        let (in_loop, hops, ends_at) = match &end {
            Some(End::Loop) => (true, None, None),
            Some(End::At(at, hops)) => (false, Some(*hops), Some(target(at))),
            Some(End::Gone) => (false, Some(1), None),
            None => (false, None, None),
        };
        let is_live = redirects.are_live() && it.enabled;
        let fix = match &end {
            Some(End::Loop) => Some(Fix::new(
                "cms.redirect.delete",
                json!({ "site_id": site.id, "sources": [it.from], "acknowledge_hits": true }),
            )),
            Some(End::At(at, hops)) if *hops > 1 => {
                let flat =
                    json!([{ "from": it.from, "to": target(at), "code": if it.code == 302 { 302 } else { 301 } }]);
                Some(Fix::new("cms.redirect.upsert", json!({ "site_id": site.id, "redirects": flat })))
            }
            _ => None,
        };
        Shown {
            redirect_ref: Id::new(it.id.clone()),
            from: it.from.clone(),
            to: it
                .to
                .as_deref()
                .map(|to| place(&redirects.origin, to).map_or_else(|| to.to_owned(), |_| to.to_owned())),
            code: it.code,
            is_live,
            is_pattern: it.is_pattern,
            hits: it.hits,
            last_access: it.last_access.clone(),
            in_loop,
            hops,
            ends_at,
            fix,
        }
    };
    let page = page.map(shown);
    let next = Fix::new("crawl.run.start", json!({ "site_id": site.id }))
        .because("finds links that lead to redirected addresses");
    Ok(Listed {
        redirects: page.items,
        next_cursor: page.next,
        total,
        are_live: redirects.are_live(),
        next: vec![next],
        degraded,
    })
}
