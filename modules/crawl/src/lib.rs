//! Crawl: the polite crawler and its store, on which audits, links and content stand.

mod fields;
mod filter;
pub(crate) mod link;
pub(crate) mod page;
pub(crate) mod run;
mod stored;
mod work;

use stored::{External, Frontier, Host, Linked, Page, Row, Run, Stop};

sdk::module! {
    operations: [run::start, run::get, run::list, run::stop, page::list, page::get, link::list],
    steps: [work::work as run],
    collections: [Run, Page, Row, Linked, External, Frontier, Host, Stop],
}

#[cfg(test)]
mod tests;
