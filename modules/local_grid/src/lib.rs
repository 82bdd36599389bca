//! Local grid: where a business stands in map results all over its surroundings, and campaigns of invitations that
//! begin with what scans have found.

mod business;
mod competitor;
mod geodesy;
mod given;
mod gmb_signals;
mod grid;
mod heatmap;
mod layout;
mod metrics;
mod pin;
mod provider;
mod proximity;
mod reach;
mod recognise;
mod run;
mod schedule;
mod stored;
mod trend;
#[cfg(test)]
mod trial;
mod work;
mod zone;

sdk::module! {
    operations: [
        business::add,
        business::list::list as business::list,
        grid::preview,
        run::start::start as run::start,
        run::get,
        run::list::list as run::list,
        run::stop::stop as run::stop,
        run::delete::delete as run::delete,
        pin::list,
        run::compare::compare as run::compare,
        competitor::report,
        zone::detect,
        proximity::fit,
        trend::report,
        heatmap::render,
        schedule::set,
        gmb_signals::sources::get,
        gmb_signals::campaign::quote,
        gmb_signals::create::create as gmb_signals::campaign::create,
        gmb_signals::view::get as gmb_signals::campaign::get,
    ],
    steps: [work::run as scan, gmb_signals::day::run as signals],
    collections: [
        stored::Business,
        stored::Run,
        stored::Tally,
        stored::Pin,
        stored::Place,
        stored::Stop,
        gmb_signals::stored::Campaign,
        gmb_signals::stored::NativeKey,
    ],
    untrusted: [provider],
}
