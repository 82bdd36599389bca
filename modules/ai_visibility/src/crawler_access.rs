//! The operation `ai_visibility.crawler_access.check`.
//!
//! Sources: RFC 9309; each operator's own documentation, named in the result. No request carries another's name.

mod pages;
mod rules;

use bots::{Obeys, Use, agents};
use kit::robots::Robots;
use sdk::prelude::*;
use sdk::{Degraded, Failure, Next, json};
use site::Site;

use pages::{Challenge, Conflict, Page};
use rules::Deciding;

/// Pages that are looked at when none are named.
const PAGES: usize = 5;
/// Bytes of a robots.txt and redirects to it.
const MAX_ROBOTS: u32 = 512_001;

/// What a robot comes for.
#[value]
pub(crate) enum Purpose {
    Search,
    /// The index that an assistant answers and cites from.
    AnswerSearch,
    /// A page that somebody asked an assistant about.
    AnswerUser,
    Training,
    /// A switch for training: another robot of the company fetches.
    TrainingToken,
    Ads,
    Agent,
}

/// Whether a robot keeps to robots.txt, as its operator says.
#[value]
pub(crate) enum Keeps {
    Yes,
    No,
    /// Not where somebody asked for the page.
    Partly,
    Unknown,
}

#[args]
pub(crate) struct Check {
    /// The website.
    site_id: Id<Site>,
    /// Pages to look at; the home page and the most linked ones of the newest crawl when left out.
    urls: Option<List<Url, 1, 20>>,
}

/// A robot.
#[value]
pub(crate) struct Agent {
    /// As robots.txt names it.
    name: String,
    company: String,
    purpose: Purpose,
    /// Whether robots.txt lets it fetch all of the pages; null where robots.txt cannot be had.
    allowed: Option<bool>,
    /// Pages that it may not fetch.
    blocked_urls: Vec<String>,
    /// The line of robots.txt that decides, for the first page that differs; null where no line speaks of it.
    line: Option<u32>,
    rule: Option<String>,
    /// Pages that a robots meta element or header for this robot keeps out of its index.
    noindex_urls: Vec<String>,
    obeys_robots: Keeps,
    documentation: String,
    /// What its visits came to, by verified lines of the server's log; null without one.
    log_visits: Option<pages::Visits>,
}

/// What robots.txt says of the use of pages beside fetching.
#[value]
pub(crate) struct Signal {
    /// `Content-Signal` or `Content-Usage`.
    field: String,
    value: String,
    line: u32,
}

/// What was found.
#[value]
pub(crate) struct Checked {
    /// By company.
    agents: Vec<Agent>,
    /// Lines that say how content may be used; no standard that everybody reads.
    signals: Vec<Signal>,
    /// Challenges that our own robot met: what others are shown is not known.
    challenges: Vec<Challenge>,
    /// What contradicts itself; the one that costs most visibility first.
    conflicts: Vec<Conflict>,
    pages: Vec<Page>,
    robots_url: String,
    /// 0 without an answer.
    robots_status: u16,
    #[own]
    notes: Vec<String>,
    next: Vec<Next>,
    degraded: Vec<Degraded>,
}

