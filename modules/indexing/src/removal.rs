//! The operation `indexing.removal.plan`.

use std::collections::HashMap;

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Linked, UrlState};
use addresses::Known;
use site::Site;

#[args]
pub(crate) struct Plan {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Addresses of it.
    urls: List<Url, 1, 500>,
    /// Why they shall leave the index.
    reason: Why,
}

/// Why addresses shall leave the index.
#[value]
pub(crate) enum Why {
    /// What they say is no longer so.
    Outdated,
    /// Another page says the same.
    Duplicate,
    /// Nobody outside shall see them.
    Private,
    /// They are of use to nobody who searches.
    LowValue,
}

/// How an address leaves the index.
#[value]
pub(crate) enum Method {
    /// Take the rule out of robots.txt that keeps crawlers from seeing what comes next.
    AllowCrawling,
    /// Answer with status 410.
    Gone,
    /// `noindex` in a robots meta element or an `X-Robots-Tag` header.
    Noindex,
    /// A canonical to the page that stays.
    Canonical,
    /// A permanent redirect to the page that stays.
    Redirect,
    /// A login before the page.
    Password,
    /// Take links and sitemap entries away.
    Unlink,
    /// Nothing is left to do.
    None,
}

/// One step for one address.
#[value]
pub(crate) struct Action {
    /// Steps with a lower number come first; steps of one number may be done together.
    order: u32,
    url: String,
    method: Method,
    /// Where a canonical or a redirect leads.
    target: Option<String>,
    why: String,
}

/// Something to look at when the steps are done.
#[value]
pub(crate) struct Check {
    /// After so many days.
    after_days: u32,
    what: String,
    fix: Fix,
}

/// A plan.
#[value]
pub(crate) struct Planned {
    /// In their order.
    steps: Vec<Action>,
    warnings: Vec<String>,
    checks: Vec<Check>,
    basis: Basis,
    degraded: Vec<Degraded>,
}

/// Plans deindexing of URLs: chooses 410, noindex, canonical, redirect or password per URL from links and clicks, orders steps so robots.txt does not hide a noindex, and lists checks.
///
/// Nothing is changed. An address that pages of the website link to, or that has a twin, keeps its worth by a redirect or
/// a canonical; one that nobody links to is best gone.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "how do I remove these pages from google",
        "deindex old pages",
        "should I use noindex or 410",
        "get private pages out of search results",
    ],
    examples = [{ "site_id": "4503599627370496", "urls": ["https://shop.example/old"], "reason": "outdated" }]
)]
pub(crate) fn plan(cx: &Cx, args: Plan) -> Result<Planned> {
    let site = site::get(cx, &args.site_id)?;
    let urls = args.urls.into_vec();
    site::all_own(&site, &urls)?;
    let run = site::required(cx, &site.id)?;
    let crawled = addresses::of(cx, &run.id);
    let known: HashMap<&str, &Known> = crawled.all.iter().map(|it| (it.url.as_str(), it)).collect();
    let mut degraded: Vec<Degraded> = crawled.degraded.clone().into_iter().collect();
    let clicks = search::Clicks::newest(cx, &site.id);
    if clicks.is_none() {
        let why = "no search figures of this website are stored; links decide";
        let sync = sdk::json!({ "site_id": site.id });
        degraded.push(Degraded::new("clicks", why).supplied_by("search_console.sync.run", sync));
    }
    let mut steps: Vec<Action> = Vec::new();
    let mut warnings: Vec<String> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let normal = |url: &Url| kit::url::normalize(url.as_str()).unwrap_or_else(|| url.as_str().to_owned());
    let leaving: std::collections::HashSet<String> = urls.iter().map(normal).collect();
    for url in &urls {
        let url = normal(url);
        if !seen.insert(url.clone()) {
            continue;
        }
        let page = known.get(url.as_str()).copied();
        let links = cx.records::<Linked>().by("run_target").equals(&run.id).equals(&url).count();
        let twin = page.and_then(|page| twin(page, &crawled.all, &leaving));
        if let Some(clicks) = clicks.as_ref().map(|it| it.of(&url)).filter(|clicks| *clicks > 0) {
            let kept = "a redirect or a canonical keeps them, where another page answers the same question";
            warnings.push(format!("{url} had {clicks} clicks from searches in 28 days: {kept}"));
        }
        of_one(&url, page, links, twin, args.reason, &mut steps, &mut warnings);
    }
    if args.reason == Why::Private {
        warnings.push("a page that leaked stays in results for days: ask for a temporary removal in Search Console too, which lasts six months".to_owned());
        warnings.push("do not list private addresses in robots.txt: it is public".to_owned());
    }
    steps.sort_by(|a, b| a.order.cmp(&b.order).then_with(|| a.url.cmp(&b.url)));
    let google = cx.records::<UrlState>().by("site_id_url").equals(&site.id).first().is_some();
    if !google {
        degraded.push(Degraded::new(
            "inspection",
            "Google was not asked which of them are indexed; indexing.inspection.run asks it",
        ));
    }
    let checks = checks(&site, &leaving.into_iter().collect::<Vec<_>>());
    Ok(Planned { steps, warnings, checks, basis: site::basis(cx, &run), degraded })
}

