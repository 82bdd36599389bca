//! Registrations of domains over RDAP: which registry answers (RFC 9224), and what it answers (RFC 9082, RFC 9083).

mod ask;
mod object;

use sdk::prelude::*;

pub use ask::{Answered, Registries};
pub use object::{Object, moment};

/// A place that was asked.
#[value]
pub struct Source {
    /// Its address.
    pub url: String,
    /// 0 without an answer.
    pub status: u16,
}
