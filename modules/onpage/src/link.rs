//! The operation `onpage.link.check`: the links of one page, each as written and as it answers.

mod judge;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use kit::outcome::Outcome;
use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;

use crate::live::{self, Live};
pub(crate) use judge::Fault as Wrong;
use judge::Target;
use read::Reference;
use site::live::Seen;

/// Addresses asked together.
const TOGETHER: usize = 16;
/// Milliseconds after which no more is asked.
const LONGEST: u64 = 40_000;

#[args]
pub(crate) struct Check {
    url: Url,
    /// At most this many requests: the page itself, then its different targets in order.
    #[default(150)]
    max_links: Count<1, 300>,
}

#[value]
pub(crate) struct Checked {
    /// In document order; at most 1,000.
    links: Vec<Row>,
    counts: Counts,
    page: Seen,
    degraded: Vec<Degraded>,
}

#[value]
struct Row {
    /// As written.
    href: String,
    /// Where it leads, normalised; null when it leads nowhere.
    target: Option<String>,
    /// The text, or the `alt` of the picture.
    anchor: String,
    rel: Vec<String>,
    internal: bool,
    /// 0 when there was no answer; null when the address was not asked.
    status: Option<u16>,
    /// What that says of the link; null when the address was not asked.
    outcome: Option<Outcome>,
    /// Redirects on the way.
    redirects: u32,
    /// Where the redirects end.
    final_url: Option<String>,
    problems: Vec<Wrong>,
    /// The call that mends it or shows more; null when nothing is wrong.
    fix: Option<Fix>,
}

#[value]
#[derive(Default)]
struct Counts {
    links: u32,
    internal: u32,
    external: u32,
    nofollow: u32,
    /// Different addresses that were asked.
    checked: u32,
    /// Links to addresses that answer 4xx or 5xx, do not exist, or do not answer.
    broken: u32,
    /// Links to addresses that answer that crawlers are kept out (401, 403, 407, 429, 451, 999); people may see them.
    blocked: u32,
    redirected: u32,
    with_problems: u32,
    /// How often each problem was found.
    by_problem: BTreeMap<String, u32>,
}

/// Checks the links of one page: status, redirects, rel values, generic or empty anchors, uncrawlable hrefs, fragment targets
/// and insecure or local addresses.
///
/// Each different target is asked for its headers once; when these say that something is wrong, the page itself is asked for
/// before anything is said. What answers 401, 403, 407, 429, 451 or 999 keeps crawlers out: it is blocked, not broken. After 40
/// seconds no more is asked, and `degraded` says how many are left.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = max_links),
    needs = ["web"],
    phrasings = [
        "find broken links on a page",
        "which links on my page redirect",
        "check the anchor texts of a page",
        "does this page link to dead pages",
    ],
    examples = [{ "url": "https://shop.example/guides/lamps", "max_links": 50 }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let page = live::page(cx, &args.url, "/url")?;
    let references = read::references(&page);
    let mut budget = usize::from(args.max_links) - 1;
    let wanted: Vec<&str> = {
        let mut seen = BTreeSet::new();
        let own = page.facts.final_url.as_str();
        let targets = references.iter().filter_map(|it| it.target.as_deref());
        targets.filter(|it| *it != own && seen.insert(*it)).collect()
    };
    let targets = ask(cx, &wanted, &mut budget);
    let mut degraded = Vec::new();
    let left = wanted.len() - targets.len();
    if left > 0 {
        degraded.push(Degraded::new(
            "link_status",
            format!("{left} targets were not asked; raise max_links, or crawl the website with crawl.run.start"),
        ));
    }
    let mut counts = Counts { checked: u32::try_from(targets.len()).unwrap_or(u32::MAX), ..Counts::default() };
    let mut links: Vec<Row> = references.into_iter().map(|it| row(it, &targets, &page)).collect();
    for link in &links {
        counts.add(link);
    }
    links.truncate(1_000);
    Ok(Checked { links, counts, page: page.seen(), degraded })
}

/// Asks every address once, within the budget of requests.
fn ask(cx: &Cx, urls: &[&str], budget: &mut usize) -> BTreeMap<String, Target> {
    let mut out = BTreeMap::new();
    for group in urls.chunks(TOGETHER) {
        let group = &group[..group.len().min(*budget)];
        if group.is_empty() || cx.elapsed() > LONGEST {
            break;
        }
        let parsed: Vec<Url> = group.iter().filter_map(|it| it.parse().ok()).collect();
        *budget -= parsed.len();
        let answers = cx.web().fetch_many(parsed.iter().map(|url| Request::head(url).timeout(6_000)));
        for (url, answer) in parsed.iter().zip(answers) {
            let answer = if Target::of(&answer).is_doubtful() && *budget > 0 {
                *budget -= 1;
                cx.web().fetch(&Request::get(url).max_bytes(1_024).timeout(6_000))
            } else {
                answer
            };
            out.insert(url.to_string(), Target::of(&answer));
        }
    }
    out
}

fn row(reference: Reference, targets: &BTreeMap<String, Target>, page: &Live) -> Row {
    let own = reference.target.as_deref() == Some(page.facts.final_url.as_str());
    let target = reference.target.as_ref().and_then(|it| targets.get(it));
    let problems = judge::problems(&reference, target, page);
    let fix = judge::fix(&reference, &problems, target, page);
    Row {
        status: if own { Some(page.facts.status) } else { target.map(|it| it.status) },
        outcome: if own { Some(Outcome::of(page.facts.status, None)) } else { target.map(|it| it.outcome) },
        redirects: target.map_or(0, |it| it.redirects),
        final_url: target.filter(|it| it.redirects > 0).and_then(|it| it.final_url.clone()),
        href: reference.href,
        target: reference.target,
        anchor: reference.anchor,
        rel: reference.rel,
        internal: reference.internal,
        problems,
        fix,
    }
}

impl Counts {
    fn add(&mut self, link: &Row) {
        self.links += 1;
        self.internal += u32::from(link.internal && link.target.is_some());
        self.external += u32::from(!link.internal && link.target.is_some());
        self.nofollow += u32::from(link.rel.iter().any(|it| matches!(it.as_str(), "nofollow" | "ugc" | "sponsored")));
        self.broken += u32::from(link.outcome.is_some_and(Outcome::is_broken));
        self.blocked += u32::from(link.outcome == Some(Outcome::Blocked));
        self.redirected += u32::from(link.redirects > 0);
        self.with_problems += u32::from(!link.problems.is_empty());
        for problem in &link.problems {
            *self.by_problem.entry(problem.name().to_owned()).or_default() += 1;
        }
    }
}

#[cfg(test)]
mod tests;
