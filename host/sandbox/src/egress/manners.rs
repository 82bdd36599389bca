//! Politeness by construction. No page is fetched that its origin's robots.txt forbids, and every request takes a
//! rate-limit slot of its host, whoever the caller is. A host that asks for a pause gets it from all callers.
//!
//! A module may have its own rate limit on top, such as a crawl that goes slowly. The two do not add up: while the
//! module waits, the next slot here becomes available.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use model::clock::Moment;
use model::id::CustomerId;
use store::Store;
use store::edges::pages::Shelf;
use store::edges::turns::{Pace, Turn};
use tokio::time::Instant;

use super::resolve::Place;
use super::{Failure, Fetched, Guard};

/// The length of a pause in slots, if a host asks for one without saying how long.
const PAUSE: u32 = 5;
/// The longest pause that a host can ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// The longest wait for a rate-limit slot.
const PATIENCE: Duration = Duration::from_secs(20);
/// The least time after which a job asks for a slot again.
const SOON: Duration = Duration::from_millis(20);
/// The delay that a caller is told if the store cannot assign slots.
const UNKNOWN: Duration = Duration::from_secs(1);

/// How a guest fetches pages.
#[derive(Clone, Debug)]
pub struct Manners {
    pub(super) store: Store,
    until: Instant,
    pub(super) obey: Obey,
    pub(super) shelf: Option<Shelf>,
    lane: Lane,
    /// The host that the customer has proven to own.
    owned: Option<Arc<str>>,
    customer: Option<CustomerId>,
}

/// Whose slots come first at a host that several want. A slot that is taken ahead is gone for everybody who comes later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lane {
    /// May take slots ahead, as far as it can wait: somebody waits for the answer.
    #[default]
    Call,
    /// Takes a slot only when it is there, and leaves a quarter of the host's burst to calls: a job at a website that its
    /// customer has proven to own.
    Owner,
    /// As [`Lane::Owner`], and leaves half: any other job. While owners want slots, none come back to it.
    Job,
}

impl Lane {
    /// Slots of the burst that it leaves to others.
    fn leaves(self, pace: Pace) -> u32 {
        match self {
            Lane::Call => 0,
            Lane::Owner => pace.burst / 4,
            Lane::Job => pace.burst / 2,
        }
    }
}

/// Whether robots.txt is obeyed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obey {
    /// Obey it.
    #[default]
    Rules,
    /// Ignore it: a person named the page, or it is robots.txt itself.
    Nothing,
}

impl Manners {
    /// Assigns rate-limit slots through this store, and waits for them until this moment at the latest.
    pub fn new(store: Store, until: Instant) -> Self {
        Self { store, until, obey: Obey::Rules, shelf: None, lane: Lane::Call, owned: None, customer: None }
    }

    /// Sets whether robots.txt is obeyed.
    #[must_use]
    pub fn obeying(self, obey: Obey) -> Self {
        Self { obey, ..self }
    }

    /// Sets whose slots come first.
    #[must_use]
    pub fn along(self, lane: Lane) -> Self {
        Self { lane, ..self }
    }

    /// For this customer: few of its calls take slots of one host ahead.
    #[must_use]
    pub fn of(self, customer: CustomerId) -> Self {
        Self { customer: Some(customer), ..self }
    }

    /// The customer has proven to own this host: a job's slots there come before those of strangers' jobs.
    #[must_use]
    pub fn owning(self, host: Option<Arc<str>>) -> Self {
        Self { owned: host, ..self }
    }

    /// The lane at this host.
    fn lane_at(&self, host: &str) -> Lane {
        let is_own = |own: &str| host == own || host.strip_suffix(own).is_some_and(|rest| rest.ends_with('.'));
        match self.lane {
            Lane::Job if self.owned.as_deref().is_some_and(is_own) => Lane::Owner,
            lane => lane,
        }
    }

    /// Caches pages here.
    #[must_use]
    pub fn keeping(self, shelf: Shelf) -> Self {
        Self { shelf: Some(shelf), ..self }
    }
}

impl Guard {
    /// Takes the next rate-limit slot of a host and waits for it.
    pub(super) async fn take_turn(&self, place: &Place, pace: Pace, manners: &Manners) -> Result<(), Failure> {
        let host = place.host.text();
        let until = Instant::now() + manners.until.saturating_duration_since(Instant::now()).min(PATIENCE);
        let lane = manners.lane_at(&host);
        let _queue = match (&manners.customer, lane) {
            (Some(customer), Lane::Call) => Some(self.queues.enter(customer, &host, until).await?),
            _ => None,
        };
        loop {
            let now = manners.store.database.now();
            let patience = until.saturating_duration_since(Instant::now());
            let ahead = if lane == Lane::Call { patience } else { Duration::ZERO };
            match manners.store.edges.take_turn(&host, pace, lane.leaves(pace), now, now.plus(ahead)).await {
                Ok(Turn::At(start)) => {
                    tokio::time::sleep(start.since(now)).await;
                    return Ok(());
                }
                // A job asks again when there may be a slot for it.
                Ok(Turn::NotBefore(start)) if start.since(now) <= patience => {
                    tokio::time::sleep(start.since(now).max(SOON)).await;
                }
                Ok(Turn::NotBefore(start)) => return Err(Failure::Paced(start.since(now))),
                Err(error) => {
                    tracing::warn!(error = %error, "nobody can tell whose turn it is");
                    return Err(Failure::Paced(UNKNOWN));
                }
            }
        }
    }

    /// The pause that a response asks for, within bounds.
    pub(super) fn pause(&self, fetched: &Fetched, now: Moment) -> Duration {
        let said = fetched.headers.iter().find(|(name, _)| name == "retry-after");
        let said = said.and_then(|(_, value)| retry_after(value, now));
        said.unwrap_or(self.policy.pace.every * PAUSE).min(LONGEST_PAUSE)
    }

    /// Delays all further requests to a host that asks for a pause (RFC 6585, 4, and RFC 9110, 15.6.4).
    pub(super) async fn heed(&self, place: &Place, fetched: &Fetched, manners: &Manners) {
        if !matches!(fetched.status, 429 | 503) {
            return;
        }
        let now = manners.store.database.now();
        let until = now.plus(self.pause(fetched, now));
        if let Err(error) = manners.store.edges.hold_off(&place.host.text(), self.policy.pace, until).await {
            tracing::warn!(error = %error, "a host's wish for a pause could not be kept");
        }
    }
}

/// Parses `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
fn retry_after(value: &str, now: Moment) -> Option<Duration> {
    if let Ok(seconds) = value.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(value.trim()).ok()?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let now = Duration::from_millis(u64::try_from(now.0).unwrap_or(0));
    Some(date.saturating_sub(now))
}

#[cfg(test)]
mod tests;
