//! The pages that are looked at: what they say to each robot, whether they challenge ours, and what contradicts itself.

use std::collections::BTreeMap;

use kit::directives::{is_for, of_headers, split};
use kit::dom::Dom;
use kit::robots::Robots;
use kit::url::Url as Address;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Fix, json};
use search::Period;
use site::Site;
use visits::{Key, Verdict};

use super::{Agent, Purpose};

/// Bytes of a page.
const MAX_PAGE: u32 = 2 << 20;
/// Days of logs that are read.
const DAYS: i32 = 30;

/// Visits of a robot, by verified lines of the server's log of 30 days.
#[value]
#[derive(Default, Copy)]
pub(crate) struct Visits {
    /// Requests that answered with 200 to 399.
    pub(super) answered: u64,
    /// Requests that answered 401, 403, 429 or 503.
    pub(super) blocked: u64,
}

/// A page as it was fetched.
pub(super) struct Fetched {
    pub(super) url: String,
    status: Option<u16>,
    failure: Option<String>,
    /// Names of `<meta>` elements with directives, and these.
    metas: Vec<(String, Vec<String>)>,
    /// `X-Robots-Tag` headers.
    headers: Vec<String>,
}

/// A page.
#[value]
pub(crate) struct Page {
    url: String,
    /// Null without an answer.
    status: Option<u16>,
    /// Why there was no answer.
    failure: Option<String>,
    /// Directives for all robots, and for named ones with the name before them.
    directives: Vec<String>,
}

/// A challenge that our own robot met.
#[value]
pub(crate) struct Challenge {
    url: String,
    /// Who challenges, such as `cloudflare`.
    by: String,
    status: u16,
}

/// What contradicts itself.
#[value]
pub(crate) struct Conflict {
    kind: ConflictKind,
    #[own]
    what: String,
    /// Robots, pages or addresses that it is about.
    concerns: Vec<String>,
    fix: Option<Fix>,
}

/// The sort of a contradiction.
#[value]
pub(crate) enum ConflictKind {
    /// Search of an assistant is kept out, and training by the same company is not.
    SearchBlockedTrainingAllowed,
    /// A page may be fetched and is kept out of the index.
    AllowedAndNoindex,
    /// A page is kept out of the index by a directive that nobody may fetch.
    NoindexUnseen,
    /// robots.txt of the host with and without `www.` differ.
    HostsDiffer,
    /// robots.txt forbids the sitemap that it names.
    SitemapBlocked,
}

impl Fetched {
    /// Directives that a robot of this name heeds.
    fn directives(&self, agent: &str) -> Vec<String> {
        let named = |it: &&(String, Vec<String>)| it.0 == "robots" || is_for(&it.0, agent);
        let metas = self.metas.iter().filter(named).flat_map(|it| it.1.clone());
        metas.chain(of_headers(&self.headers, agent)).collect()
    }

    /// Whether a robot of this name is told to keep the page out of its index.
    pub(super) fn is_kept_out(&self, agent: &str) -> bool {
        self.directives(agent).iter().any(|it| matches!(it.trim(), "noindex" | "none"))
    }
}

impl From<Fetched> for Page {
    fn from(it: Fetched) -> Self {
        let metas = it.metas.iter().flat_map(|(name, all)| {
            all.iter().map(move |one| if name == "robots" { one.clone() } else { format!("{name}: {one}") })
        });
        let directives = metas.chain(it.headers.iter().cloned()).take(40).collect();
        Self { directives, url: it.url, status: it.status, failure: it.failure }
    }
}

/// The home page and the most linked pages of the newest crawl.
pub(super) fn usual(cx: &Cx, site: &Stored<Site>, most: usize) -> Vec<Url> {
    let mut out: Vec<String> = vec![format!("{}/", site.origin)];
    let graph = linkgraph::newest(cx, &site.id).and_then(|graph| linkgraph::pages(cx, &graph));
    let mut nodes = graph.unwrap_or_default();
    nodes.retain(linkgraph::Node::is_own);
    nodes.sort_by(|a, b| b.authority.total_cmp(&a.authority).then_with(|| a.url.cmp(&b.url)));
    for node in nodes {
        if out.len() < most && !out.contains(&node.url) {
            out.push(node.url);
        }
    }
    out.iter().filter_map(|it| it.parse().ok()).collect()
}

