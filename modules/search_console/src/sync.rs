//! The import of search figures: the operation that starts it, its job, and what is stored of it.

pub(crate) mod run;
pub(crate) mod work;

mod appearances;
mod counts;
mod plan;
mod rows;
mod totals;

#[cfg(test)]
mod tests;
