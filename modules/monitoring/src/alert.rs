//! Alerts: rules on figures and events, what they fired, and what the customer was told.

pub(crate) mod condition;
pub(crate) mod daily;
pub(crate) mod fire;
pub(crate) mod list;
pub(crate) mod rule;
pub(crate) mod stored;

#[cfg(test)]
mod tests;
