//! Rules about how a page declares its canonical address.

pub(super) mod series;
pub(super) mod target;

use kit::page::{Canonical, PageFacts, Place};

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::host;

rules! {
    "canonical.missing" Canonical Notice Indexable Low 80 Page(missing);
    title "The page names no canonical address";
    why "Without one, every address with another parameter or slash is a page of its own until a search engine decides otherwise.";
    fix "cms.seo_meta.update" "Add a canonical link to the page's own address.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.multiple" Canonical Warning Page Low 97 Page(multiple);
    title "The page names several canonical addresses";
    why "When canonical links differ all of them are ignored (RFC 6596 knows one target).";
    fix "cms.seo_meta.update" "Keep one.";
    see "https://www.rfc-editor.org/rfc/rfc6596";

    "canonical.header_conflict" Canonical Warning Page Low 97 Page(header_conflict);
    title "Header and markup name different canonical addresses";
    why "Two places, two answers; search engines drop both.";
    fix "cms.seo_meta.update" "Send the canonical in one place only.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.relative" Canonical Notice Page Low 85 Page(relative);
    title "The canonical address is relative";
    why "A relative address follows the page to any copy and test host, and then names the copy.";
    fix "cms.seo_meta.update" "Write the whole address, with scheme and host.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.misplaced" Canonical Warning Page Low 97 Page(misplaced);
    title "The canonical link stands in the body";
    why "A canonical link counts in the head only; in the body it is ignored.";
    fix "onpage.markup.validate" "Move it into the head.";
    see "https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata";

    "canonical.invalid" Canonical Warning Page Low 97 Page(invalid);
    title "The canonical link holds no address";
    why "A canonical that cannot be read is as good as none, and hides that there is none.";
    fix "cms.seo_meta.update" "Write the page's own address.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.fragment" Canonical Notice Page Low 95 Page(fragment);
    title "The canonical address has a fragment";
    why "Search engines drop what follows the #; the canonical then names another address than was meant.";
    fix "cms.seo_meta.update" "Leave the fragment out.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.insecure" Canonical Warning Page Low 97 Page(insecure);
    title "A secure page names an insecure canonical";
    why "It asks search engines to show the http address although the page is served over https.";
    fix "cms.seo_meta.bulk_update" "Write https in the canonical link.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.other_host" Canonical Warning Page Low 75 Page(other_host);
    title "The canonical address is on another host";
    why "The page gives itself up for a page of another host; often a leftover of a move or a copied template.";
    fix "cms.seo_meta.update" "Name the page's own address unless the copy is meant.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
}

const ELEMENT: &str = "<link rel=\"canonical\">";

/// The canonicals that count: those in the head.
fn declared(page: &PageFacts) -> impl Iterator<Item = &Canonical> {
    page.canonicals.iter().filter(|canonical| canonical.place == Place::Head)
}

/// The canonicals that count, of the head or of a header.
fn effective(page: &PageFacts) -> impl Iterator<Item = &Canonical> {
    page.canonicals.iter().filter(|canonical| canonical.place != Place::Body)
}

fn missing(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (page.canonicals.is_empty()).then(|| Evidence::absent(ELEMENT).expected(&page.final_url))
}

fn multiple(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let mut urls = declared(page).map(|it| it.url.as_ref().unwrap_or(&it.href)).collect::<Vec<_>>();
    urls.sort_unstable();
    urls.dedup();
    let value = urls.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ");
    (urls.len() > 1).then(|| Evidence::at(ELEMENT, value).expected("one").count(urls.len()))
}

fn header_conflict(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let header = page.canonicals.iter().find(|it| it.place == Place::Header)?.url.as_ref()?;
    let head = declared(page).find_map(|it| it.url.as_ref())?;
    (header != head).then(|| Evidence::at("Link: rel=canonical", header).expected(head))
}

fn relative(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.url.is_some() && !it.href.trim().contains("://"))?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected(canonical.url.as_deref().unwrap_or_default()))
}

fn misplaced(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = page.canonicals.iter().find(|it| it.place == Place::Body)?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected("in the head"))
}

fn invalid(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.url.is_none())?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected(&page.final_url))
}

fn fragment(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let canonical = effective(page).find(|it| it.href.contains('#'))?;
    let without = canonical.href.split('#').next().unwrap_or_default();
    Some(Evidence::at(ELEMENT, &canonical.href).expected(without))
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let url = effective(page).filter_map(|it| it.url.as_ref()).find(|it| it.starts_with("http://"))?;
    page.final_url
        .starts_with("https://")
        .then(|| Evidence::at(ELEMENT, url).expected(url.replacen("http:", "https:", 1)))
}

fn other_host(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let own = host(&page.final_url)?;
    let url = effective(page).filter_map(|it| it.url.as_ref()).find(|it| host(it).is_some_and(|host| host != own))?;
    Some(Evidence::at(ELEMENT, url).expected(&page.final_url))
}
