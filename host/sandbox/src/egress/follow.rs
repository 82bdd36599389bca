//! A fetch from the first address to the last: each redirect is a new target and passes every check again.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};
use url::{ParseError, Url};

use super::exchange::{location, permitted};
use super::resolve::decision;
use super::target::{self, Target};
use super::{Decision, Failure, Fetch, Fetched, Guard, Hop, Verdict};

/// Bytes of a body.
const MOST_BODY: usize = 8 << 20;
/// Redirects.
const MOST_HOPS: u8 = 10;
/// The whole fetch.
const LONGEST: Duration = Duration::from_secs(30);

impl Guard {
    /// Fetches a page. Every decision is added to the trail, whatever the outcome.
    ///
    /// # Errors
    /// One of the seven failures of `wit/v1/web.wit`.
    pub async fn fetch(&self, mut fetch: Fetch, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        fetch.max_bytes = fetch.max_bytes.min(MOST_BODY);
        fetch.follow = fetch.follow.min(MOST_HOPS);
        let began = Instant::now();
        let deadline = began + fetch.timeout.min(LONGEST);
        let mut fetched = timeout_at(deadline, self.chain(&fetch, trail)).await.map_err(|_| Failure::Timeout)??;
        fetched.timing.total = Instant::now() - began;
        Ok(fetched)
    }

    async fn chain(&self, fetch: &Fetch, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        let mut target = kept(target::parse(&fetch.url), trail)?;
        if !permitted(&fetch.headers) {
            trail.push(decision(&target, None, Verdict::Header));
            return Err(Failure::Refused);
        }
        let (mut hops, mut seen) = (Vec::new(), HashSet::new());
        loop {
            seen.insert(target.url.clone());
            let mut fetched = self.exchange(&target, fetch, fetch.follow > 0, trail).await?;
            let next = location(&fetched).filter(|_| fetch.follow > 0).map(|to| (to.to_owned(), target.url.join(to)));
            let Some((location, next)) = next else {
                fetched.hops = hops;
                return Ok(fetched);
            };
            hops.push(Hop { url: fetched.url, status: fetched.status, location });
            if hops.len() > usize::from(fetch.follow) {
                return Err(Failure::Redirects);
            }
            target = self.next(&target, next, trail)?;
            if seen.contains(&target.url) {
                return Err(Failure::Redirects);
            }
        }
    }

    /// The checks of a redirect: those of any URL, and never from https to http.
    fn next(&self, from: &Target, to: Result<Url, ParseError>, trail: &mut Vec<Decision>) -> Result<Target, Failure> {
        let target = kept(to.map_err(|_| target::unreadable()).and_then(target::check), trail)?;
        if from.tls && !target.tls {
            trail.push(decision(&target, None, Verdict::Downgrade));
            return Err(Failure::Refused);
        }
        Ok(target)
    }
}

fn kept(checked: Result<Target, Decision>, trail: &mut Vec<Decision>) -> Result<Target, Failure> {
    checked.map_err(|refused| {
        trail.push(refused);
        Failure::Refused
    })
}

#[cfg(test)]
mod tests;
