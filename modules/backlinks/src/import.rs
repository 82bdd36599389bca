//! Imports of link exports: `backlinks.import.*`.

pub(crate) mod merging;
pub(crate) mod run;
pub(crate) mod table;
pub(crate) mod work;

#[cfg(test)]
mod tests;
