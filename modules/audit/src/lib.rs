//! The audit: a rule engine over crawled and live pages, with evidence for every finding and the operation that fixes it.

mod analysis;
mod catalog;
pub mod engine;
pub mod evidence;
pub mod index;
mod issue;
pub mod language;
pub mod limits;
mod live;
mod opportunities;
pub mod opportunity;
mod page;
pub mod pixels;
mod routes;
pub mod rule;
pub mod rules;
mod run;
pub mod score;
mod site;
pub mod stored;
mod work;

sdk::module! {
    operations: [
        run::start,
        run::get,
        run::list,
        opportunities::analyze,
        opportunities::list,
        page::check,
        issue::list,
        issue::get,
        issue::url::list,
        catalog::list as rule::list,
    ],
    routes: [routes::audits as opportunities],
    steps: [work::run as run],
    collections: [
        stored::Audit,
        stored::Issue,
        stored::IssueUrl,
        stored::Kept,
        stored::Part,
        stored::BadLink,
    ],
}
