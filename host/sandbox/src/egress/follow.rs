//! A fetch from the first address to the last: each redirect is a new target and passes every check again.

use std::collections::HashSet;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use url::{ParseError, Url};

use super::exchange::{location, permitted};
use super::resolve::decision;
use super::target::{self, Target};
use super::{Decision, Failure, Fetch, Fetched, Guard, Hop, Manners, Verdict};

/// Bytes of a body.
const MOST_BODY: usize = 8 << 20;
/// Redirects.
const MOST_HOPS: u8 = 10;
/// The whole fetch.
const LONGEST: Duration = Duration::from_secs(30);

impl Guard {
    /// Fetches a page for the host itself. Every decision is added to the trail, whatever the outcome.
    ///
    /// # Errors
    /// A [`Failure`], and never one that only a polite fetch can meet.
    pub async fn fetch(&self, fetch: Fetch, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        self.chain(&fetch, None, trail).await
    }

    /// Fetches a public page as everybody's guest: as [`Guard::fetch`], each hop in its host's turn.
    ///
    /// # Errors
    /// A [`Failure`].
    pub async fn visit(&self, fetch: Fetch, manners: &Manners, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        self.chain(&fetch, Some(manners), trail).await
    }

    /// What is waited for a turn is not the page's own time.
    async fn chain(
        &self,
        fetch: &Fetch,
        manners: Option<&Manners>,
        trail: &mut Vec<Decision>,
    ) -> Result<Fetched, Failure> {
        let fetch =
            &Fetch { max_bytes: fetch.max_bytes.min(MOST_BODY), follow: fetch.follow.min(MOST_HOPS), ..fetch.clone() };
        let mut left = fetch.timeout.min(LONGEST);
        let mut total = Duration::ZERO;
        let mut target = kept(target::parse(&fetch.url), trail)?;
        if !permitted(&fetch.headers) {
            trail.push(decision(&target, None, Verdict::Header));
            return Err(Failure::Refused);
        }
        within(fetch, &target, trail)?;
        let (mut hops, mut seen) = (Vec::new(), HashSet::new());
        loop {
            seen.insert(target.url.clone());
            let began = Instant::now();
            let resolved = timeout(left, self.resolve(&target, trail)).await.map_err(|_| Failure::Timeout)??;
            let dns = began.elapsed();
            // A target that may not be asked takes nobody's turn.
            if let Some(manners) = manners {
                self.take_turn(&target, manners).await?;
            }
            left = left.saturating_sub(dns);
            let began = Instant::now();
            let exchange = timeout(left, self.exchange(&target, &resolved, fetch, fetch.follow > 0)).await;
            let mut fetched = exchange.map_err(|_| Failure::Timeout)??;
            let took = began.elapsed();
            left = left.saturating_sub(took);
            total += dns + took;
            fetched.timing.dns = dns;
            if let Some(manners) = manners {
                self.heed(&target, &fetched, manners).await;
            }
            let next = location(&fetched).filter(|_| fetch.follow > 0).map(|to| (to.to_owned(), target.url.join(to)));
            let Some((location, next)) = next else {
                fetched.hops = hops;
                fetched.timing.total = total;
                return Ok(fetched);
            };
            hops.push(Hop { url: fetched.url, status: fetched.status, location });
            if hops.len() > usize::from(fetch.follow) {
                return Err(Failure::Redirects);
            }
            target = self.next(&target, next, trail)?;
            within(fetch, &target, trail)?;
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

/// The bounds of the operation, which hold at each redirect too.
fn within(fetch: &Fetch, target: &Target, trail: &mut Vec<Decision>) -> Result<(), Failure> {
    let Some(reach) = &fetch.within else { return Ok(()) };
    match reach.broken(fetch.head, &target.host.text(), target.port, target.url.path()) {
        None => Ok(()),
        Some(member) => {
            trail.push(decision(target, None, Verdict::Reach(member)));
            Err(Failure::Refused)
        }
    }
}

pub(super) fn kept(checked: Result<Target, Decision>, trail: &mut Vec<Decision>) -> Result<Target, Failure> {
    checked.map_err(|refused| {
        trail.push(refused);
        Failure::Refused
    })
}

#[cfg(test)]
mod tests;