/// The page with the same text that stays: the one with the fewest clicks from the home page.
fn twin<'a>(page: &Known, all: &'a [Known], leaving: &std::collections::HashSet<String>) -> Option<&'a str> {
    if let Some(canonical) = page.canonical.as_deref().filter(|it| *it != page.url) {
        return all.iter().map(|it| it.url.as_str()).find(|it| *it == canonical);
    }
    let same = |it: &&Known| {
        !page.text_sha256.is_empty()
            && it.text_sha256 == page.text_sha256
            && it.url != page.url
            && it.is_indexable()
            && !leaving.contains(&it.url)
    };
    all.iter().filter(same).min_by_key(|it| (it.depth, it.url.len())).map(|it| it.url.as_str())
}

/// The steps for one address.
fn of_one(
    url: &str,
    page: Option<&Known>,
    links: u64,
    twin: Option<&str>,
    reason: Why,
    steps: &mut Vec<Action>,
    warnings: &mut Vec<String>,
) {
    let mut add = |order: u32, method: Method, target: Option<&str>, why: String| {
        steps.push(Action { order, url: url.to_owned(), method, target: target.map(str::to_owned), why });
    };
    let Some(page) = page else {
        warnings.push(format!("{url} is not in the newest crawl; the plan for it is made without knowing it"));
        let method = if reason == Why::Private { Method::Password } else { Method::Gone };
        add(2, method, None, "nothing links to it as far as the crawl knows".to_owned());
        return;
    };
    if page.is_gone() {
        let why = format!("it answers with status {} already; search engines drop it by themselves", page.status);
        add(2, Method::None, None, why);
    } else {
        let (method, target, why) = choose(page, links, twin, reason);
        if page.reason == "robots_blocked" && method != Method::Password {
            let why =
                "robots.txt forbids it, so that nobody would see the next step; allow it until it has left the index";
            add(1, Method::AllowCrawling, None, why.to_owned());
        }
        add(2, method, target, why);
    }
    if links > 0 || page.in_sitemap {
        let sitemap = if page.in_sitemap { " and a sitemap names it" } else { "" };
        add(3, Method::Unlink, None, format!("{links} links of the website lead to it{sitemap}"));
    }
}

fn choose<'a>(page: &Known, links: u64, twin: Option<&'a str>, reason: Why) -> (Method, Option<&'a str>, String) {
    match (reason, twin) {
        (Why::Private, _) => {
            (Method::Password, None, "a login keeps everybody out; noindex only keeps it out of results".to_owned())
        }
        (Why::Duplicate, Some(twin)) if page.status == 200 && links > 0 => (
            Method::Canonical,
            Some(twin),
            format!("{twin} says the same, and visitors still come here by {links} links"),
        ),
        (Why::Duplicate, Some(twin)) => {
            (Method::Redirect, Some(twin), format!("{twin} says the same, and nothing links here"))
        }
        (Why::Duplicate, None) => (
            Method::Noindex,
            None,
            "no page with the same text was found that stays; noindex keeps it for visitors".to_owned(),
        ),
        (Why::Outdated, Some(twin)) => {
            (Method::Redirect, Some(twin), format!("{twin} took its place; its links go on counting"))
        }
        (Why::Outdated, None) if links > 0 => {
            (Method::Gone, None, format!("nothing took its place; {links} links of the website have to go too"))
        }
        (Why::Outdated, None) => (Method::Gone, None, "nothing took its place and nothing links to it".to_owned()),
        (Why::LowValue, Some(twin)) => (Method::Canonical, Some(twin), format!("{twin} says the same and stays")),
        (Why::LowValue, None) if links > 0 => (
            Method::Noindex,
            None,
            format!("{links} links of the website lead visitors here; only search shall leave it out"),
        ),
        (Why::LowValue, None) => (Method::Gone, None, "nothing links to it; it is of use to nobody".to_owned()),
    }
}

fn checks(site: &Stored<Site>, urls: &[String]) -> Vec<Check> {
    let Some(first) = urls.iter().min() else { return Vec::new() };
    let mut sorted: Vec<&String> = urls.iter().collect();
    sorted.sort();
    vec![
        Check {
            after_days: 0,
            what: "each address answers as planned".to_owned(),
            fix: Fix::on("indexing.url.check", first),
        },
        Check {
            after_days: 1,
            what: "search engines of IndexNow are told; pages that are gone too".to_owned(),
            fix: Fix::new("indexing.indexnow.submit", json!({ "site_id": site.id, "urls": sorted })),
        },
        Check {
            after_days: 14,
            what: "Google has seen it".to_owned(),
            fix: Fix::new("indexing.inspection.run", json!({ "site_id": site.id, "urls": sorted, "choose": "listed" })),
        },
    ]
}

#[cfg(test)]
mod tests;
