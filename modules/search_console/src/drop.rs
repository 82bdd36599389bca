//! `search_console.drop.explain`: when search traffic changed, what carries the change, and what happened then.

mod carriers;
mod drivers;
mod events;
pub(crate) mod explain;
mod verdict;

#[cfg(test)]
pub(crate) use events::Annotation;
pub(crate) use events::Deployment;
