//! The shapes that results of all modules share, so that a caller learns each of them once.

mod basis;
mod degraded;
mod interval;
mod money;
mod next;
mod progress;
mod severity;
mod whole;

pub use basis::Basis;
pub use degraded::Degraded;
pub use interval::Interval;
pub use money::{Money, credits};
pub use next::{Fix, Next, served};
pub use progress::Progress;
pub use severity::Severity;
pub use whole::Whole;

#[cfg(test)]
mod tests;
