//! Speed and what visitors saw of it, what a page loads and how it is sent, what is unusual, what updates of Google did, and
//! monitors with the events and alerts that they make.

mod alert;
mod anomaly;
mod check;
mod crux;
mod cwv;
mod event;
mod headers;
mod monitor;
mod near;
mod page_weight;
mod psi;
mod series;
#[cfg(test)]
mod trial;
mod ttfb;
mod update_impact;
mod uptime;

sdk::module! {
    operations: [
        psi::run::run as psi::run,
        psi::list::list as psi::result::list,
        crux::get::get as crux::get,
        crux::history::get as crux::history::get,
        cwv::report,
        page_weight::check,
        headers::check,
        ttfb::sample,
        anomaly::detect,
        update_impact::analyze,
        monitor::create::create as monitor::create,
        monitor::list::list as monitor::list,
        monitor::update::update as monitor::update,
        monitor::delete::delete as monitor::delete,
        monitor::check_now::check_now as monitor::check_now,
        event::list::list as event::list,
        event::diff::get as event::diff::get,
        event::acknowledge::acknowledge as event::acknowledge,
        uptime::report,
        alert::rule::set as alert_rule::set,
        alert::list::list as alert::list,
    ],
    steps: [psi::work::psi as psi, check::check as check, alert::daily::alerts as alerts],
    collections: [
        psi::stored::Measured,
        monitor::stored::Monitor,
        event::stored::Event,
        uptime::days::DayOfChecks,
        alert::stored::Rule,
        alert::stored::Alert,
    ],
    untrusted: [web, provider],
}
