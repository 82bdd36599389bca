//! The websites: the project record that every other module hangs on.

mod annotation;
mod audits;
mod competitor;
mod create;
mod delete;
mod detect;
mod health;
mod impact;
mod known;
mod metric;
mod plan;
mod profile;
mod routes;
mod search;
mod segment;
mod stored;
mod task;
mod tech;
mod verify;

sdk::module! {
    operations: [
        create::create as create,
        profile::get,
        profile::update,
        tech::detect,
        verify::start,
        verify::check::check as verify::check,
        segment::set,
        segment::draft::test as segment::test,
        competitor::set,
        competitor::discover::discover as competitor::discover,
        annotation::add,
        annotation::list::list as annotation::list,
        metric::get as metric::series::get,
        impact::analyze,
        health::get,
        plan::generate::generate as plan::generate,
        plan::get::get as plan::get,
        task::create,
        task::list::list as task::list,
        task::update::update as task::update,
        task::verify::verify as task::verify,
        delete::delete as delete,
    ],
    routes: [routes::list as list, routes::get as get],
    steps: [plan::generate::work as plan],
    collections: [
        stored::Website,
        stored::Claim,
        verify::Token,
        segment::Segment,
        competitor::Competitors,
        annotation::Annotation,
        plan::Plan,
        task::stored::Task,
        task::stored::Finding,
    ],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
