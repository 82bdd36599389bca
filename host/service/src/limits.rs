//! How often: the windows behind every 429, counted in this process and told to the other nodes.
//!
//! A window is a name, a quota and a span. `Windows::count` is the only place that counts, and it knows nothing
//! of grants.

mod shared;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use model::clock::Moment;
use model::grant::Grant;
use model::id::CustomerId;
use model::refusal::{About, Refusal, codes};
use store::calls::windows::RateWindow;

use crate::Core;
use crate::config::Rates;

const MINUTE: Duration = Duration::from_secs(60);

/// A customer with many grants has this many times the rate of one grant, and no more.
const GRANTS_AT_ONCE: u32 = 4;

/// Above this many counters the finished ones are dropped before another is made.
const TIDY_ABOVE: usize = 16_384;

/// Where a caller stands in a window, for the headers `RateLimit-Policy` and `RateLimit`
/// (draft-ietf-httpapi-ratelimit-headers-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which limit.
    pub limit: &'static str,
    /// Requests in a window.
    pub quota: u32,
    /// Seconds that a window lasts.
    pub window: u64,
    /// Requests left of this window.
    pub remaining: u32,
    /// Seconds until the window ends.
    pub reset: u64,
}

/// All limits.
pub struct Limiter {
    request: Limit,
    heavy: Limit,
    enumeration: Limit,
    feedback: Limit,
    token: Limit,
    token_failures: Limit,
    edge: Limit,
    look: Limit,
    windows: Windows,
}

#[derive(Clone, Copy)]
struct Limit {
    name: &'static str,
    quota: u32,
    span: Duration,
    /// Whether other nodes are told; a second is over before they could be.
    is_shared: bool,
}

impl Limiter {
    /// Starts with every window empty.
    pub fn new(rates: &Rates) -> Self {
        let limit = |name, quota| Limit { name, quota, span: MINUTE, is_shared: true };
        Self {
            request: limit("request", rates.requests),
            heavy: limit("heavy", rates.heavy),
            enumeration: limit("enumeration", rates.enumeration),
            feedback: limit("feedback", rates.feedback),
            token: limit("token", rates.token),
            token_failures: limit("token_failures", rates.token_failures),
            edge: limit("edge", rates.edge),
            look: Limit { name: "look", quota: 1, span: Duration::from_secs(1), is_shared: false },
            windows: Windows::default(),
        }
    }

    /// Counts any authenticated request.
    pub(crate) fn request(&self, grant: &Grant, now: Moment) -> Result<Standing, Refusal> {
        self.of_grant(self.request, grant, now)
    }

    /// Counts an operation that starts work or asks the outside.
    pub(crate) fn heavy(&self, grant: &Grant, now: Moment) -> Result<Standing, Refusal> {
        self.of_grant(self.heavy, grant, now)
    }

    /// Counts a search or the reading of a contract.
    pub(crate) fn enumeration(&self, grant: &Grant, now: Moment) -> Result<Standing, Refusal> {
        self.of_grant(self.enumeration, grant, now)
    }

    /// Counts a record of feedback.
    pub(crate) fn feedback(&self, grant: &Grant, now: Moment) -> Result<Standing, Refusal> {
        self.of_grant(self.feedback, grant, now)
    }

    /// Whether a look at work that goes on is the customer's first at this operation for a second: that one is free.
    pub(crate) fn is_free_look(&self, customer: &CustomerId, operation: &str, now: Moment) -> bool {
        self.windows.count(self.look, 1, &format!("{customer} {operation}"), now).is_ok()
    }

    /// Counts a request to the token or the revocation endpoint. Where too many have failed it is refused as well.
    pub(crate) fn token(&self, network: &str, now: Moment) -> Result<Standing, Standing> {
        self.windows.look(self.token_failures, network, now)?;
        self.windows.count(self.token, 1, network, now)
    }

    /// Counts a request to a public edge.
    pub(crate) fn edge(&self, who: &str, now: Moment) -> Result<Standing, Standing> {
        self.windows.count(self.edge, 1, who, now)
    }

    /// Counts such a request that failed.
    pub(crate) fn token_failed(&self, network: &str, now: Moment) {
        // When the window is full already, the next request is refused all the same.
        let _full = self.windows.count(self.token_failures, 1, network, now);
    }

    fn of_grant(&self, limit: Limit, grant: &Grant, now: Moment) -> Result<Standing, Refusal> {
        let standing = self.windows.count(limit, 1, grant.id.as_str(), now).map_err(limited)?;
        self.windows.count(limit, GRANTS_AT_ONCE, grant.customer.as_str(), now).map_err(limited)?;
        Ok(standing)
    }
}

