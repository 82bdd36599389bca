//! The shapes that results of all modules share, so that a caller learns each of them once.

mod degraded;
mod interval;
mod money;
mod next;
mod progress;
mod severity;

pub use degraded::Degraded;
pub use interval::Interval;
pub use money::Money;
pub use next::{Fix, Next};
pub use progress::Progress;
pub use severity::Severity;

#[cfg(test)]
mod tests;
