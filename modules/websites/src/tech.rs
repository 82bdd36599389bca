//! The operation `websites.tech.detect`, what a page is made with, each technology with its evidence.

mod mark;
mod marks;
mod shown;

use kit::dom::Dom;
use sdk::Degraded;
use sdk::prelude::*;
use sdk::{Cached, Failure, json};

use crate::stored::Website;
use mark::{Category, Mark};
use shown::{Seen, Shown};

/// Bytes of the page: more than 99 of 100 pages have at most.
const BYTES: u32 = 2 << 20;
/// Milliseconds for the page.
const TIME: u32 = 8_000;
/// Below this the signs are no more than a hint, and nothing is said.
const LEAST: f64 = 0.5;
/// No number of signs makes more than this of it.
const MOST: f64 = 0.99;
/// Signs shown for one technology.
const SIGNS: usize = 4;

/// A website, a page, or both.
#[args]
pub(crate) struct Detect {
    /// The website; its front page is looked at when no page is named.
    site_id: Option<Id<Website>>,
    /// The page; on the website when both are given.
    url: Option<Url>,
}

/// One proof.
#[value]
pub(crate) struct Proof {
    /// Where it was seen: a header, a cookie's name, the address of a script, an element.
    place: String,
    /// What stands there, at most 160 characters; of cookies only the name.
    value: String,
}

/// A technology.
#[value]
pub(crate) struct Technology {
    /// Its name.
    name: String,
    /// What it is for.
    category: Category,
    /// Its version, when the page tells.
    version: Option<String>,
    /// From 0.5 to 0.99: one less the product of what each sign leaves open.
    confidence: f64,
    /// The signs, the surest first; for what another technology cannot be without, that one.
    evidence: Vec<Proof>,
}

/// What a page is made with.
#[value]
pub(crate) struct Detected {
    /// The page asked for.
    url: String,
    /// The page that answered, after redirects.
    final_url: String,
    /// Its status.
    status: u16,
    /// When it was fetched.
    fetched_at: Moment,
    /// Seconds since then; more than 0 when a copy that was still fresh was read.
    age_seconds: u32,
    /// The technologies by category, the surest first.
    technologies: Vec<Technology>,
    /// Technologies that were looked for.
    looked_for: u32,
    /// What could not be considered, in words.
    degraded: Vec<Degraded>,
}

/// Detects CMS, framework, shop system, analytics, tag manager, CDN and consent tool from response headers, cookies, script addresses and HTML fingerprints, each with its evidence.
///
/// A page that is named is fetched now. With the website alone its front page is read, from a copy of this service when
/// that is still fresh; `age_seconds` says how old it is. Scripts are not run, so what a tag manager loads is not seen.
/// A technology with a confidence below 0.5 is left out.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 6),
    needs = ["web"],
    phrasings = [
        "which CMS does this website use",
        "what is this site built with",
        "find the technology stack of a page",
        "does my site use a tag manager or consent tool",
        "which shop system does my competitor run",
    ],
    examples = [{ "site_id": "4503599627370496" }, { "url": "https://shop.example/" }]
)]
pub(crate) fn detect(cx: &Cx, args: Detect) -> Result<Detected> {
    let site = args.site_id.as_ref().map(|site| cx.records::<Website>().get(site)).transpose();
    let site = site.map_err(|fault| fault.at("/site_id"))?;
    let (url, pointer) = match (&site, args.url) {
        (None, None) => {
            return Err(Fault::invalid("/url", "nothing_to_detect", "give a website, a page, or both"));
        }
        (Some(site), Some(url)) => {
            let host = url.host_str().unwrap_or_default();
            if kit::url::registrable_domain(host).unwrap_or(host) != site.registrable_domain {
                let message = format!("this page is not on {}", site.registrable_domain);
                return Err(Fault::invalid("/url", "foreign_url", message));
            }
            (url, "/url")
        }
        (None, Some(url)) => (url, "/url"),
        (Some(site), None) => {
            let front = format!("{}/", site.origin).parse();
            let broken = |_| Fault::invalid("/site_id", "url_refused", "the website's origin is no public address");
            (front.map_err(broken)?, "/site_id")
        }
    };
    let request = Request::get(&url).follow(5).max_bytes(BYTES).timeout(TIME);
    let request = if pointer == "/site_id" { request.any_age() } else { request };
    let page = cx.web().fetch(&request).map_err(|failure| unanswered(failure, pointer))?;
    let age_seconds = if page.cached == Cached::Fresh { page.age } else { 0 };
    let mut degraded = Vec::new();
    if page.truncated {
        degraded.push(Degraded::new(
            "page",
            format!("the page is longer than {} KiB; only its beginning was read", BYTES >> 10),
        ));
    }
    if page.status >= 400 {
        degraded.push(Degraded::new(
            "page",
            format!("the page answers with status {}, so this is what its error page shows", page.status),
        ));
    }
    let dom = Dom::parse(&page.text());
    Ok(Detected {
        url: url.as_str().to_owned(),
        final_url: page.url.clone(),
        status: page.status,
        fetched_at: Moment::from_millis(cx.now().millis().saturating_sub(u64::from(age_seconds) * 1_000)),
        age_seconds,
        technologies: technologies(&Shown::of(&page.headers, &dom)),
        looked_for: u32::try_from(marks::all().count()).unwrap_or(u32::MAX),
        degraded,
    })
}

