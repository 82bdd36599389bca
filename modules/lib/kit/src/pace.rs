//! How fast to ask: slower at once when a site suffers, faster again in small steps (AIMD).

use crate::crawled::Pace;

/// Requests in a row without trouble before the pace rises.
pub const CLEAN: u32 = 20;
/// The longest pause between two requests, in milliseconds.
pub const SLOWEST_MS: u64 = 30_000;

/// How a request went, as far as the pace is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// It was answered.
    Clean,
    /// 429, any 5xx, or a timeout; with `Retry-After` in milliseconds, if any.
    Trouble(Option<u64>),
}

impl Sign {
    /// Reads an answer.
    #[must_use]
    pub fn of_status(status: u16, retry_after_ms: Option<u64>) -> Self {
        if status == 429 || status >= 500 { Sign::Trouble(retry_after_ms) } else { Sign::Clean }
    }
}

impl Pace {
    /// The pace to begin with: the rate asked for in thousandths of a request a second, or slower when the site
    /// asks for a pause between requests.
    #[must_use]
    pub fn start(millirps: u32, crawl_delay_ms: Option<u64>) -> Self {
        let asked = 1_000_000_u64.div_ceil(u64::from(millirps.max(1)));
        let floor_ms = asked.max(crawl_delay_ms.unwrap_or(0)).min(SLOWEST_MS);
        Self { delay_ms: floor_ms, floor_ms, clean: 0, slowdowns: 0 }
    }

    /// Takes one answer into account: half the speed after trouble, a tenth more after [`CLEAN`] answers without,
    /// never faster than the floor.
    pub fn note(&mut self, sign: Sign) {
        match sign {
            Sign::Clean => {
                self.clean += 1;
                if self.clean >= CLEAN {
                    self.clean = 0;
                    self.delay_ms = (self.delay_ms * 10).div_ceil(11).max(self.floor_ms);
                }
            }
            Sign::Trouble(retry_after_ms) => {
                self.clean = 0;
                self.slowdowns += 1;
                let asked = retry_after_ms.unwrap_or(0);
                self.delay_ms = (self.delay_ms * 2).max(asked).clamp(self.floor_ms, SLOWEST_MS);
            }
        }
    }

    /// Milliseconds to wait now, when the last request began so long ago.
    #[must_use]
    pub fn wait_ms(&self, since_last_ms: u64) -> u64 {
        self.delay_ms.saturating_sub(since_last_ms)
    }
}

/// Reads `Retry-After` given in seconds, as milliseconds. A date is not read: the guest's clock is not the site's.
#[must_use]
pub fn retry_after_ms(value: &str) -> Option<u64> {
    value.trim().parse::<u64>().ok().map(|seconds| seconds.saturating_mul(1_000))
}

#[cfg(test)]
mod tests;