/// Fetches the pages as ourselves.
pub(super) fn read(cx: &Cx, urls: &[Url], degraded: &mut Vec<Degraded>) -> (Vec<Fetched>, Vec<Challenge>) {
    let request = |url: &Url| {
        Request::get(url).header("accept", "text/html,*/*;q=0.8").follow(3).max_bytes(MAX_PAGE).timeout(8_000)
    };
    let answers = cx.web().fetch_many(urls.iter().map(request));
    let (mut pages, mut challenges, mut forbidden) = (Vec::new(), Vec::new(), 0);
    for (url, answer) in urls.iter().zip(answers) {
        let mut page =
            Fetched { url: url.to_string(), status: None, failure: None, metas: Vec::new(), headers: Vec::new() };
        match answer {
            Ok(answer) => {
                page.status = Some(answer.status);
                if let Some(by) = kit::challenge::of_answer(answer.status, &answer.headers, &answer.body) {
                    challenges.push(Challenge { url: url.to_string(), by: by.to_owned(), status: answer.status });
                }
                let tags = answer.headers.iter().filter(|it| it.0 == "x-robots-tag").map(|it| it.1.clone());
                page.headers = tags.collect();
                page.metas = metas(&Dom::parse(&answer.text()));
            }
            Err(failure) => {
                forbidden += u32::from(failure == Failure::Disallowed);
                page.failure = Some(failure.name().to_owned());
            }
        }
        pages.push(page);
    }
    if forbidden > 0 {
        let why = format!("{forbidden} pages were not looked at: robots.txt forbids them to our own robot too");
        degraded.push(Degraded::new("pages", why));
    }
    (pages, challenges)
}

/// `<meta>` elements with directives for robots.
fn metas(dom: &Dom) -> Vec<(String, Vec<String>)> {
    let mut out = Vec::new();
    for id in dom.elements("meta").take(200) {
        let Some(name) = dom.attribute(id, "name").map(|it| it.trim().to_lowercase()) else { continue };
        let content = dom.attribute(id, "content").unwrap_or_default();
        let is_robot = name == "robots" || bots::agents().iter().any(|it| it.token.eq_ignore_ascii_case(&name));
        if is_robot {
            out.push((name, split(&content.to_lowercase())));
        }
    }
    out
}

/// What robots came to, by verified lines of the log, under the names of robots.txt in small letters.
pub(super) fn visits(cx: &Cx, site: &Stored<Site>, degraded: &mut Vec<Degraded>) -> BTreeMap<String, Visits> {
    let store = visits::Store::of(cx, &site.id);
    let Some(last) = store.last_day(cx.now().day()) else {
        let missing = Degraded::new(
            "log_visits",
            "no server log of this website is stored, so that what robots are really shown is not known",
        );
        degraded.push(missing);
        return BTreeMap::new();
    };
    let mut out: BTreeMap<String, Visits> = BTreeMap::new();
    let read = store.days(Period::ending(last, DAYS), Key::BOTS, |key, _, figures| {
        if let Key::Bot { family, verdict: Verdict::Verified, status, .. } = key {
            let sum = out.entry(family.to_owned()).or_default();
            match status {
                200..=399 => sum.answered += figures.hits,
                401 | 403 | 429 | 503 => sum.blocked += figures.hits,
                _ => {}
            }
        }
    });
    if read.is_err() {
        degraded
            .push(Degraded::new("log_visits", "the stored log is too large for one answer, so that it was not read"));
        return BTreeMap::new();
    }
    out
}

