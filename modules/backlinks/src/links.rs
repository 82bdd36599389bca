//! Links: `backlinks.link.*`.

pub(crate) mod list;
