//! Positions: `rankings.position.*`.

pub(crate) mod history;
pub(crate) mod list;
