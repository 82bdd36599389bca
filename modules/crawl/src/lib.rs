//! Crawl: the polite crawler and its store, on which audits, links and content stand.

mod columns;
mod digest;
pub(crate) mod extraction;
mod fields;
pub(crate) mod link;
pub(crate) mod page;
pub(crate) mod redirect;
pub(crate) mod resource;
pub(crate) mod run;
pub(crate) mod schedule;
mod stored;
pub(crate) mod structure;
pub(crate) mod trap;
pub(crate) mod url;
mod work;

use stored::{
    External, Extracted, Extraction, Folder, Frontier, Host, Linked, Page, Resource, Row, Run, Stop, Summary,
};

sdk::module! {
    operations: [
        run::start::start as run::start,
        run::get,
        run::list,
        run::stop,
        run::removal::delete as run::delete,
        run::differences::compare as run::compare,
        run::again::recrawl as run::recrawl,
        page::listing::list as page::list,
        page::get,
        page::content::get,
        page::finding::search as page::search,
        link::list,
        resource::list,
        redirect::list,
        structure::get,
        trap::detect,
        extraction::set,
        extraction::test,
        extraction::result::list,
        url::fetching::fetch as url::fetch,
        url::checking::batch_check as url::batch_check,
        schedule::set,
    ],
    steps: [work::work as run, work::recrawl::again as recrawl, url::checking::work as check],
    collections: [
        Run, Page, Row, Linked, External, Frontier, Host, Stop, Resource, Folder, Summary, Extracted, Extraction,
    ],
    raw: [stored::PAGE_BODIES],
    untrusted: [web],
}

#[cfg(test)]
mod tests;
