//! For each rule about the links of a page and what they lead to, links that break it and their nearest twins.

use kit::page::Link;

use crate::engine::{self, Choice};
use crate::index::Entry;
use crate::rule::Target;

/// A rule, the page, links that break it, links that do not.
pub(super) type TargetCase = (&'static str, Entry, Vec<(Link, Entry)>, Vec<(Link, Entry)>);

fn url(path: &str) -> String {
    format!("https://shop.example{path}")
}

fn page(path: &str) -> Entry {
    Entry { url: url(path), status: 200, page: true, indexable: true, canonical: Some(url(path)), ..Entry::default() }
}

fn to(entry: Entry) -> Vec<(Link, Entry)> {
    let link = Link { href: entry.url.clone(), url: entry.url.clone(), anchor: "Lamps".to_owned(), ..Link::default() };
    vec![(link, entry)]
}

pub(super) fn cases() -> Vec<TargetCase> {
    let copy = Entry { canonical: Some(url("/lamps")), indexable: false, ..page("/lamps?sort=price") };
    let blocked = Entry { blocked: true, url: url("/private"), ..Entry::default() };
    let listed = Entry { next: Some(url("/list/2")), ..page("/list") };
    vec![
        ("links.to_noindex", page("/"), to(Entry { noindex: true, ..page("/thanks") }), to(page("/lamps"))),
        ("links.to_canonicalised", page("/"), to(copy), to(page("/lamps"))),
        ("links.to_blocked", page("/"), to(blocked), to(page("/lamps"))),
        ("pagination.not_linked", listed, to(page("/lamps")), to(page("/list/2"))),
    ]
}

/// What a rule says of a page with these links.
pub(super) fn judge(id: &str, entry: &Entry, links: &[(Link, Entry)]) -> Vec<engine::Hit> {
    let targets: Vec<Target<'_>> = links.iter().map(|(link, entry)| Target { link, entry }).collect();
    engine::judge_targets(&Choice::default().only(&[id.to_owned()]), entry, &targets)
}