/// Counts requests, by itself and together with the other nodes.
#[derive(Clone)]
pub struct Limits {
    pub(crate) core: Core,
}

impl Limits {
    pub(crate) fn of(core: &Core) -> Self {
        Self { core: core.clone() }
    }

    /// Counts one authenticated request; both transports ask this before anything else is done.
    ///
    /// # Errors
    /// 429 with the limit and the seconds to wait.
    pub fn admit_request(&self, grant: &Grant) -> Result<Standing, Refusal> {
        self.limiter().request(grant, self.core.clock().now())
    }

    pub(crate) fn limiter(&self) -> &Limiter {
        self.core.authority().limiter()
    }
}

/// Counters by limit and key. Keys are kept as hashes: a window forgets who it counted.
#[derive(Default)]
struct Windows(Mutex<HashMap<i64, Window>>);

#[derive(Clone, Copy)]
struct Window {
    ends: Moment,
    /// By all nodes, as far as they have told.
    taken: u32,
    /// By this node, since it last told the others.
    unshared: u32,
}

impl Windows {
    fn lock(&self) -> MutexGuard<'_, HashMap<i64, Window>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What this node has counted and not told yet; from now on it counts as told.
    fn unshared(&self) -> Vec<RateWindow> {
        let mut windows = self.lock();
        let counted = windows.iter_mut().filter(|(_, window)| window.unshared > 0);
        counted
            .map(|(key, window)| RateWindow {
                key: *key,
                ends: window.ends,
                taken: std::mem::take(&mut window.unshared),
            })
            .collect()
    }

    /// Takes back what could not be told.
    fn put_back(&self, counted: &[RateWindow]) {
        let mut windows = self.lock();
        for told in counted {
            if let Some(window) = windows.get_mut(&told.key).filter(|window| window.ends == told.ends) {
                window.unshared += told.taken;
            }
        }
    }

    /// Learns what all nodes have counted.
    fn learn(&self, together: &[RateWindow]) {
        let mut windows = self.lock();
        for told in together {
            if let Some(window) = windows.get_mut(&told.key) {
                window.ends = told.ends;
                window.taken = told.taken.saturating_add(window.unshared);
            }
        }
    }

    /// Takes one from the window of this key, which begins with its first request; or says where a full one stands.
    fn count(&self, limit: Limit, times: u32, key: &str, now: Moment) -> Result<Standing, Standing> {
        let quota = limit.quota.saturating_mul(times);
        let mut windows = self.lock();
        if windows.len() > TIDY_ABOVE {
            windows.retain(|_, window| window.ends > now);
        }
        let fresh = Window { ends: now.plus(limit.span), taken: 0, unshared: 0 };
        let window = windows.entry(limit.key(times, key)).or_insert(fresh);
        if window.ends <= now {
            *window = fresh;
        }
        if window.taken >= quota {
            return Err(limit.standing(quota, *window, now));
        }
        window.taken += 1;
        window.unshared += u32::from(limit.is_shared);
        Ok(limit.standing(quota, *window, now))
    }

    /// Where a full window of this key stands, and takes nothing.
    fn look(&self, limit: Limit, key: &str, now: Moment) -> Result<(), Standing> {
        match self.lock().get(&limit.key(1, key)) {
            Some(window) if window.ends > now && window.taken >= limit.quota => {
                Err(limit.standing(limit.quota, *window, now))
            }
            _ => Ok(()),
        }
    }
}

impl Limit {
    fn key(self, times: u32, key: &str) -> i64 {
        let mut hasher = DefaultHasher::new();
        (self.name, times, key).hash(&mut hasher);
        hasher.finish().cast_signed()
    }

    fn standing(self, quota: u32, window: Window, now: Moment) -> Standing {
        let reset = window.ends.since(now).as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX);
        let remaining = quota.saturating_sub(window.taken);
        Standing { limit: self.name, quota, window: self.span.as_secs(), remaining, reset: reset.max(1) }
    }
}

fn limited(Standing { limit, quota, window, reset, .. }: Standing) -> Refusal {
    Refusal::of(
        &codes::RATE_LIMITED,
        format!("the {limit} limit of {quota} in {window} seconds is reached; wait {reset} seconds"),
    )
    .about(About::Limit { limit: limit.into(), quota, window_seconds: window })
    .retry_after(reset)
}

#[cfg(test)]
mod tests;
