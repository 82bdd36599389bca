//! Cases of links to a page, robots.txt, series, twins and versions.

use kit::crawled::RobotsSummary;

use super::{SiteCase, canonical, noindex, page, redirect, site, status, url, versions};
use crate::index::{Entry, SiteIndex};

/// A site of one page whose robots.txt says this.
fn told(robots: RobotsSummary, entry: Entry) -> SiteIndex {
    let mut index = site([entry]);
    index.told(robots);
    index
}

fn robots(state: &str) -> RobotsSummary {
    RobotsSummary {
        status: if state == "unreachable" { 503 } else { 404 },
        state: state.to_owned(),
        sitemaps: vec![url("/sitemap.xml")],
        ..RobotsSummary::default()
    }
}

fn unnamed(state: &str) -> RobotsSummary {
    RobotsSummary { sitemaps: Vec::new(), ..robots(state) }
}

fn delayed(milliseconds: u64) -> RobotsSummary {
    RobotsSummary { crawl_delay_ms: Some(milliseconds), ..robots("found") }
}

fn next(path: &str, to: &str) -> Entry {
    Entry { next: Some(url(to)), ..page(path) }
}

fn amp(path: &str, to: &str) -> Entry {
    Entry { amphtml: Some(url(to)), ..page(path) }
}

fn printed(entry: Entry, simhash: u64) -> Entry {
    Entry { simhash: kit::simhash::to_hex(simhash), ..entry }
}

/// Ten pages of which so many name versions.
fn habit(named: usize) -> SiteIndex {
    let one = |at: usize| match at < named {
        true => versions(&format!("/{at}"), &[("en", "/en"), ("de", "/de")]),
        false => page(&format!("/{at}")),
    };
    SiteIndex::new((0..10).map(one).collect(), true)
}

/// A site on which nothing is wrong.
pub(in crate::rules::tests) fn clean() -> SiteIndex {
    let one = |at: u64| Entry {
        in_sitemap: true,
        followed: 3,
        found: 3,
        named: 3,
        // SplitMix64: fingerprints of unrelated texts.
        simhash: kit::simhash::to_hex((at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)),
        ..page(&if at == 0 { "/".to_owned() } else { format!("/lamp-{at}") })
    };
    let mut index = SiteIndex::new((0..20).map(one).collect(), true);
    index.told(robots("found"));
    index
}

/// So many redirects to the home page.
fn lost(count: usize) -> SiteIndex {
    let old = (0..count).map(|at| redirect(&format!("/old/{at}"), "/"));
    SiteIndex::new(old.chain([page("/"), redirect("/index.html", "/")]).collect(), true)
}

pub(super) fn cases() -> Vec<SiteCase> {
    let counted = |followed: u32, found: u32, named: u32| site([Entry { followed, found, named, ..page("/a") }]);
    let home = || page("/");
    vec![
        ("links.only_nofollow", counted(0, 3, 3), counted(1, 3, 3)),
        ("links.only_from_hidden", counted(3, 0, 3), counted(3, 1, 3)),
        ("links.only_unnamed", counted(3, 3, 0), counted(3, 3, 1)),
        ("robots.missing", told(robots("missing"), home()), told(robots("found"), home())),
        ("robots.unreachable", told(robots("unreachable"), home()), told(robots("missing"), home())),
        ("robots.crawl_delay", told(delayed(10_000), home()), told(delayed(1_000), home())),
        ("sitemap.none", told(unnamed("missing"), home()), told(robots("found"), home())),
        (
            "sitemap.unnamed",
            told(unnamed("found"), Entry { in_sitemap: true, ..home() }),
            told(unnamed("found"), home()),
        ),
        ("pagination.target_error", site([next("/1", "/2"), status("/2", 404)]), site([next("/1", "/2"), page("/2")])),
        (
            "pagination.no_return",
            site([next("/1", "/2"), page("/2")]),
            site([next("/1", "/2"), Entry { prev: Some(url("/1")), ..page("/2") }]),
        ),
        (
            "amp.target_error",
            site([amp("/a", "/a/amp"), status("/a/amp", 404)]),
            site([amp("/a", "/a/amp"), page("/a/amp")]),
        ),
        (
            "amp.no_return",
            site([amp("/a", "/a/amp"), page("/a/amp")]),
            site([amp("/a", "/a/amp"), canonical("/a/amp", "/a")]),
        ),
        (
            "url.host_duplicate",
            site([page("/a"), page("https://www.shop.example/a")]),
            site([page("/a"), page("https://www.shop.example/b")]),
        ),
        (
            "url.order_duplicate",
            site([page("/a?x=1&y=2"), page("/a?y=2&x=1")]),
            site([page("/a?x=1&y=2"), page("/a?y=1&x=2")]),
        ),
        (
            "url.index_duplicate",
            site([page("/shop/"), page("/shop/index.html")]),
            site([page("/shop/"), redirect("/shop/index.html", "/shop/")]),
        ),
        (
            "content.near_duplicate",
            site([printed(page("/a"), 0b1), printed(page("/b"), 0b11)]),
            site([printed(page("/a"), 0b1), printed(page("/b"), u64::MAX)]),
        ),
        (
            "canonical.unlike",
            site([printed(canonical("/a", "/b"), 0), printed(page("/b"), u64::MAX)]),
            site([printed(canonical("/a", "/b"), 0), printed(page("/b"), 7)]),
        ),
        (
            "canonical.to_home",
            site([page("/"), canonical("/a", "/"), canonical("/b", "/"), canonical("/c", "/")]),
            site([page("/"), canonical("/a", "/"), canonical("/?a=1", "/"), canonical("/index.html", "/")]),
        ),
        ("redirect.to_home", lost(5), lost(4)),
        (
            "redirect.to_hidden",
            site([redirect("/old", "/new"), noindex("/new")]),
            site([redirect("/old", "/new"), page("/new")]),
        ),
        (
            "hreflang.language_disagrees",
            site([versions("/en", &[("de", "/at")]), versions("/at", &[("de-AT", "/at"), ("en", "/en")])]),
            site([versions("/en", &[("de", "/at")]), versions("/at", &[("de", "/at"), ("en", "/en")])]),
        ),
        (
            "hreflang.set_differs",
            site([versions("/en", &[("de", "/de"), ("fr", "/fr")]), versions("/de", &[("de", "/de"), ("en", "/en")])]),
            site([versions("/en", &[("de", "/de")]), versions("/de", &[("de", "/de"), ("en", "/en")])]),
        ),
        (
            "hreflang.default_differs",
            site([
                versions("/en", &[("de", "/de"), ("x-default", "/en")]),
                versions("/de", &[("en", "/en"), ("x-default", "/de")]),
            ]),
            site([
                versions("/en", &[("de", "/de"), ("x-default", "/en")]),
                versions("/de", &[("en", "/en"), ("x-default", "/en")]),
            ]),
        ),
        ("hreflang.missing", habit(9), habit(6)),
    ]
}
