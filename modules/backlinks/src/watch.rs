//! Links that are watched: `backlinks.watch.*`.

pub(crate) mod list;
pub(crate) mod set;
pub(crate) mod stored;

#[cfg(test)]
mod tests;
