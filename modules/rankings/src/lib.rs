//! Rank tracking: trackers, stored result pages, positions, visibility, movers, volatility and click curves.

mod best;
mod board;
mod check;
mod competitor;
mod ctr_model;
mod demand;
mod distribution;
mod group;
mod mover;
mod pages;
mod position;
mod rows;
mod serp;
mod serp_feature;
mod share_of_voice;
mod snapshot;
mod stored;
mod tracker;
mod traffic;
#[cfg(test)]
mod trial;
mod visibility;
mod volatility;

sdk::module! {
    operations: [
        tracker::create::create as tracker::create,
        tracker::list::list as tracker::list,
        tracker::update::update as tracker::update,
        tracker::delete::delete as tracker::delete,
        check::run::run as check::run,
        check::import::import as check::import,
        position::list::list as position::list,
        position::history::get as position::history::get,
        mover::report,
        distribution::report,
        visibility::report::report as visibility::report,
        share_of_voice::report,
        serp::get::get as serp::get,
        serp::live::live as serp::live,
        serp::compare::compare as serp::compare,
        serp_feature::report,
        competitor::report,
        volatility::report,
        ctr_model::fit,
        traffic::forecast,
    ],
    steps: [check::work::check as check],
    collections: [stored::Tracker, stored::Check, stored::Serp],
    raw: [pages::RESULT_PAGES],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
