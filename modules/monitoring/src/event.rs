//! Events: changes that monitors saw, and incidents with their beginning and end.

pub(crate) mod acknowledge;
pub(crate) mod diff;
pub(crate) mod list;
pub(crate) mod noise;
pub(crate) mod stored;

#[cfg(test)]
mod tests;
