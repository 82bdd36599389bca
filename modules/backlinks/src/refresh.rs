//! Links from a provider's index: `backlinks.refresh.*`.

pub(crate) mod run;
pub(crate) mod work;

#[cfg(test)]
mod tests;
