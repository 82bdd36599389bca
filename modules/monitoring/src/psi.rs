//! PageSpeed Insights: `monitoring.psi.*`.

pub(crate) mod list;
mod read;
pub(crate) mod run;
pub(crate) mod stored;
pub(crate) mod work;

#[cfg(test)]
mod tests;