fn unanswered(failure: Failure, pointer: &str) -> Fault {
    if let Some(unasked) = failure.unasked(pointer) {
        return unasked;
    }
    if failure == Failure::Refused {
        return Fault::invalid(pointer, "url_refused", "this address is not a public web page");
    }
    let message = format!("the page did not answer: {}", failure.name());
    Fault::invalid(pointer, "page_unreachable", message).detail(json!({ "failure": failure.name() }))
}

/// What an answer shows, with what that cannot be without.
pub(crate) fn technologies(shown: &Shown) -> Vec<Technology> {
    let mut found: Vec<Technology> = marks::all().filter_map(|mark| technology(mark, shown)).collect();
    let mut at = 0;
    // What is implied may imply more.
    while at < found.len() {
        let (name, confidence) = (found[at].name.clone(), found[at].confidence);
        let implies = marks::find(&name).map_or(&[][..], |mark| mark.implies);
        for implied in implies.iter().filter_map(|implied| marks::find(implied)) {
            match found.iter_mut().find(|it| it.name == implied.name) {
                Some(known) => known.confidence = known.confidence.max(confidence),
                None => found.push(Technology {
                    name: implied.name.to_owned(),
                    category: implied.category,
                    version: None,
                    confidence,
                    evidence: vec![Proof { place: "implied by".to_owned(), value: name.clone() }],
                }),
            }
        }
        at += 1;
    }
    found.sort_by(|a, b| {
        a.category.cmp(&b.category).then(b.confidence.total_cmp(&a.confidence)).then_with(|| a.name.cmp(&b.name))
    });
    found
}

fn technology(mark: &Mark, shown: &Shown) -> Option<Technology> {
    let mut seen: Vec<(u8, Seen)> =
        mark.signs.iter().filter_map(|sign| Some((sign.sure, shown.shows(sign)?))).collect();
    let open: f64 = seen.iter().map(|(sure, _)| 1.0 - f64::from(*sure) / 100.0).product();
    let confidence = kit::statistics::round((1.0 - open).min(MOST), 2);
    if seen.is_empty() || confidence < LEAST {
        return None;
    }
    seen.sort_by_key(|(sure, _)| std::cmp::Reverse(*sure));
    Some(Technology {
        name: mark.name.to_owned(),
        category: mark.category,
        version: seen.iter().find_map(|(_, seen)| seen.version.clone()),
        confidence,
        evidence: seen.into_iter().take(SIGNS).map(|(_, it)| Proof { place: it.place, value: it.value }).collect(),
    })
}

#[cfg(test)]
mod tests;
