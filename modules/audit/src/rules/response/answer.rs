//! Rules about answers that are empty, slow to arrive or lead nowhere.

use kit::page::PageFacts;

use crate::evidence::Evidence;
use crate::rule::{SiteContext, rules};
use crate::rules::fact::authority;

rules! {
    "response.empty" Response Warning Address Medium 88 Page(empty);
    title "A page without a body";
    why "The address says that all is well and sends nothing; visitors see a white page.";
    fix "crawl.url.fetch" "Find out why the page is empty, or answer 404.";
    see "https://developers.google.com/search/docs/crawling-indexing/http-network-errors";

    "response.partial" Response Warning Address Low 85 Page(partial);
    title "A page answers with a status that is not for pages";
    why "202, 203, 205 and 206 speak of something else than a finished page; search engines may wait or pass on.";
    fix "crawl.url.fetch" "Answer 200.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-15.3";

    "response.download_slow" Response Notice Page Medium 60 Page(download_slow);
    at "ms" download_ms;
    title "The page takes long to arrive";
    why "A page that trickles in is drawn late, and crawlers fetch fewer pages of such a site.";
    fix "monitoring.ttfb.sample" "Make the HTML smaller, compress it, and send it from near its readers.";
    see "https://developers.google.com/search/docs/crawling-indexing/large-site-managing-crawl-budget";

    "redirect.no_target" Response Warning Address Low 95 Page(no_target);
    title "A redirect that does not say where to";
    why "A redirect without Location (RFC 9110 section 10.2.2) ends the visit.";
    fix "cms.redirect.upsert" "Send a Location, or another status.";
    see "https://www.rfc-editor.org/rfc/rfc9110#section-10.2.2";

    "redirect.insecure" Response Warning Address Low 95 Page(insecure);
    title "A redirect leaves encryption";
    why "The way from https to http can be read and changed by anybody on it, and it mostly comes back to https with another hop.";
    fix "cms.redirect.upsert" "Redirect to the https address straight away.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";

    "redirect.trial" Response Warning Address Low 85 Page(trial);
    title "A redirect leads to a trial version of the website";
    why "Visitors and search engines are sent to a copy that is meant for its makers.";
    fix "cms.redirect.upsert" "Redirect to the address of the live website.";
    see "https://developers.google.com/search/docs/crawling-indexing/301-redirects";
}

fn empty(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let page_like = matches!(page.content_type.as_str(), "text/html" | "application/xhtml+xml");
    (page.status == 200 && page.html_bytes == 0 && page_like)
        .then(|| Evidence::at("body", "0 bytes").expected("a page, or status 404"))
}

fn partial(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (matches!(page.status, 202 | 203 | 205 | 206 | 207))
        .then(|| Evidence::at("status", page.status.to_string()).expected("200"))
}

fn download_slow(page: &PageFacts, site: &SiteContext) -> Option<Evidence> {
    let limit = site.limits.download_ms;
    let taken = page.timing.total_ms.saturating_sub(page.timing.first_byte_ms);
    (taken > limit)
        .then(|| Evidence::at("after the first byte", format!("{taken} ms")).expected(format!("{limit} ms or less")))
}

fn no_target(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    (matches!(page.status, 301 | 302 | 303 | 307 | 308) && page.redirect_to.is_none())
        .then(|| Evidence::at("Location", page.headers.get("location").unwrap_or_default()).expected("an address"))
}

/// Each redirect seen here: from where, to where.
fn steps(page: &PageFacts) -> impl Iterator<Item = (&str, &str)> {
    let own = page.redirect_to.as_deref().map(|to| (page.final_url.as_str(), to));
    let hops = page.redirects.iter().map(|hop| (hop.url.as_str(), hop.location.as_str()));
    hops.chain(own)
}

fn insecure(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let (_, to) = steps(page).find(|(from, to)| from.starts_with("https://") && to.starts_with("http://"))?;
    Some(Evidence::at("Location", to).expected(to.replacen("http:", "https:", 1)))
}

fn trial(page: &PageFacts, _: &SiteContext) -> Option<Evidence> {
    let tried = |url: &str| authority(url).is_some_and(crate::rules::fact::is_trial);
    let (_, to) = steps(page).find(|(from, to)| tried(to) && !tried(from))?;
    Some(Evidence::at("Location", to).expected("the live website"))
}
