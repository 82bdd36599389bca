//! Politeness by construction: no page is asked for that the robots.txt of its place forbids, none without a turn at its
//! host, whoever asks, and a host that wants a pause gets it from everybody.
//!
//! A module may have a pace of its own on top (a crawl that is asked to go slowly, or slows down by itself). The two do
//! not add up: while a module waits its turn comes nearer, and here it finds it free.

use std::time::{Duration, SystemTime};

use model::clock::Moment;
use store::Store;
use store::pages::Shelf;
use store::turns::{Pace, Turn};
use tokio::time::Instant;

use super::resolve::Place;
use super::{Failure, Fetched, Guard};

/// Turns that a host is given to itself when it asks for a pause without saying how long.
const PAUSE: u32 = 5;
/// The longest pause that a host can ask of everybody.
const LONGEST_PAUSE: Duration = Duration::from_secs(120);
/// The longest that anybody waits for a turn.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to stay away when nobody can tell whose turn it is.
const UNKNOWN: Duration = Duration::from_secs(1);

/// How a guest asks for pages.
#[derive(Clone, Debug)]
pub struct Manners {
    pub(super) store: Store,
    until: Instant,
    pub(super) obey: Obey,
    pub(super) shelf: Option<Shelf>,
}

/// What is obeyed of a robots.txt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Obey {
    /// All of it.
    #[default]
    Rules,
    /// Nothing: a person named the page, or it is the file itself.
    Nothing,
}

impl Manners {
    /// Turns are kept in this store, and waited for until this moment at the latest.
    pub fn new(store: Store, until: Instant) -> Self {
        Self { store, until, obey: Obey::Rules, shelf: None }
    }

    /// Obeys this much.
    #[must_use]
    pub fn obeying(self, obey: Obey) -> Self {
        Self { obey, ..self }
    }

    /// Keeps pages here, and takes them from here.
    #[must_use]
    pub fn keeping(self, shelf: Shelf) -> Self {
        Self { shelf: Some(shelf), ..self }
    }
}

impl Guard {
    /// Takes the next turn at a host and waits for it.
    pub(super) async fn take_turn(&self, place: &Place, pace: Pace, manners: &Manners) -> Result<(), Failure> {
        let now = manners.store.now();
        let patience = manners.until.saturating_duration_since(Instant::now()).min(PATIENCE);
        let turn = manners.store.take_turn(&place.host.text(), pace, now, now.plus(patience)).await;
        match turn {
            Ok(Turn::At(start)) => tokio::time::sleep(start.since(now)).await,
            Ok(Turn::NotBefore(start)) => return Err(Failure::Paced(start.since(now))),
            Err(error) => {
                tracing::warn!(error = %error, "nobody can tell whose turn it is");
                return Err(Failure::Paced(UNKNOWN));
            }
        }
        Ok(())
    }

    /// The pause that an answer asks for, within bounds.
    pub(super) fn pause(&self, fetched: &Fetched, now: Moment) -> Duration {
        let said = fetched.headers.iter().find(|(name, _)| name == "retry-after");
        let said = said.and_then(|(_, value)| retry_after(value, now));
        said.unwrap_or(self.policy.pace.every * PAUSE).min(LONGEST_PAUSE)
    }

    /// Gives the host the pause that it asks for (RFC 6585, 4, and RFC 9110, 15.6.4).
    pub(super) async fn heed(&self, place: &Place, fetched: &Fetched, manners: &Manners) {
        if !matches!(fetched.status, 429 | 503) {
            return;
        }
        let now = manners.store.now();
        let until = now.plus(self.pause(fetched, now));
        if let Err(error) = manners.store.hold_off(&place.host.text(), self.policy.pace, until).await {
            tracing::warn!(error = %error, "a host's wish for a pause could not be kept");
        }
    }
}

/// `Retry-After`: seconds, or a date (RFC 9110, 10.2.3).
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
