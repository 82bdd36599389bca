//! Whether links that leave the site lead anywhere.

use std::collections::HashSet;

use kit::url::origin;
use sdk::prelude::*;
use sdk::{Failure, value};

use super::Phase;
use super::crawl::Crawl;
use super::fetch;
use super::robots::Rules;
use crate::stored::External;

/// Addresses checked in one run.
const MOST: u64 = 1_000;
/// Asked at the same time, each of another host.
const AT_ONCE: usize = 8;
/// What a round may need: rules, headers and, where these are refused, first bytes of each.
const ROUND_REQUESTS: u32 = 3 * AT_ONCE as u32;
/// Between two rounds, so that no host is asked more than once a second.
const ROUND_MS: u32 = 1_000;
const TIMEOUT_MS: u32 = 6_000;

impl Crawl<'_> {
    /// Checks some; ends the phase when there is none left, or enough was checked.
    pub(crate) fn check_externals(&mut self) -> Result<()> {
        if self.budget.requests < ROUND_REQUESTS {
            self.budget.end();
            return Ok(());
        }
        self.flush_externals()?;
        let waiting = self.cx.records::<External>().by("run_state").equals(self.run.id.as_str()).equals("waiting");
        self.budget.call();
        let batch = waiting.page(100_u64, None)?.items;
        if batch.is_empty() || self.run.0.totals.external_checked >= MOST {
            self.point.phase = Phase::Resources;
            return Ok(());
        }
        let mut hosts = HashSet::new();
        let mut round = Vec::new();
        for stored in batch {
            let Ok(url) = stored.0.url.parse::<value::Url>() else {
                self.settle(stored.into_inner(), "left_out", None);
                continue;
            };
            let host = origin(&url);
            let verdict = self.known_rules(&host).map(|rules| verdict(&rules, &stored.0.url));
            match verdict {
                Some(Verdict::Busy) => self.settle(stored.into_inner(), "left_out", None),
                Some(Verdict::Dead(failure)) => self.dead(stored.into_inner(), failure),
                Some(Verdict::Forbidden) => self.settle(stored.into_inner(), "robots", None),
                Some(Verdict::Allowed) | None => {
                    if round.len() < AT_ONCE && hosts.insert(host) {
                        round.push((url, stored.into_inner()));
                    }
                }
            }
        }
        let mut unknown: Vec<String> = hosts.into_iter().filter(|host| self.known_rules(host).is_none()).collect();
        unknown.sort();
        self.fetch_rules(&unknown)?;
        // Those whose rules have just come and forbid wait for the next look, which settles all of their host at once.
        round.retain(|(url, external)| {
            self.known_rules(&origin(url))
                .is_some_and(|rules| matches!(verdict(&rules, &external.0.url), Verdict::Allowed))
        });
        self.check_round(round);
        Ok(())
    }

    /// Asks for headers; where these say that something is wrong, the first bytes are asked for.
    fn check_round(&mut self, round: Vec<(value::Url, External)>) {
        if round.is_empty() {
            return;
        }
        self.budget.call();
        self.cx.wait(ROUND_MS);
        let heads =
            self.cx.web().fetch_many(round.iter().map(|(url, _)| Request::head(url).follow(5).timeout(TIMEOUT_MS)));
        let mut again = Vec::new();
        for ((url, external), answer) in round.into_iter().zip(heads) {
            self.budget.request();
            if fetch::head_is_doubtful(&answer) {
                again.push((url, external));
            } else {
                self.checked(external, answer);
            }
        }
        let firsts = again.iter().map(|(url, _)| Request::get(url).follow(5).max_bytes(1_024).timeout(TIMEOUT_MS));
        let answers = if again.is_empty() { Vec::new() } else { self.cx.web().fetch_many(firsts) };
        for ((_, external), answer) in again.into_iter().zip(answers) {
            self.budget.request();
            self.checked(external, answer);
        }
    }

    /// A stranger's host that asks for a pause is not waited for: nothing is said of the address then.
    fn checked(&mut self, external: External, answer: Result<Response, Failure>) {
        match answer {
            Err(Failure::Paced(_)) => return self.settle(external, "left_out", None),
            Err(Failure::Disallowed) => return self.settle(external, "robots", None),
            _ => {}
        }
        self.run.0.totals.external_checked += 1;
        self.settle(external, "checked", Some(answer));
    }

    /// A host that does not even answer for its robots.txt answers for nothing.
    fn dead(&mut self, mut external: External, failure: String) {
        external.0.failure = Some(failure);
        self.run.0.totals.external_checked += 1;
        self.settle(external, "checked", None);
    }

    fn settle(&mut self, external: External, state: &str, answer: Option<Result<Response, Failure>>) {
        let mut external = external;
        external.0.state = state.to_owned();
        match answer {
            Some(Ok(answer)) => {
                external.0.status = answer.status;
                external.0.final_url = (answer.url != external.0.url).then_some(answer.url);
            }
            Some(Err(failure)) => external.0.failure = Some(fetch::name(&failure).to_owned()),
            None => {}
        }
        self.budget.row();
        let id = self.id(&external.0.url);
        self.externals.insert(id, external);
    }

    /// Writes what is settled, so that the next question sees it.
    fn flush_externals(&mut self) -> Result<()> {
        if self.externals.is_empty() {
            return Ok(());
        }
        let mut settled: Vec<(Id<External>, External)> =
            self.externals.drain().map(|(id, it)| (Id::new(id), it)).collect();
        settled.sort_by(|a, b| a.1.0.url.cmp(&b.1.0.url));
        self.budget.call();
        self.cx.records::<External>().put_many_as(settled.iter().map(|(id, it)| (id, it)))?;
        Ok(())
    }
}

/// What the rules of a host mean for one of its addresses.
enum Verdict {
    Allowed,
    Forbidden,
    /// It asks for a pause. A stranger's host is not waited for, and nothing is said of it.
    Busy,
    /// There was no answer, for this reason.
    Dead(String),
}

fn verdict(rules: &Rules, url: &str) -> Verdict {
    match &rules.failure {
        Some(failure) if failure == "paced" => Verdict::Busy,
        Some(failure) => Verdict::Dead(failure.clone()),
        None if rules.robots.allows(url) => Verdict::Allowed,
        None => Verdict::Forbidden,
    }
}
