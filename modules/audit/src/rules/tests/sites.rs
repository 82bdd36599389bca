//! For each rule about a whole site, a site that breaks it and its nearest twin that does not.

pub(super) mod more;

use super::SiteCase;
use crate::index::{Entry, SiteIndex, Source};

fn url(path: &str) -> String {
    if path.starts_with("https:") { path.to_owned() } else { format!("https://shop.example{path}") }
}

/// An indexable page that is its own canonical and has three links to it.
fn page(path: &str) -> Entry {
    Entry {
        url: url(path),
        status: 200,
        page: true,
        indexable: true,
        canonical: Some(url(path)),
        title: format!("Title of {path}"),
        description: format!("Description of {path}"),
        heading: format!("Heading of {path}"),
        text_hash: format!("hash of {path}"),
        words: 200,
        depth: Some(1),
        inlinks: 3,
        ..Entry::default()
    }
}

fn status(path: &str, status: u16) -> Entry {
    Entry { url: url(path), status, ..Entry::default() }
}

fn redirect(path: &str, to: &str) -> Entry {
    Entry { location: Some(url(to)), ..status(path, 301) }
}

fn canonical(path: &str, to: &str) -> Entry {
    Entry { canonical: Some(url(to)), indexable: path == to, ..page(path) }
}

fn noindex(path: &str) -> Entry {
    Entry { noindex: true, indexable: false, ..page(path) }
}

fn versions(path: &str, others: &[(&str, &str)]) -> Entry {
    Entry { alternates: others.iter().map(|(code, path)| ((*code).to_owned(), url(path))).collect(), ..page(path) }
}

fn listed(entry: Entry) -> Entry {
    Entry { in_sitemap: true, ..entry }
}

fn external(address: &str, code: u16) -> Entry {
    Entry { external: true, ..status(address, code) }
}

fn site<const N: usize>(entries: [Entry; N]) -> SiteIndex {
    SiteIndex::new(entries.into(), true)
}

fn linked(mut index: SiteIndex, target: &str) -> SiteIndex {
    index.link(&url(target), Source { from: url("/a"), anchor: "a lamp".to_owned() });
    index
}

/// Five pages whose titles end with the name of the website, the last of which has this title.
fn named(title: &str) -> SiteIndex {
    let page = |at: usize, title: String| Entry { title, ..page(&format!("/{at}")) };
    let others = (0..4).map(|at| page(at, format!("Lamp number {at} | Lamp shop")));
    SiteIndex::new(others.chain([page(4, title.to_owned())]).collect(), true)
}

pub(super) fn cases() -> Vec<SiteCase> {
    let twice = |change: fn(&mut Entry)| {
        let mut twin = page("/b");
        change(&mut twin);
        site([page("/a"), twin])
    };
    vec![
        ("title.duplicate", twice(|it| it.title = "TITLE of  /a".to_owned()), site([page("/a"), page("/b")])),
        ("title.boilerplate", named("Lamp shop"), named("Floor lamps | Lamp shop")),
        (
            "description.duplicate",
            twice(|it| it.description = "Description of /a".to_owned()),
            twice(|it| (it.description, it.indexable) = ("Description of /a".to_owned(), false)),
        ),
        (
            "heading.h1_duplicate",
            twice(|it| it.heading = "Heading of /a".to_owned()),
            twice(|it| it.heading = String::new()),
        ),
        ("content.duplicate", twice(|it| it.text_hash = "hash of /a".to_owned()), site([page("/a"), page("/b")])),
        (
            "url.variant_duplicate",
            site([page("/a"), page("/A/")]),
            site([page("/a?x=1"), page("/a?x=2"), redirect("/a/", "/a")]),
        ),
        (
            "redirect.chain",
            site([redirect("/1", "/2"), redirect("/2", "/3"), page("/3")]),
            site([redirect("/1", "/3"), redirect("/2", "/3"), page("/3")]),
        ),
        ("redirect.loop", site([redirect("/1", "/2"), redirect("/2", "/1")]), site([redirect("/1", "/2"), page("/2")])),
        (
            "redirect.to_error",
            site([redirect("/1", "/2"), status("/2", 404)]),
            site([redirect("/1", "/2"), page("/2")]),
        ),
        (
            "canonical.target_error",
            site([canonical("/a", "/gone"), status("/gone", 404)]),
            site([canonical("/a", "/b"), page("/b")]),
        ),
        (
            "canonical.target_redirects",
            site([canonical("/a", "/old"), redirect("/old", "/a")]),
            site([canonical("/a", "/a")]),
        ),
        (
            "canonical.target_not_indexable",
            site([canonical("/a", "/b"), noindex("/b")]),
            site([canonical("/a", "/b"), page("/b")]),
        ),
        (
            "canonical.chain",
            site([canonical("/a", "/b"), canonical("/b", "/c"), page("/c")]),
            site([canonical("/a", "/b"), page("/b")]),
        ),
        (
            "hreflang.no_return",
            site([versions("/en", &[("de", "/de")]), versions("/de", &[("de", "/de")])]),
            site([versions("/en", &[("de", "/de")]), versions("/de", &[("en", "/en")])]),
        ),
        (
            "hreflang.target_not_indexable",
            site([versions("/en", &[("de", "/de")]), redirect("/de", "/de/")]),
            site([versions("/en", &[("de", "/de")]), page("/de")]),
        ),
        (
            "links.broken_internal",
            linked(site([page("/a"), status("/gone", 404)]), "/gone"),
            linked(site([page("/a"), page("/gone")]), "/gone"),
        ),
        (
            "links.broken_external",
            linked(site([page("/a"), external("https://other.example/gone", 404)]), "https://other.example/gone"),
            linked(site([page("/a"), external("https://other.example/shy", 403)]), "https://other.example/shy"),
        ),
        (
            "links.to_redirect",
            linked(site([page("/a"), redirect("/old", "/a")]), "/old"),
            linked(site([page("/a"), status("/gone", 404)]), "/gone"),
        ),
        (
            "links.orphan",
            site([Entry { inlinks: 0, ..page("/a") }]),
            SiteIndex::new(vec![Entry { inlinks: 0, ..page("/a") }], false),
        ),
        ("links.few_inlinks", site([Entry { inlinks: 1, ..page("/a") }]), site([Entry { inlinks: 1, ..page("/") }])),
        ("links.deep", site([Entry { depth: Some(5), ..page("/a") }]), site([Entry { depth: Some(4), ..page("/a") }])),
        ("sitemap.error", site([listed(status("/gone", 410))]), site([status("/gone", 410)])),
        (
            "sitemap.redirect",
            site([listed(redirect("/old", "/new"))]),
            site([redirect("/old", "/new"), listed(page("/new"))]),
        ),
        ("sitemap.not_indexable", site([listed(noindex("/a"))]), site([noindex("/a"), listed(page("/b"))])),
        ("sitemap.missing", site([listed(page("/a")), page("/b")]), site([page("/a"), page("/b")])),
    ]
    .into_iter()
    .chain(more::cases())
    .collect()
}
