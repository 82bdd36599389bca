//! Monitors: what is watched, how often, and what counts as wrong.

pub(crate) mod allowed;
pub(crate) mod check_now;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod rounds;
pub(crate) mod shown;
pub(crate) mod stored;
pub(crate) mod update;

#[cfg(test)]
mod tests;
