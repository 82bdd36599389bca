//! Internal links: the graph of a crawl and its authority, what is wrong with it, and new links that are found, decided
//! and put in.

mod anchor;
mod authority;
mod basis;
mod broken;
mod build;
mod depth;
mod engine;
mod leak;
mod names;
mod node;
mod orphan;
mod silo;
mod simulate;
mod stored;
mod suggestion;
mod summary;
#[cfg(test)]
mod trial;
mod usage;
mod wording;

sdk::module! {
    operations: [
        build::build as graph::build,
        summary::get as graph::summary::get,
        simulate::simulate as graph::simulate,
        authority::list,
        orphan::list,
        depth::report,
        anchor::report,
        broken::list,
        leak::report,
        silo::report,
        suggestion::page::suggest as suggestion::for_page,
        suggestion::run::start as suggestion::run,
        suggestion::list::list as suggestion::list,
        suggestion::decide::decide as suggestion::decide,
        suggestion::apply::apply as suggestion::apply,
    ],
    steps: [build::work::step as build, suggestion::run::work as suggest, suggestion::apply::work as insert],
    collections: [stored::Graph, stored::Broken, stored::Suggestion, wordpress::Change],
    untrusted: [web, provider],
}
