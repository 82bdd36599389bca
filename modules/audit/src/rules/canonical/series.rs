//! Rules about pages of a series and their AMP versions.

use kit::page::{PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "amp.canonical_missing" Canonical Warning Page Low 92 Page(amp_canonical);
    title "An AMP page names no canonical";
    why "Without it the AMP page and the page it stands for are two pages to a search engine.";
    fix "cms.content.update" "Link to the page itself, or to its usual version, with rel=canonical.";
    see "https://amp.dev/documentation/guides-and-tutorials/learn/spec/amphtml";

    "pagination.self" Canonical Warning Page Low 92 Page(own_neighbour);
    title "A page of a series names itself as the one beside it";
    why "rel=next or rel=prev lead to the page itself, so the series never ends.";
    fix "cms.content.update" "Name the page before and the page after; leave out what is not there.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";

    "pagination.same" Canonical Notice Page Low 92 Page(same_neighbours);
    title "The page before and the page after are the same";
    why "One of rel=next and rel=prev is wrong, and the series has no order.";
    fix "cms.content.update" "Correct the one that is wrong.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";
}

fn amp_canonical(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let named = page.canonicals.iter().any(|it| it.place != Place::Body);
    (page.markup.amp && !named).then(|| Evidence::absent("<link rel=\"canonical\">").expected("the page it stands for"))
}

fn neighbours(page: &PageFacts) -> impl Iterator<Item = (&'static str, &str)> {
    let next = page.next.as_deref().map(|url| ("<link rel=\"next\">", url));
    let prev = page.prev.as_deref().map(|url| ("<link rel=\"prev\">", url));
    next.into_iter().chain(prev)
}

fn own_neighbour(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, url) = neighbours(page).find(|(_, url)| *url == page.final_url)?;
    Some(Evidence::at(element, url).expected("another page of the series"))
}

fn same_neighbours(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (next, prev) = (page.next.as_deref()?, page.prev.as_deref()?);
    (next == prev && next != page.final_url)
        .then(|| Evidence::at("<link rel=\"prev\">", prev).expected("another page than the next one"))
}
