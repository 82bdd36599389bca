//! Looking at the pages that link: `backlinks.verify.*`.

pub(crate) mod look;
pub(crate) mod run;
pub(crate) mod select;
pub(crate) mod spam;
pub(crate) mod topic;
pub(crate) mod work;

#[cfg(test)]
mod tests;
