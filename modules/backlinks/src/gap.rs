//! Domains that link to competitors: `backlinks.gap.*`.

pub(crate) mod analyze;
pub(crate) mod work;

#[cfg(test)]
mod tests;
