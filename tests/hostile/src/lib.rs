//! Hostile guests, and what must become of each: for the sandbox's own tests, and for `espalier prove` on the machine
//! and with the settings that somebody really uses.

mod cases;
mod crowd;
pub mod guest;
mod judge;

pub use cases::{Attempt, CASES, Case, Expected};
pub use judge::{Verdict, judge};
