//! Keywords of a set: `keywords.item.*`.

pub(crate) mod import;
pub(crate) mod list;
mod merging;
pub(crate) mod remove;
mod source;
pub(crate) mod update;
pub(crate) mod view;
