//! Speed and what visitors saw of it, what a page loads and how it is sent, what is unusual, and what updates of Google did.

mod anomaly;
mod crux;
mod cwv;
mod headers;
mod near;
mod page_weight;
mod psi;
#[cfg(test)]
mod trial;
mod ttfb;
mod update_impact;

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
    ],
    steps: [psi::work::psi as psi],
    collections: [psi::stored::Measured],
    untrusted: [web, provider],
}
