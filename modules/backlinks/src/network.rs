//! Domains that look commonly run: `backlinks.network.*`.

pub(crate) mod evidence;
pub(crate) mod groups;
pub(crate) mod run;
pub(crate) mod stored;
pub(crate) mod work;

#[cfg(test)]
mod tests;
