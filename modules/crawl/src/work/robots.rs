//! How a crawl begins, and the rules of every host it meets.

use kit::crawled::{Found, Pace, RobotsSummary};
use kit::robots::{AGENT, MOST_BYTES, Robots};
use kit::url::{Url, normal, origin, same_site};
use sdk::prelude::*;
use sdk::{Failure, value};

use super::crawl::Crawl;
use super::discover::Lead;
use super::fetch;
use super::{Pending, Phase};
use crate::stored::Host;

/// What a host says to this crawler.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) robots: Robots,
    /// The status of robots.txt; 0 when there was no answer.
    pub(crate) status: u16,
    /// Why there was none.
    pub(crate) failure: Option<String>,
}

impl Rules {
    /// Why nothing of the host can be asked for, when it is no matter of its rules: there is no such name, nobody listens
    /// there, or nobody can be sure who does.
    pub(crate) fn absent(&self) -> Option<&str> {
        self.failure.as_deref().filter(|it| matches!(*it, "unresolved" | "unreachable" | "tls"))
    }
}

impl Crawl<'_> {
    /// Reads the site's rules, and puts the starting addresses in the queue.
    pub(crate) fn begin(&mut self) -> Result<()> {
        let origin_url = self.origin.clone();
        let Some(Rules { robots, .. }) = self.rules_of(&origin_url)? else { return Ok(()) };
        let delay = robots.crawl_delay_ms.filter(|_| !self.run.0.settings.lift_crawl_delay);
        self.run.0.pace = Pace::start(self.run.0.settings.rate_millirps, delay);
        let mut sitemaps: Vec<String> =
            robots.sitemaps.iter().filter_map(|url| kit::url::resolve_normal(&self.origin, url)).collect();
        if sitemaps.is_empty() {
            sitemaps.extend(kit::url::resolve_normal(&self.origin, "/sitemap.xml"));
        }
        self.run.0.robots.sitemaps = robots.sitemaps.iter().take(50).cloned().collect();
        self.point.sitemaps = sitemaps.into_iter().take(50).map(|url| Pending { url, taken: 0 }).collect();
        let seeds: Vec<String> = self.run.0.settings.seeds.clone();
        let start = normal(&self.origin).into_iter().chain(seeds);
        for url in start.collect::<Vec<_>>() {
            let lead = Lead { depth: 0, found: Found::Seed, referrer: None, in_sitemap: false, hops: 0 };
            self.discover(&url, &lead)?;
        }
        self.point.phase = Phase::Sitemaps;
        self.flush_frontier()
    }

    /// The rules for an address; fetched once in a run for each scheme, host and port. None when the host asks for a
    /// pause, which the next step then begins after.
    pub(crate) fn rules_of(&mut self, url: &Url) -> Result<Option<Rules>> {
        let origin = origin(url);
        if let Some(rules) = self.known_rules(&origin) {
            return Ok(Some(rules));
        }
        let of_site = same_site(&self.origin, url);
        if of_site {
            self.keep_pace();
        }
        // Of its own site, a crawl tells what the file says now.
        let answer =
            self.ask(&format!("{origin}/robots.txt"), |it| if of_site { shape(it) } else { shape(it).any_age() });
        if let Err(Failure::Paced(seconds)) = answer
            && of_site
            && self.rest(seconds)
        {
            return Ok(None);
        }
        let rules = self.keep_rules(&origin, &answer)?;
        let status = rules.status;
        if of_site && (self.run.0.robots.state.is_empty() || *origin == self.run.0.origin) {
            let state = match status {
                200..=299 => "found",
                300..=428 | 430..=499 => "missing",
                _ => "unreachable",
            };
            self.run.0.robots = RobotsSummary {
                status,
                state: state.to_owned(),
                crawl_delay_ms: rules.robots.crawl_delay_ms,
                sitemaps: std::mem::take(&mut self.run.0.robots.sitemaps),
            };
        }
        Ok(Some(rules))
    }

    /// Fetches the rules of several hosts at the same time.
    pub(crate) fn fetch_rules(&mut self, origins: &[String]) -> Result<()> {
        let wanted: Vec<(&String, value::Url)> =
            origins.iter().filter_map(|origin| Some((origin, format!("{origin}/robots.txt").parse().ok()?))).collect();
        let answers = self.cx.web().fetch_many(wanted.iter().map(|(_, url)| shape(Request::get(url)).any_age()));
        for ((origin, _), answer) in wanted.iter().zip(answers) {
            self.budget.request();
            self.keep_rules(origin, &answer)?;
        }
        Ok(())
    }

    /// The rules of a host, if they were fetched before.
    pub(crate) fn known_rules(&mut self, origin: &str) -> Option<Rules> {
        if let Some(rules) = self.rules.get(origin) {
            return Some(rules.clone());
        }
        self.budget.call();
        let host = self.cx.records::<Host>().find(&Id::new(self.id(origin)))?;
        let rules = Rules { robots: host.robots(), status: host.status, failure: host.failure.clone() };
        self.rules.insert(origin.to_owned(), rules.clone());
        Some(rules)
    }

    fn keep_rules(&mut self, origin: &str, answer: &Result<Response, Failure>) -> Result<Rules> {
        let rules = match answer {
            Ok(answer) => {
                let robots = Robots::of_answer(answer.status, &answer.body, AGENT);
                Rules { robots, status: answer.status, failure: None }
            }
            Err(failure) => {
                Rules { robots: Robots::forbid_all(), status: 0, failure: Some(fetch::name(failure).to_owned()) }
            }
        };
        let host = Host {
            run: self.reference(),
            origin: origin.to_owned(),
            status: rules.status,
            failure: rules.failure.clone(),
            rules: serde_json::to_string(&rules.robots).unwrap_or_default(),
        };
        self.budget.row();
        self.budget.call();
        self.cx.records::<Host>().insert_as(Id::new(self.id(origin)), host)?;
        self.rules.insert(origin.to_owned(), rules.clone());
        Ok(rules)
    }
}

/// At least five redirects are to be followed (RFC 9309 section 2.3.1.2).
fn shape(request: Request) -> Request {
    request.follow(5).max_bytes(u32::try_from(MOST_BYTES).unwrap_or(u32::MAX)).timeout(6_000)
}
