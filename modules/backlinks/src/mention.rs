//! Mentions of the brand: `backlinks.mention.*`.

mod names;
pub(crate) mod scan;
mod sources;
pub(crate) mod work;

#[cfg(test)]
mod tests;
