//! Rules about what keeps a page out of the index.

pub(super) mod directive;
pub(super) mod unmeant;

use kit::page::{PageFacts, Reason};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "indexability.noindex" Indexability Warning Page Low 70 Page(noindex);
    title "The page forbids its indexing";
    why "A noindex keeps the page out of results altogether; on pages that should be found it is the worst of faults.";
    fix "cms.seo_meta.update" "Remove the directive if the page should be found; leave it if it should not, and stop linking to it from a sitemap.";
    see "https://developers.google.com/search/docs/crawling-indexing/block-indexing";

    "indexability.blocked" Indexability Notice Address Low 60 Page(blocked);
    title "robots.txt keeps crawlers out";
    why "The address is linked but may not be fetched (RFC 9309); it can still appear in results, without its text.";
    fix "indexing.robots.compose" "Allow the address in robots.txt, or let crawlers in and say noindex.";
    see "https://www.rfc-editor.org/rfc/rfc9309";

    "indexability.conflict" Indexability Warning Page Low 90 Page(conflict);
    title "Robots directives contradict each other";
    why "Of two directives that contradict each other the stricter one counts, which is seldom the one that was meant.";
    fix "cms.seo_meta.update" "Keep one set of directives, in one place.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.nofollow" Indexability Warning Page Low 85 Page(nofollow);
    title "The page asks not to follow its links";
    why "A nofollow for the whole page cuts everything it links to off from the page's authority.";
    fix "cms.seo_meta.update" "Remove the directive; mark single links where it is meant.";
    see "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag";

    "indexability.meta_refresh" Indexability Warning Page Low 90 Page(meta_refresh);
    title "The page moves its visitors by a meta refresh";
    why "A redirect in the markup is slower than one by status, breaks the back button, and older readers miss it.";
    fix "cms.redirect.upsert" "Redirect with status 301 or 308.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "indexability.robots_misplaced" Indexability Warning Page Low 90 Page(robots_misplaced);
    title "A robots element stands outside the head";
    why "Directives belong into the head; in the body some crawlers obey them and others do not.";
    fix "onpage.markup.validate" "Move the element into the head, before anything that ends it.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "indexability.head_cut" Indexability Warning Page Low 95 Page(head_cut);
    title "The head ends before its elements";
    why "An element that does not belong into the head ends it; the metadata after it falls into the body and is ignored.";
    fix "onpage.markup.validate" "Move the element named here below the last element of the head.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "indexability.noindex_canonical" Indexability Notice Page Low 85 Page(noindex_canonical);
    title "noindex and a canonical on one page";
    why "One says forget this page, the other says count it for that page; search engines must guess which is meant.";
    fix "cms.seo_meta.update" "Keep the canonical for duplicates, noindex for pages that should not be found.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
}

/// Every directive of the page with where it stands.
fn directives(page: &PageFacts) -> impl Iterator<Item = (&'static str, &str)> {
    let meta = page.meta_robots.iter().map(|it| ("<meta name=\"robots\">", it.as_str()));
    let header = page.x_robots_tag.iter().map(|it| ("X-Robots-Tag", it.as_str()));
    meta.chain(header)
}

fn noindex(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (element, directive) = directives(page).find(|(_, it)| matches!(*it, "noindex" | "none"))?;
    Some(Evidence::at(element, directive).expected("no noindex, if the page should be found"))
}

fn blocked(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.indexability.reason == Reason::RobotsBlocked)
        .then(|| Evidence::at("robots.txt", "disallowed").expected("allowed, or not linked"))
}

fn conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let pairs = [("index", "noindex"), ("follow", "nofollow"), ("all", "none"), ("all", "noindex"), ("index", "none")];
    let has = |name: &str| directives(page).any(|(_, it)| it == name);
    let (permit, forbid) = pairs.into_iter().find(|(permit, forbid)| has(permit) && has(forbid))?;
    Some(Evidence::at("robots directives", format!("{permit}, {forbid}")).expected("one of the two"))
}

fn nofollow(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    // `none` is noindex and nofollow; the page is then reported as noindex.
    let (element, directive) = directives(page).find(|(_, it)| *it == "nofollow")?;
    Some(Evidence::at(element, directive).expected("follow, which is the default"))
}

fn meta_refresh(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let refresh = page.meta_refresh.as_ref()?;
    let url = refresh.url.as_ref()?;
    let value = format!("{}; url={url}", refresh.seconds);
    Some(Evidence::at("<meta http-equiv=\"refresh\">", value).expected("a redirect by status"))
}

fn robots_misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let element = page.head_end.misplaced.iter().find(|it| *it == "meta:robots")?;
    Some(Evidence::at(element, "in the body").expected("in the head"))
}

fn head_cut(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let closed_by = page.head_end.closed_by.as_deref().filter(|_| !page.head_end.misplaced.is_empty())?;
    let lost = page.head_end.misplaced.join(", ");
    Some(
        Evidence::at(format!("<{closed_by}>"), lost)
            .expected("all of them in the head")
            .count(page.head_end.misplaced.len()),
    )
}

fn noindex_canonical(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    noindex(page, site)?;
    let canonical = page.canonicals.iter().filter_map(|it| it.url.as_ref()).find(|it| **it != page.final_url)?;
    Some(Evidence::at("<link rel=\"canonical\">", canonical).expected("a canonical or a noindex, not both"))
}
