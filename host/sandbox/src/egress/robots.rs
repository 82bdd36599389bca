//! The robots.txt of an origin (RFC 9309): fetched through the guard like any page, shared with all nodes through the
//! store, and obeyed whoever the caller is.

use std::sync::Arc;
use std::time::Duration;

use http_cache_semantics::CachePolicy;
use model::clock::Moment;
use moka::future::Cache;
use robots::{AGENT, MOST_BYTES, Robots};
use store::edges::robots::RobotsFile;
use store::edges::turns::Pace;

use super::manners::Obey;
use super::target::Target;
use super::{Cached, Decision, Failure, Fetch, Fetched, Freshness, Guard, Manners};

/// Redirects that are followed, at least five (2.3.1.2).
const FOLLOW: u8 = 5;
/// The time limit of the fetch, including redirects.
const TIMEOUT: Duration = Duration::from_secs(8);
/// The longest cache lifetime (2.4).
const LONGEST: Duration = Duration::from_secs(24 * 3_600);
/// The shortest cache lifetime, whatever the origin says.
const SHORTEST: Duration = Duration::from_secs(5 * 60);
/// The cache lifetime if the origin says nothing.
const USUAL: Duration = Duration::from_secs(3_600);
/// The longest `Crawl-delay` that is honoured.
const LONGEST_DELAY: Duration = Duration::from_secs(30);
/// Bytes of rules that a node caches in memory.
const REMEMBERED: u64 = 32 * 1024 * 1024;
/// How long a node caches rules in memory. It is short, since another node may have fetched a newer file.
const MEMORY: Duration = Duration::from_secs(60);

/// The rules of an origin for our product token.
#[derive(Debug)]
pub(super) struct Rules {
    robots: Robots,
    fresh_until: Moment,
}

/// The in-memory cache of rules, by scheme, host and port. Concurrent callers wait for one fetch.
pub(super) type Known = Cache<String, Arc<Rules>>;

/// An empty cache of rules.
pub(super) fn known() -> Known {
    let weight = |origin: &String, rules: &Arc<Rules>| {
        let bytes: usize = rules.robots.rules.iter().map(|rule| rule.pattern.len() + 64).sum();
        u32::try_from(origin.len() + bytes + 256).unwrap_or(u32::MAX)
    };
    Cache::builder().weigher(weight).max_capacity(REMEMBERED).time_to_live(MEMORY).build()
}

impl Rules {
    fn of(file: &RobotsFile) -> Self {
        Self { robots: Robots::of_answer(file.status, &file.file, AGENT), fresh_until: file.fresh_until }
    }

    /// Whether the rules allow a target.
    pub(super) fn allow(&self, target: &Target) -> bool {
        self.robots.allows(target.url.as_str())
    }

    /// The request rate: the usual one, or a slower one if the origin asks for it.
    pub(super) fn pace(&self, usual: Pace) -> Pace {
        match self.robots.crawl_delay_ms.map(Duration::from_millis) {
            Some(delay) if !delay.is_zero() => Pace { every: usual.every.max(delay.min(LONGEST_DELAY)), burst: 1 },
            _ => usual,
        }
    }
}

/// Whether a target is robots.txt itself, which is always allowed (2.2.2).
pub(super) fn is_file(target: &Target) -> bool {
    target.url.path() == "/robots.txt" && target.url.query().is_none()
}

fn origin(target: &Target) -> String {
    target.url.origin().ascii_serialization()
}

impl Guard {
    /// The rules of a target's origin.
    ///
    /// # Errors
    /// Why the origin has no rules, as a failure of the page. The page must not be fetched either.
    pub(super) async fn rules(
        &self,
        target: &Target,
        manners: &Manners,
        trail: &mut Vec<Decision>,
    ) -> Result<Arc<Rules>, Failure> {
        let origin = origin(target);
        if let Some(known) = self.robots.get(&origin).await {
            if known.fresh_until > manners.store.database.now() {
                return Ok(known);
            }
            self.robots.invalidate(&origin).await;
        }
        let rules = self.robots.try_get_with_by_ref(&origin, self.find_rules(&origin, manners, trail)).await;
        rules.map_err(|failure| *failure)
    }

