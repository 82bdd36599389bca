//! Fetches that follow redirects. Each redirect is a new target and passes every check again.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::time::{Instant, timeout};
use url::{ParseError, Url};

use super::exchange::{location, permitted};
use super::resolve::decision;
use super::target::{self, Target};
use super::{Decision, Failure, Fetch, Fetched, Freshness, Guard, Hop, Manners, Obey, Verdict, robots};

const MOST_BODY: usize = 8 << 20;
const MOST_HOPS: u8 = 10;
/// The time limit of the whole fetch.
const LONGEST: Duration = Duration::from_secs(30);

/// The time budget of a fetch.
struct Time {
    left: Duration,
    total: Duration,
}

impl Time {
    fn spend(&mut self, took: Duration) {
        self.left = self.left.saturating_sub(took);
        self.total += took;
    }
}

impl Guard {
    /// Fetches a page for the host itself. Every decision is added to the trail, whatever the outcome.
    ///
    /// # Errors
    /// A [`Failure`], but never one of rate limiting or robots.txt.
    pub async fn fetch(&self, fetch: Fetch, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        self.chain(&fetch, None, trail).await
    }

    /// Fetches a public page for a guest: as [`Guard::fetch`], with each hop subject to the host's rate limit and
    /// robots.txt.
    ///
    /// # Errors
    /// A [`Failure`].
    pub async fn visit(&self, fetch: Fetch, manners: &Manners, trail: &mut Vec<Decision>) -> Result<Fetched, Failure> {
        self.chain(&fetch, Some(manners), trail).await
    }

    /// Waiting for a rate-limit slot does not count towards the fetch's own time.
    pub(super) async fn chain(
        &self,
        fetch: &Fetch,
        manners: Option<&Manners>,
        trail: &mut Vec<Decision>,
    ) -> Result<Fetched, Failure> {
        let fetch =
            &Fetch { max_bytes: fetch.max_bytes.min(MOST_BODY), follow: fetch.follow.min(MOST_HOPS), ..fetch.clone() };
        let mut time = Time { left: fetch.timeout.min(LONGEST), total: Duration::ZERO };
        let mut target = kept(target::parse(&fetch.url), trail)?;
        if !permitted(&fetch.headers) {
            trail.push(decision(&target, None, Verdict::Header));
            return Err(Failure::Refused);
        }
        within(fetch, &target, trail)?;
        let first = target.clone();
        let file = manners.filter(|it| it.obey == Obey::Rules && !fetch.head && robots::is_file(&target));
        if let Some(manners) = file.filter(|_| fetch.freshness == Freshness::Any)
            && let Some(shared) = self.shared_file(&target, fetch, manners, trail).await?
        {
            return Ok(shared);
        }
        let (mut hops, mut seen) = (Vec::new(), HashSet::new());
        loop {
            seen.insert(target.url.clone());
            let mut fetched = self.hop(&target, fetch, manners, &mut time, trail).await?;
            let next = location(&fetched).filter(|_| fetch.follow > 0).map(|to| (to.to_owned(), target.url.join(to)));
            let Some((location, next)) = next else {
                fetched.hops = hops;
                fetched.timing.total = time.total;
                if let Some(manners) = file {
                    self.learn(&first, &fetched, manners).await;
                }
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

    /// One exchange without following redirects: from the cache, or from the site as its robots.txt and rate limit
    /// allow.
    async fn hop(
        &self,
        target: &Target,
        fetch: &Fetch,
        manners: Option<&Manners>,
        time: &mut Time,
        trail: &mut Vec<Decision>,
    ) -> Result<Fetched, Failure> {
        let began = Instant::now();
        let resolved = timeout(time.left, self.resolve(target, trail)).await.map_err(|_| Failure::Timeout)??;
        let dns = began.elapsed();
        time.spend(dns);
        let Some(manners) = manners else { return self.timed(target, &resolved, fetch, dns, time).await };
        // Check robots.txt first: a disallowed target neither takes a rate-limit slot nor receives a request.
        let mut pace = self.policy.pace;
        if manners.obey == Obey::Rules && !robots::is_file(target) {
            let rules = self.rules(target, manners, trail).await?;
            if !rules.allow(target) {
                trail.push(decision(target, None, Verdict::Robots));
                return Err(Failure::Disallowed);
            }
            pace = rules.pace(pace);
        }
        let known = self.kept(target, fetch, manners).await;
        if let Some(page) = known.as_ref().and_then(|known| known.fresh(target, fetch, manners.store.database.now())) {
            return Ok(page);
        }
        let validators = known.as_ref().map(|known| known.validators(manners.store.database.now())).unwrap_or_default();
        let mut asking = fetch.clone();
        asking.headers.extend(validators);
        loop {
            self.take_turn(target, pace, manners).await?;
            let fetched = self.timed(target, &resolved, &asking, dns, time).await?;
            self.heed(target, &fetched, manners).await;
            let Some(known) = &known else { return Ok(fetched) };
            if fetched.status != 304 || asking.headers.len() == fetch.headers.len() {
                known.keep(&fetched, manners).await;
                return Ok(fetched);
            }
            if let Some(page) = known.confirmed(target, fetch, &fetched, manners).await {
                return Ok(page);
            }
            // The 304 refers to another response than the cached one, so ask again without validators.
            asking.headers.truncate(fetch.headers.len());
        }
    }

    /// One exchange within the remaining time.
    async fn timed(
        &self,
        target: &Target,
        addresses: &[SocketAddr],
        fetch: &Fetch,
        dns: Duration,
        time: &mut Time,
    ) -> Result<Fetched, Failure> {
        let began = Instant::now();
        let exchange = timeout(time.left, self.exchange(target, addresses, fetch, fetch.follow > 0)).await;
        let mut fetched = exchange.map_err(|_| Failure::Timeout)??;
        time.spend(began.elapsed());
        fetched.timing.dns = dns;
        Ok(fetched)
    }

    /// Checks a redirect as any URL, and refuses a downgrade from https to http.
    fn next(&self, from: &Target, to: Result<Url, ParseError>, trail: &mut Vec<Decision>) -> Result<Target, Failure> {
        let target = kept(to.map_err(|_| target::unreadable()).and_then(target::check), trail)?;
        if from.tls && !target.tls {
            trail.push(decision(&target, None, Verdict::Downgrade));
            return Err(Failure::Refused);
        }
        Ok(target)
    }
}

/// Checks the operation's bounds, which apply to each redirect too.
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
