//! Server logs: what bots really do on a website, by family, address, status and day.

mod ai_agents;
mod bot;
mod crawl_budget;
mod crawled;
mod discovery_lag;
mod format;
mod frequency;
mod given;
mod import;
mod private;
mod source;
mod status;
mod stored;
#[cfg(test)]
mod trial;
mod uncrawled;
mod unlinked;
mod url;

sdk::module! {
    operations: [
        format::detect::detect as format::detect,
        source::save::save as source::save,
        import::run::run as import::run,
        import::list::list as import::list,
        bot::report::report as bot::report,
        bot::verify::verify as bot::verify,
        crawl_budget::report,
        status::report,
        url::history::get,
        frequency::report,
        uncrawled::list,
        unlinked::list,
        discovery_lag::report,
        ai_agents::report,
    ],
    steps: [import::work::import as import, bot::verify::job::verify as verify],
    collections: [
        stored::Source,
        stored::Import,
        stored::Merging,
        stored::RangeList,
        stored::Verification,
    ],
    raw: [stored::CLAIMS],
    untrusted: [web],
}
