//! The audit: a rule engine over crawled and live pages, with evidence for every finding and the operation that fixes it.

mod act;
mod analysis;
mod catalog;
pub mod engine;
pub mod evidence;
mod fix;
pub mod index;
mod issue;
pub mod language;
mod lighthouse;
pub mod limits;
mod opportunities;
pub mod opportunity;
mod page;
pub mod pixels;
mod report;
mod routes;
pub mod rule;
pub mod rules;
mod run;
pub mod score;
pub mod settings;
pub mod stake;
pub mod stored;
#[cfg(test)]
mod trial;
mod work;
pub mod worth;

sdk::module! {
    operations: [
        run::start,
        run::get,
        run::list,
        run::difference::compare as run::compare,
        opportunities::analyze,
        opportunities::list,
        page::check,
        lighthouse::check as lighthouse_seo::check,
        issue::list,
        issue::get,
        issue::url::list,
        issue::suppress::suppress as issue::suppress,
        catalog::list as rule::list,
        settings::configure as rule::configure,
        report::metadata::report as metadata::report,
        report::heading::report as heading::report,
        report::canonical::report as canonical::report,
        report::thin_content::report as thin_content::report,
        report::security::report as security::report,
        report::url_hygiene::report as url_hygiene::report,
        report::indexability::report as indexability::report,
        report::duplicate::report as duplicate::report,
        report::image::report as image::report,
        fix::suggest,
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
        settings::Settings,
        issue::suppress::Suppression,
    ],
    untrusted: [web],
}
