//! New keywords: `keywords.idea.*`.

pub(crate) mod autocomplete;
pub(crate) mod evidence;
pub(crate) mod expand;
pub(crate) mod from_content;
pub(crate) mod related;
