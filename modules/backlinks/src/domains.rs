//! Referring domains: `backlinks.domain.*`.

pub(crate) mod list;
