//! Rules about the weight of a page.

pub(super) mod load;
pub(super) mod transfer;

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};

rules! {
    "performance.html_large" Performance Warning Page High 90 Page(html_large);
    at "bytes" html_bytes;
    title "The HTML is larger than crawlers read";
    why "Googlebot reads the first 2 MB of an HTML file; what comes after does not exist for it.";
    fix "monitoring.page_weight.check" "Move data and styles out of the HTML and split long lists.";
    see "https://developers.google.com/search/docs/crawling-indexing/googlebot";

    "performance.elements_many" Performance Notice Page High 65 Page(elements_many);
    at "elements" elements;
    title "The page has very many elements";
    why "Every element costs memory and time at each change; Lighthouse warns past 1,400.";
    fix "monitoring.page_weight.check" "Draw long lists in parts.";
    see "https://developer.chrome.com/docs/lighthouse/performance/dom-size";

    "performance.blocking" Performance Notice Page Medium 65 Page(blocking);
    at "files" blocking;
    title "Many files hold up the first paint";
    why "Nothing is drawn before every script and style sheet of the head has come.";
    fix "monitoring.psi.run" "Defer scripts and join or inline style sheets.";
    see "https://developer.chrome.com/docs/lighthouse/performance/render-blocking-resources";
}

fn html_large(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = u64::from(site.limits.html_bytes);
    (page.html_bytes > limit)
        .then(|| Evidence::at("HTML", format!("{} bytes", page.html_bytes)).expected(format!("{limit} bytes or fewer")))
}

fn elements_many(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.elements;
    (page.elements > limit)
        .then(|| Evidence::at("elements", page.elements.to_string()).expected(format!("{limit} or fewer")))
}

fn blocking(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let files = page.resources.iter().filter(|it| it.blocking).collect::<Vec<_>>();
    let first = files.first()?;
    let limit = site.limits.blocking as usize;
    (files.len() > limit).then(|| {
        Evidence::at(first.kind.as_str(), &first.url)
            .expected(format!("{limit} or fewer in the head"))
            .count(files.len())
    })
}
