//! How fast to ask: slower at once when a site suffers, faster again in small steps (AIMD).

use crate::crawled::Pace;

/// Requests in a row without trouble before the pace rises.
pub const CLEAN: u32 = 5;
/// Server errors in a row that are taken for a site that suffers; fewer are faults of single pages.
pub const FAULTS: u32 = 3;
/// The longest pause between two requests, in milliseconds.
pub const SLOWEST_MS: u64 = 30_000;
/// The longest pause that a site is given at its request, in milliseconds.
pub const LONGEST_PAUSE_MS: u64 = 120_000;

/// How a request went, as far as the pace is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It was answered.
    Clean,
    /// An error of the server that says nothing of its load: any 5xx but 503.
    Fault,
    /// 429, 503, or a timeout; with `Retry-After` in milliseconds, if any (RFC 9110, 10.2.3; RFC 6585, 4).
    Trouble(Option<u64>),
}

impl Sign {
    /// Reads an answer.
    #[must_use]
    pub fn of_status(status: u16, retry_after_ms: Option<u64>) -> Self {
        match status {
            429 | 503 => Sign::Trouble(retry_after_ms),
            500.. => Sign::Fault,
            _ => Sign::Clean,
        }
    }
}

impl Pace {
    /// The pace to begin with: the rate asked for in thousandths of a request a second, or slower when the site
    /// asks for a pause between requests.
    #[must_use]
    pub fn start(millirps: u32, crawl_delay_ms: Option<u64>) -> Self {
        let asked = 1_000_000_u64.div_ceil(u64::from(millirps.max(1)));
        let floor_ms = asked.max(crawl_delay_ms.unwrap_or(0)).min(SLOWEST_MS);
        Self { delay_ms: floor_ms, floor_ms, ..Self::default() }
    }

    /// Takes one answer into account: half the speed after trouble, a third more after [`CLEAN`] answers without, never
    /// faster than the floor. `Retry-After` is one pause and does not make what follows slower.
    pub fn note(&mut self, sign: Sign) {
        match sign {
            Sign::Clean => {
                (self.faults, self.clean) = (0, self.clean + 1);
                if self.clean >= CLEAN {
                    self.clean = 0;
                    self.delay_ms = (self.delay_ms * 3).div_ceil(4).max(self.floor_ms);
                }
            }
            Sign::Fault => {
                self.faults += 1;
                if self.faults >= FAULTS {
                    self.faults = 0;
                    self.slow_down();
                }
            }
            Sign::Trouble(retry_after_ms) => {
                self.slow_down();
                self.pause_ms = self.pause_ms.max(retry_after_ms.unwrap_or(0).min(LONGEST_PAUSE_MS));
            }
        }
    }

    fn slow_down(&mut self) {
        self.clean = 0;
        self.slowdowns += 1;
        self.delay_ms = (self.delay_ms * 2).clamp(self.floor_ms, SLOWEST_MS);
    }

    /// Milliseconds to wait now, when the last request began so long ago.
    #[must_use]
    pub fn wait_ms(&self, since_last_ms: u64) -> u64 {
        self.delay_ms.max(self.pause_ms).saturating_sub(since_last_ms)
    }

    /// A request begins: the pause that the site asked for is over.
    pub fn begin(&mut self) {
        self.pause_ms = 0;
    }
}

/// Reads `Retry-After` given in seconds, as milliseconds. A date is not read: the guest's clock is not the site's.
#[must_use]
pub fn retry_after_ms(value: &str) -> Option<u64> {
    value.trim().parse::<u64>().ok().map(|seconds| seconds.saturating_mul(1_000))
}

#[cfg(test)]
mod tests;
