//! Keyword research: sets, metrics, clusters, and which page answers what.

mod cannibalization;
mod cluster;
mod competitor;
mod difficulty;
mod gap;
mod idea;
mod intent;
mod item;
mod language;
mod map;
mod market;
mod metric;
mod ngram;
mod normal;
mod opportunity;
mod question;
mod seasonality;
mod set;
mod stored;
#[cfg(test)]
mod trial;

sdk::module! {
    operations: [
        set::create::create as set::create,
        set::list::list as set::list,
        set::delete::delete as set::delete,
        item::import::import as item::import,
        item::list::list as item::list,
        item::update::update as item::update,
        item::remove::remove as item::remove,
        idea::expand::expand as idea::expand,
        idea::autocomplete::autocomplete as idea::autocomplete,
        idea::related::related as idea::related,
        idea::from_content::from_content as idea::from_content,
        metric::refresh::refresh as metric::refresh,
        seasonality::analyze,
        intent::classify,
        question::extract,
        cluster::lexical::lexical as cluster::lexical,
        cluster::serp::serp as cluster::serp,
        cluster::list::list as cluster::list,
        cluster::edit::edit as cluster::edit,
        map::assign::assign as map::assign,
        map::report::report as map::report,
        difficulty::estimate,
        opportunity::score,
        gap::analyze::analyze as gap::analyze,
        competitor::list,
        cannibalization::detect,
        ngram::report,
    ],
    steps: [
        metric::work::refresh as refresh,
        cluster::lexical_work::lexical as lexical,
        cluster::serp_work::serp as serp,
        map::work::map as map,
        gap::work::gap as gap,
    ],
    collections: [stored::Set, stored::Keyword, stored::Months, stored::Cluster, stored::Serp],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