/// Checks whether search, answer and training bots of each AI company may fetch pages: robots.txt per agent, meta and header directives, and challenge pages seen by our own bot; no bot is impersonated.
///
/// `allowed` is what robots.txt says and `obeys_robots` what the operator says of its robot. Google-Extended is a switch and no
/// robot: it does not govern AI Overviews or AI Mode, which follow Googlebot, `nosnippet` and `max-snippet`.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 24),
    needs = ["web", "store"],
    phrasings = ["can chatgpt crawl my site", "which AI bots does my robots.txt block", "can GPTBot and ClaudeBot get into my site", "does a firewall block AI crawlers"],
    examples = [{ "site_id": "4503599627370496" }, { "site_id": "4503599627370496", "urls": ["https://shop.example/", "https://shop.example/guides/light"] }]
)]
pub(crate) fn check(cx: &Cx, args: Check) -> Result<Checked> {
    let site = site::get(cx, &args.site_id)?;
    let urls: Vec<Url> = match &args.urls {
        Some(urls) => {
            site::all_own(&site, urls)?;
            urls.iter().cloned().collect()
        }
        None => pages::usual(cx, &site, PAGES),
    };
    let mut degraded = Vec::new();
    let robots_url = format!("{}/robots.txt", site.origin);
    let (status, body) = robots(cx, &robots_url, &mut degraded)?;
    let known = matches!(status, 200..=499) && status != 429;
    let visits = pages::visits(cx, &site, &mut degraded);
    let (found, challenges) = pages::read(cx, &urls, &mut degraded);
    let agents: Vec<Agent> = agents()
        .iter()
        .map(|agent| {
            let rules = Robots::of_answer(status, &body, agent.token);
            let blocked: Vec<&Url> = urls.iter().filter(|url| !rules.allows(url.as_str())).collect();
            let told = blocked.first().copied().or(urls.first());
            let deciding = told.and_then(|url| Deciding::of(&body, agent.token, url.as_str())).filter(|_| known);
            Agent {
                name: agent.token.to_owned(),
                company: agent.company.to_owned(),
                purpose: purpose(agent.purpose),
                allowed: known.then_some(blocked.is_empty()),
                blocked_urls: if known { blocked.iter().map(ToString::to_string).collect() } else { Vec::new() },
                line: deciding.as_ref().map(|it| it.line),
                rule: deciding.map(|it| it.rule),
                noindex_urls: found.iter().filter(|it| it.is_kept_out(agent.token)).map(|it| it.url.clone()).collect(),
                obeys_robots: keeps(agent.obeys),
                documentation: agent.documentation.to_owned(),
                log_visits: visits.get(&agent.token.to_lowercase()).copied(),
            }
        })
        .collect();
    let sitemaps = Robots::of_answer(status, &body, "Googlebot").sitemaps;
    // What robots.txt says nobody knows: nothing can contradict it.
    let conflicts =
        if known { pages::conflicts(cx, &site, &agents, &found, &sitemaps, (status, &body)) } else { Vec::new() };
    let mut next = Vec::new();
    if agents.iter().any(|it| it.purpose == Purpose::AnswerSearch && it.allowed == Some(false)) {
        let policy = json!({ "site_id": site.id, "policy": { "ai_search_bots": "allow" } });
        next.push(Next::new(
            "indexing.robots.compose",
            policy,
            "writes a robots.txt that lets the indexes of assistants in",
        ));
    }
    let pages = found.into_iter().map(Page::from).collect();
    let notes = vec![
        "Google-Extended and Applebot-Extended are switches: Googlebot and Applebot fetch. AI Overviews and AI Mode follow Googlebot, nosnippet, max-snippet and data-nosnippet.".to_owned(),
        "Robots that fetch for somebody who asked may not keep to robots.txt; what a firewall shows a named robot is known from the server's log alone.".to_owned(),
    ];
    Ok(Checked {
        agents,
        signals: rules::signals(&body),
        challenges,
        conflicts,
        pages,
        robots_url,
        robots_status: status,
        notes,
        next,
        degraded,
    })
}

/// The live robots.txt: its status and body. Nothing that an answer can be is a refusal of ours.
fn robots(cx: &Cx, url: &str, degraded: &mut Vec<Degraded>) -> Result<(u16, Vec<u8>)> {
    let address: Url = url.parse().map_err(|why: String| Fault::invalid("/site_id", "no_url", why))?;
    match cx.web().fetch(&Request::get(&address).follow(5).max_bytes(MAX_ROBOTS).timeout(8_000)) {
        Ok(answer) => {
            if answer.status == 429 || answer.status >= 500 {
                let why = format!(
                    "robots.txt answers {}: robots take everything as forbidden until it answers",
                    answer.status
                );
                degraded.push(Degraded::new("robots.txt", why));
            }
            // Beside another status a body is no robots.txt (RFC 9309 section 2.3.1).
            let is_file = (200..300).contains(&answer.status);
            Ok((answer.status, if is_file { answer.body } else { Vec::new() }))
        }
        Err(Failure::Redirects) => Ok((404, Vec::new())),
        Err(failure) => {
            if let Some(fault) = failure.unasked("/site_id") {
                return Err(fault);
            }
            let why =
                format!("robots.txt cannot be had ({}), so that nothing is known of what robots may", failure.name());
            degraded.push(Degraded::new("robots.txt", why));
            Ok((0, Vec::new()))
        }
    }
}

fn purpose(of: Use) -> Purpose {
    match of {
        Use::Search => Purpose::Search,
        Use::AnswerSearch => Purpose::AnswerSearch,
        Use::AnswerUser => Purpose::AnswerUser,
        Use::Training => Purpose::Training,
        Use::TrainingToken => Purpose::TrainingToken,
        Use::Ads => Purpose::Ads,
        Use::Agent => Purpose::Agent,
    }
}

fn keeps(of: Obeys) -> Keeps {
    match of {
        Obeys::Yes => Keeps::Yes,
        Obeys::No => Keeps::No,
        Obeys::Partly => Keeps::Partly,
        Obeys::Unknown => Keeps::Unknown,
    }
}
