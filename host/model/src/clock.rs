//! Time and chance as values that are handed in, so that a test can say what they are.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const DAY: i64 = 86_400_000;

/// A moment: milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

impl Moment {
    /// The moment this much later.
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(i64::try_from(span.as_millis()).unwrap_or(i64::MAX)))
    }

    /// How long from `earlier` to here; zero when `earlier` is later.
    pub fn since(self, earlier: Moment) -> Duration {
        Duration::from_millis(u64::try_from(self.0 - earlier.0).unwrap_or(0))
    }

    /// The UTC day as `YYYY-MM-DD`.
    pub fn day(self) -> String {
        self.timestamp().strftime("%Y-%m-%d").to_string()
    }

    /// The UTC month, counted from 1970-01.
    pub fn month(self) -> i64 {
        let date = self.timestamp().to_zoned(jiff::tz::TimeZone::UTC).date();
        (i64::from(date.year()) - 1970) * 12 + i64::from(date.month()) - 1
    }

    /// The first moment of this UTC month.
    pub fn month_begun(self) -> Self {
        let zoned = self.timestamp().to_zoned(jiff::tz::TimeZone::UTC);
        let begun = zoned.date().first_of_month().to_zoned(jiff::tz::TimeZone::UTC);
        begun.map_or(self, |begun| Self(begun.timestamp().as_millisecond()))
    }

    /// The first moment of the next UTC month.
    pub fn next_month(self) -> Self {
        let zoned = self.timestamp().to_zoned(jiff::tz::TimeZone::UTC);
        let next = zoned.date().first_of_month().saturating_add(jiff::Span::new().months(1));
        next.to_zoned(jiff::tz::TimeZone::UTC).map_or(self, |next| Self(next.timestamp().as_millisecond()))
    }

    /// RFC 3339 in UTC with whole seconds.
    pub fn rfc3339(self) -> String {
        self.timestamp().strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }

    /// The first moment of a UTC day that is written `YYYY-MM-DD`; none: it is not one.
    pub fn of_day(text: &str) -> Option<Self> {
        let day: jiff::civil::Date = text.parse().ok()?;
        let start = day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
        Some(Self(start.as_millisecond()))
    }

    /// The moment of an RFC 3339 text; none: it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self(text.parse::<jiff::Timestamp>().ok()?.as_millisecond()))
    }

    /// For people, in UTC: `20 Nov 2026, 14:05`.
    pub fn words(self) -> String {
        self.timestamp().strftime("%-d %b %Y, %H:%M").to_string()
    }

    /// The UTC day for people, without its year: `20 Nov`.
    pub fn short_day(self) -> String {
        self.timestamp().strftime("%-d %b").to_string()
    }

    /// The first moment of the next UTC day.
    pub fn next_day(self) -> Self {
        Self(self.start_of_day().0 + DAY)
    }

    /// The first moment of its UTC day.
    pub fn start_of_day(self) -> Self {
        Self(self.0.div_euclid(DAY) * DAY)
    }

    fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(jiff::Timestamp::UNIX_EPOCH)
    }
}

/// Says what time it is.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Moment;
}

/// The machine's clock.
#[derive(Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "this is where the time comes from")]
    fn now(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that stands still until it is moved. For tests.
#[derive(Debug)]
pub struct FixedClock(AtomicU64);

impl FixedClock {
    /// A clock standing at this moment.
    pub fn at(moment: Moment) -> Self {
        Self(AtomicU64::new(u64::try_from(moment.0).unwrap_or(0)))
    }

    /// Moves it forward.
    pub fn advance(&self, span: Duration) {
        self.0.fetch_add(u64::try_from(span.as_millis()).unwrap_or(u64::MAX), Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Moment {
        Moment(i64::try_from(self.0.load(Ordering::SeqCst)).unwrap_or(i64::MAX))
    }
}

/// Gives random bytes.
pub trait Entropy: Send + Sync + 'static {
    /// Fills the buffer.
    fn fill(&self, buffer: &mut [u8]);
}

impl dyn Entropy {
    /// `N` random bytes.
    pub fn array<const N: usize>(&self) -> [u8; N] {
        let mut buffer = [0; N];
        self.fill(&mut buffer);
        buffer
    }
}

/// The operating system's randomness.
#[derive(Debug, Default)]
pub struct SystemEntropy;

impl Entropy for SystemEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        getrandom::fill(buffer).expect("a system without randomness cannot issue a token");
    }
}

/// SHA-256 of a seed and a counter: equal in every run. For tests and replays.
#[derive(Debug)]
pub struct SeededEntropy {
    seed: [u8; 32],
    counter: AtomicU64,
}

impl SeededEntropy {
    /// The stream that this seed stands for.
    pub fn new(seed: [u8; 32]) -> Self {
        Self { seed, counter: AtomicU64::new(0) }
    }
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(32) {
            let counter = self.counter.fetch_add(1, Ordering::SeqCst);
            let block = Sha256::new().chain_update(self.seed).chain_update(counter.to_be_bytes()).finalize();
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}
