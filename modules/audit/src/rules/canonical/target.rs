//! Rules about canonical links that say something else than was meant.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::canonical::{ELEMENT, effective};
use crate::rules::fact::{is_home, split};

rules! {
    "canonical.tracking" Canonical Notice Page Low 92 Page(tracking);
    title "The canonical address carries campaign parameters";
    why "The address to be shown should be the plain one; with a campaign in it every visit from search is counted for that campaign.";
    fix "cms.seo_meta.update" "Name the address without the parameters.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";

    "canonical.paginated_to_first" Canonical Warning Page Low 85 Page(paginated);
    title "A later page of a list names the first as its canonical";
    why "Pages of a list hold different things; Google asks to give each its own canonical, else what only later pages link to is lost.";
    fix "cms.seo_meta.bulk_update" "Name the address of each page itself.";
    see "https://developers.google.com/search/docs/specialty/ecommerce/pagination-and-incremental-page-loading";

    "canonical.restricted" Canonical Warning Page Low 90 Page(restricted);
    title "The canonical link is restricted";
    why "A canonical link with hreflang, lang, media or type is left aside by Google: it says something about a version.";
    fix "cms.seo_meta.update" "Write rel and href alone.";
    see "https://developers.google.com/search/docs/crawling-indexing/consolidate-duplicate-urls";
}

fn tracking(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let tracked = |href: &str| {
        let query = href.split_once('?').map_or("", |(_, query)| query);
        query.split('&').any(|pair| kit::url::is_tracking(pair.split('=').next().unwrap_or_default()))
    };
    let canonical = effective(page).find(|it| tracked(&it.href))?;
    Some(Evidence::at(ELEMENT, &canonical.href).expected(canonical.url.as_deref().unwrap_or_default()))
}

/// The address without what counts the pages of a list, and that number.
fn series(url: &str) -> Option<(String, u32)> {
    let (path, query) = split(url)?;
    let number = |text: &str| text.parse::<u32>().ok().filter(|it| *it < 100_000);
    let mut rest = Vec::new();
    let mut found = None;
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("page" | "p" | "paged" | "seite" | "pg", value)) if number(value).is_some() => found = number(value),
            _ => rest.push(pair),
        }
    }
    let mut segments: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    if let [.., "page" | "seite" | "p", last] = segments.as_slice()
        && let Some(last) = number(last)
    {
        found = Some(last);
        segments.truncate(segments.len() - 2);
    }
    Some((format!("{}?{}", segments.join("/"), rest.join("&")), found?))
}

fn paginated(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (list, number) = series(&page.final_url).filter(|(_, number)| *number > 1)?;
    let url = effective(page).find_map(|it| it.url.as_ref())?;
    let first = match series(url) {
        Some((other, one)) => other == list && one == 1 && number > 1,
        None => split(url).is_some_and(|(path, query)| format!("{}?{query}", path.trim_end_matches('/')) == list),
    };
    // A list on the home page is said by the rule about the home page.
    (first && !is_home(url)).then(|| Evidence::at(ELEMENT, url).expected(&page.final_url))
}

fn restricted(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (canonical, by) = effective(page).find_map(|it| Some((it, it.restricted.as_ref()?)))?;
    Some(Evidence::at(format!("<link rel=\"canonical\" {by}>"), &canonical.href).expected("rel and href alone"))
}
