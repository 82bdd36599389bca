//! What real visitors saw: `monitoring.crux.*`.

pub(crate) mod ask;
pub(crate) mod get;
pub(crate) mod history;

#[cfg(test)]
mod tests;