    async fn find_rules(
        &self,
        origin: &str,
        manners: &Manners,
        trail: &mut Vec<Decision>,
    ) -> Result<Arc<Rules>, Failure> {
        let now = manners.store.database.now();
        let kept = manners.store.edges.robots_file(origin).await.unwrap_or_else(|error| {
            tracing::warn!(error = %error, "nobody can tell what is kept of a robots.txt");
            None
        });
        if let Some(kept) = kept.as_ref().filter(|kept| kept.fresh_until > now) {
            return Ok(Arc::new(Rules::of(kept)));
        }
        let fetch = Fetch {
            head: false,
            url: format!("{origin}/robots.txt"),
            headers: Vec::new(),
            follow: FOLLOW,
            max_bytes: MOST_BYTES,
            timeout: TIMEOUT,
            freshness: Freshness::Fresh,
            within: None,
        };
        let asking = manners.clone().obeying(Obey::Nothing);
        // Boxed because the calls are mutually recursive: a page fetch fetches the rules, and that is a page fetch too.
        let answer = Box::pin(self.chain(&fetch, Some(&asking), trail)).await;
        let now = manners.store.database.now();
        let stale = |kept: RobotsFile| Arc::new(Rules::of(&RobotsFile { fresh_until: now.plus(SHORTEST), ..kept }));
        match (file_of(&answer, now), kept) {
            (Some(file), None) => Ok(self.share(origin, file, manners).await),
            (Some(file), Some(kept)) if file.status >= 500 => {
                tracing::debug!(status = file.status, "an earlier robots.txt is obeyed");
                Ok(stale(kept))
            }
            (Some(file), Some(_)) => Ok(self.share(origin, file, manners).await),
            (None, Some(kept)) if !matches!(answer, Err(Failure::Paced(_))) => Ok(stale(kept)),
            (None, _) => Err(match answer {
                Ok(page) => Failure::Paced(self.pause(&page, now)),
                Err(failure) => failure,
            }),
        }
    }

    /// Shares the robots.txt that a guest fetched, so that all callers obey it from now on.
    pub(super) async fn learn(&self, target: &Target, page: &Fetched, manners: &Manners) {
        let now = manners.store.database.now();
        let whole = !page.truncated && !(300..400).contains(&page.status) && page.status < 500;
        if let Some(file) = file_of(&Ok(page.clone()), now).filter(|_| whole) {
            let origin = origin(target);
            let rules = self.share(&origin, file, manners).await;
            self.robots.insert(origin, rules).await;
        }
    }

    /// The shared robots.txt as a page, for a guest that accepts a cached one.
    pub(super) async fn shared_file(
        &self,
        target: &Target,
        fetch: &Fetch,
        manners: &Manners,
        trail: &mut Vec<Decision>,
    ) -> Result<Option<Fetched>, Failure> {
        self.rules(target, manners, trail).await?;
        let Ok(Some(mut kept)) = manners.store.edges.robots_file(&origin(target)).await else { return Ok(None) };
        let age = manners.store.database.now().since(kept.fetched_at);
        let truncated = kept.file.len() > fetch.max_bytes;
        kept.file.truncate(fetch.max_bytes);
        Ok(Some(Fetched {
            url: target.url.as_str().to_owned(),
            status: kept.status,
            body: kept.file,
            truncated,
            cached: Cached::Fresh,
            age,
            ..Fetched::default()
        }))
    }

    async fn share(&self, origin: &str, file: RobotsFile, manners: &Manners) -> Arc<Rules> {
        if let Err(error) = manners.store.edges.keep_robots_file(origin, &file).await {
            tracing::warn!(error = %error, "a robots.txt could not be shared");
        }
        Arc::new(Rules::of(&file))
    }
}

/// The file that a response stands for (2.3.1); `None` if the origin gave no answer or only asked for a pause.
fn file_of(answer: &Result<Fetched, Failure>, now: Moment) -> Option<RobotsFile> {
    let (status, body, life) = match answer {
        Ok(page) if matches!(page.status, 429 | 503) => return None,
        Ok(page) if page.status >= 500 => (page.status, &[][..], SHORTEST),
        Ok(page) if (200..300).contains(&page.status) => (page.status, &page.body[..], life(page, now)),
        Ok(page) => (page.status, &[][..], life(page, now)),
        // More redirects than are followed, or a forbidden one, count as a missing file (2.3.1.2).
        Err(Failure::Redirects | Failure::Refused) => (404, &[][..], USUAL),
        Err(_) => return None,
    };
    Some(RobotsFile { status, fetched_at: now, fresh_until: now.plus(life), file: body.to_vec() })
}

/// The cache lifetime of a file: as the origin says, within bounds.
fn life(page: &Fetched, now: Moment) -> Duration {
    let says = |name: &str| page.headers.iter().any(|(it, _)| it == name);
    if !says("cache-control") && !says("expires") {
        return USUAL;
    }
    let asked = http::Request::new(());
    let mut answered = http::Response::new(());
    super::kept::copy(&page.headers, answered.headers_mut());
    let at = super::kept::time(now);
    let policy = CachePolicy::new_options(&asked, &answered, at, super::kept::private());
    policy.time_to_live(at).clamp(SHORTEST, LONGEST)
}

#[cfg(test)]
mod tests;
