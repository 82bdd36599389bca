//! The rules that hold the links of a page against what they lead to.

use crate::evidence::Evidence;
use crate::index::Entry;
use crate::rule::{Target, rules};

rules! {
    "links.to_noindex" Links Notice Indexable Medium 45 Targets(to_noindex);
    title "The page links to pages that forbid indexing";
    why "Authority that flows to a page that nobody can find is lost to the others.";
    fix "links.leak.report" "Link to pages that can be indexed, or lift the noindex where it is a mistake.";
    see "https://developers.google.com/search/docs/crawling-indexing/block-indexing";

    "links.to_canonicalised" Links Notice Indexable Low 80 Targets(to_canonicalised);
    title "The page links to copies instead of the pages they stand for";
    why "Links say which address counts; links to a copy contradict its canonical.";
    fix "cms.link.replace" "Link to the canonical address.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "links.to_blocked" Links Notice Indexable Medium 50 Targets(to_blocked);
    title "The page links to addresses that robots.txt forbids";
    why "Search engines may list the addresses without a text, and cannot pass on what the links give.";
    fix "indexing.robots.test" "Open the addresses, or do not link to them from pages that are indexed.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots/intro";

    "pagination.not_linked" Links Notice Page Low 80 Targets(not_linked);
    title "The next page of a series is named and not linked";
    why "Google has not read rel=next since 2019: a page that only it names is not found.";
    fix "cms.content.update" "Link to the next page where readers see it.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";
}

fn some(
    targets: &[Target<'_>],
    expected: impl Fn(&Entry) -> String,
    wrong: impl Fn(&Entry) -> bool,
) -> Option<Evidence> {
    let found: Vec<&Target<'_>> = targets.iter().filter(|it| !it.entry.external && wrong(it.entry)).collect();
    let first = found.first()?;
    let evidence = Evidence::at(format!("<a href>{}</a>", first.link.anchor), &first.link.url);
    Some(evidence.expected(expected(first.entry)).count(found.len()))
}

fn to_noindex(_: &Entry, targets: &[Target<'_>]) -> Option<Evidence> {
    // A link that is not followed passes nothing on.
    let followed: Vec<Target<'_>> = targets.iter().filter(|it| !it.link.nofollow()).copied().collect();
    some(&followed, |_| "a page that may be indexed".to_owned(), |it| it.page && it.noindex)
}

fn copy(entry: &Entry) -> Option<&String> {
    entry.canonical.as_ref().filter(|canonical| entry.page && **canonical != entry.url && !entry.noindex)
}

fn to_canonicalised(_: &Entry, targets: &[Target<'_>]) -> Option<Evidence> {
    some(targets, |it| copy(it).cloned().unwrap_or_default(), |it| copy(it).is_some())
}

fn to_blocked(_: &Entry, targets: &[Target<'_>]) -> Option<Evidence> {
    some(targets, |_| "an address that may be fetched".to_owned(), |it| it.blocked)
}

fn not_linked(source: &Entry, targets: &[Target<'_>]) -> Option<Evidence> {
    let next = source.next.as_deref().filter(|next| *next != source.url)?;
    // A page that was never seen with a link at all is not judged by its links.
    let linked = targets.is_empty() || targets.iter().any(|it| it.entry.url == next);
    (!linked).then(|| Evidence::at("<link rel=\"next\">", next).expected(format!("a link to {next}")))
}
