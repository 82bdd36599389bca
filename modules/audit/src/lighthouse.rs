//! The operation `audit.lighthouse_seo.check`: the SEO category of Lighthouse 13, on the HTML as it is served.
//!
//! Each audit is a pure function over what the page says without running its scripts. Where Lighthouse looks at the
//! rendered page, a page that builds itself in the browser is judged differently there.

mod anchors;
mod audits;
mod links;
mod robots;
#[cfg(test)]
mod tests;

use kit::dom::Dom;
use kit::url::Url as Address;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;
use sdk::{Failure, Request, Response};

use self::audits::Served;

/// Bytes of the page: more than 99 of 100 pages have at most.
const BYTES: u32 = 2 << 20;
/// What is read of robots.txt (RFC 9309, 2.5: at least 500 KiB).
const ROBOTS_BYTES: u32 = 512 << 10;
/// Items shown for each audit.
pub(crate) const ITEMS: usize = 20;

#[args]
pub(crate) struct Check {
    /// The page, on any public website.
    url: Url,
}

/// Whether an audit passed.
#[value]
pub(crate) enum Outcome {
    /// It did.
    Pass,
    /// It did not.
    Fail,
    /// The page has nothing that it looks at; it does not count.
    NotApplicable,
}

/// One audit of the category.
#[value]
pub(crate) struct Audit {
    /// Lighthouse's id of it.
    pub(crate) id: String,
    /// Whether it passed; true also where it does not apply.
    pub(crate) pass: bool,
    /// The same with what does not apply told apart.
    pub(crate) outcome: Outcome,
    /// Its weight in the score.
    pub(crate) weight: f64,
    /// What failed it, at most 20.
    pub(crate) items: Vec<Item>,
    /// Failed elements in all.
    pub(crate) count: u32,
    /// The call that acts on a failed audit.
    pub(crate) fix: Option<Fix>,
}

/// One thing that failed an audit.
#[value]
pub(crate) struct Item {
    /// The element, header or line.
    pub(crate) source: String,
    /// What is wrong with it.
    pub(crate) reason: String,
}

/// The category.
#[value]
pub(crate) struct Checked {
    /// The address that answered.
    url: String,
    /// Its status.
    status: u16,
    /// From 0 to 100, as Lighthouse rounds it; null where Lighthouse gives none, for a page that answers with an
    /// error.
    score: Option<u32>,
    /// The audits, in the order of the report.
    audits: Vec<Audit>,
    /// The version whose rules these are.
    version: String,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Reproduces the Lighthouse SEO category on the served HTML: title, description, status, link text, crawlable anchors,
/// indexability, robots.txt validity, image alt, hreflang and canonical, with its 0-100 score.
///
/// Two outside requests: the page and its robots.txt. Scripts are not run.
#[operation(
    read,
    scope = "seo:audit",
    cost = live(most = 2),
    needs = ["web"],
    phrasings = ["lighthouse seo score of a page", "why is my lighthouse seo score not 100", "run the lighthouse seo audits", "are the links on this page crawlable"],
    examples = [{ "url": "https://shop.example/lamps" }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let page = Request::get(&args.url).header("accept", "text/html,*/*;q=0.8").max_bytes(BYTES).timeout(6_000);
    let response = cx.web().fetch(&page).map_err(refusal)?;
    let base =
        Address::parse(&response.url).map_err(|_| Fault::unavailable("page_unreadable", "the page has no address"))?;
    let file = base.join("/robots.txt").ok().and_then(|url| Url::try_from(url).ok());
    let file = file.map(|url| Request::get(&url).max_bytes(ROBOTS_BYTES).timeout(3_000));
    let robots = file.map_or(Err(Failure::Malformed), |request| cx.web().fetch(&request));
    Ok(checked(&response, &base, &robots, i64::try_from(cx.now().millis() / 86_400_000).unwrap_or(i64::MAX)))
}

fn refusal(failure: Failure) -> Fault {
    if failure == Failure::Refused {
        return Fault::invalid("/url", "url_refused", "this address is not a public web page");
    }
    let silent = || Fault::unavailable("page_unavailable", format!("the page did not answer: {}", failure.name()));
    failure.unasked("/url").unwrap_or_else(silent)
}

fn checked(response: &Response, base: &Address, robots: &Result<Response, Failure>, today: i64) -> Checked {
    let (_, document) = site::live::whole(&response.url, response);
    let dom = document.map_or_else(|| Dom::parse(""), |document| document.dom);
    let file = robots.as_ref().ok().map(|it| (it.status, it.body.as_slice()));
    let against = Served::against(&dom, base);
    let served =
        Served { dom: &dom, base, against, status: response.status, headers: &response.headers, robots: file, today };
    let audits = audits::all(&served);
    let mut degraded = Vec::new();
    if response.truncated || dom.cut {
        degraded.push(Degraded::new("page", format!("only the first {} KiB of the page were read", BYTES >> 10)));
    }
    if dom.elements("script").any(|id| dom.attribute(id, "src").is_some()) {
        degraded.push(Degraded::new("scripts", "scripts were not run: what they add or change is not judged"));
    }
    Checked {
        url: response.url.clone(),
        status: response.status,
        score: (response.status < 400).then(|| score(&audits)),
        audits,
        version: "13.5".to_owned(),
        degraded,
    }
}

/// The weighted mean of what applies, in whole points (Lighthouse, "scoring": two decimals of one).
fn score(audits: &[Audit]) -> u32 {
    let counted = || audits.iter().filter(|it| it.outcome != Outcome::NotApplicable);
    let all: f64 = counted().map(|it| it.weight).sum();
    let passed: f64 = counted().filter(|it| it.pass).map(|it| it.weight).sum();
    if all == 0.0 { 0 } else { (100.0 * passed / all).round() as u32 }
}
