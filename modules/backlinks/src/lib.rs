//! Links from other websites: imported from everybody's exports, summed up, held against the own pages, and given up.

mod anchor;
mod broken;
mod cadence;
mod change;
mod contact;
mod disavow;
mod domains;
mod equity;
mod gap;
mod given;
mod import;
mod link;
mod links;
mod listing;
mod looked;
mod mention;
mod network;
mod outside;
mod profile;
mod prospect;
mod quality;
mod refresh;
mod searching;
mod stored;
mod subject;
#[cfg(test)]
mod trial;
mod verify;
mod watch;

sdk::module! {
    operations: [
        import::run::run as import::run,
        refresh::run::run as refresh::run,
        profile::get,
        links::list::list as link::list,
        domains::list::list as domain::list,
        anchor::report,
        broken::list,
        change::report,
        equity::report,
        disavow::build::build as disavow::build,
        disavow::validate::validate as disavow::validate,
        verify::run::run as verify::run,
        gap::analyze::analyze as gap::analyze,
        quality::score as quality::score,
        network::run::detect as network::detect,
        mention::scan::scan as mention::scan,
        prospect::find::find as prospect::find,
        watch::set::set as watch::set,
        watch::list::list as watch::list,
    ],
    steps: [import::work::import as import, refresh::work::refresh as refresh, gap::work::gap as gap, verify::work::verify as verify, network::work::detect as detect, mention::work::scan as scan, prospect::work::find as find],
    collections: [stored::Profile, looked::Looks, watch::stored::Watched, prospect::stored::Prospect],
    untrusted: [web, provider],
}