/// What contradicts itself.
pub(super) fn conflicts(
    cx: &Cx,
    site: &Stored<Site>,
    agents: &[Agent],
    pages: &[Fetched],
    sitemaps: &[String],
    robots: (u16, &[u8]),
) -> Vec<Conflict> {
    let mut out = Vec::new();
    let (status, body) = robots;
    let allow = || {
        Fix::new("indexing.robots.compose", json!({ "site_id": site.id, "policy": { "ai_search_bots": "allow" } }))
            .if_served()
    };
    for agent in agents.iter().filter(|it| it.purpose == Purpose::AnswerSearch && it.allowed == Some(false)) {
        let trains =
            |it: &&Agent| it.company == agent.company && it.purpose == Purpose::Training && it.allowed == Some(true);
        if let Some(training) = agents.iter().find(trains) {
            out.push(Conflict {
                kind: ConflictKind::SearchBlockedTrainingAllowed,
                what: format!(
                    "{} may not read pages for answers, and {} may for training: most want it the other way round",
                    agent.name, training.name
                ),
                concerns: vec![agent.name.clone(), training.name.clone()],
                fix: allow(),
            });
        }
    }
    for page in pages.iter().filter(|it| it.status == Some(200)) {
        let kept: Vec<&Agent> = agents.iter().filter(|it| page.is_kept_out(&it.name)).collect();
        let (open, shut): (Vec<&Agent>, Vec<&Agent>) =
            kept.into_iter().partition(|it| Robots::of_answer(status, body, &it.name).allows(&page.url));
        let mut add = |kind: ConflictKind, what: &str, agents: Vec<&Agent>| {
            if !agents.is_empty() {
                let names = agents.iter().take(5).map(|it| it.name.clone());
                out.push(Conflict {
                    kind,
                    what: what.to_owned(),
                    concerns: std::iter::once(page.url.clone()).chain(names).collect(),
                    fix: None,
                });
            }
        };
        add(
            ConflictKind::AllowedAndNoindex,
            "robots may fetch the page and are told to keep it out of their index: assistants cannot cite it",
            open,
        );
        add(
            ConflictKind::NoindexUnseen,
            "the page is to be kept out of the index, and robots.txt keeps robots from reading that",
            shut,
        );
    }
    if let Some(differs) = hosts(cx, site, body) {
        out.push(differs);
    }
    for sitemap in sitemaps.iter().filter(|it| site.has(it)) {
        if !Robots::of_answer(status, body, "Googlebot").allows(sitemap) {
            out.push(Conflict {
                kind: ConflictKind::SitemapBlocked,
                what: "robots.txt names a sitemap that it forbids to read".to_owned(),
                concerns: vec![sitemap.clone()],
                fix: Fix::new("indexing.robots.test", json!({ "origin": site.origin, "urls": [sitemap] })).if_served(),
            });
        }
    }
    out
}

/// Whether the host with and without `www.` says something else.
fn hosts(cx: &Cx, site: &Stored<Site>, body: &[u8]) -> Option<Conflict> {
    let origin = Address::parse(&site.origin).ok()?;
    let host = origin.host_str()?;
    let other = match host.strip_prefix("www.") {
        Some(bare) => bare.to_owned(),
        None if kit::url::registrable_domain(host) == Some(host) => format!("www.{host}"),
        None => return None,
    };
    let url: Url = format!("{}://{other}/robots.txt", origin.scheme()).parse().ok()?;
    let answer = cx.web().fetch(&Request::get(&url).follow(0).max_bytes(512_001).timeout(6_000)).ok()?;
    let differs = |token: &str| {
        let (one, two) = (Robots::parse(body, token), Robots::parse(&answer.body, token));
        one.rules != two.rules
    };
    let names: Vec<String> =
        bots::agents().iter().map(|it| it.token).filter(|it| differs(it)).map(str::to_owned).collect();
    (answer.status == 200 && !names.is_empty()).then(|| Conflict {
        kind: ConflictKind::HostsDiffer,
        what: format!("{other} answers with another robots.txt than {host}, and does not lead there"),
        concerns: std::iter::once(url.to_string()).chain(names.into_iter().take(5)).collect(),
        fix: Fix::new("indexing.robots.get", json!({ "origin": format!("{}://{other}", origin.scheme()) })).if_served(),
    })
}
