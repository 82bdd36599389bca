//! `search_console.performance.*`: questions about stored performance, and the comparison of two periods.

pub(crate) mod compare;
pub(crate) mod query;
mod shapley;
