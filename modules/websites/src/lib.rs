//! The websites: the project record that every other module hangs on.

mod annotation;
mod competitor;
mod create;
mod delete;
mod detect;
mod known;
mod metric;
mod profile;
mod routes;
mod segment;
mod stored;
mod task;
mod verify;

sdk::module! {
    operations: [
        create::create as create,
        profile::get,
        profile::update,
        verify::start,
        verify::check::check as verify::check,
        segment::set,
        segment::draft::test as segment::test,
        competitor::set,
        annotation::add,
        annotation::list::list as annotation::list,
        metric::get as metric::series::get,
        task::create,
        task::list::list as task::list,
        task::update::update as task::update,
        task::verify::verify as task::verify,
        delete::delete as delete,
    ],
    routes: [routes::list as list, routes::get as get],
    steps: [],
    collections: [
        stored::Website,
        stored::Claim,
        verify::Token,
        segment::Segment,
        competitor::Competitors,
        annotation::Annotation,
        task::stored::Task,
        task::stored::Finding,
    ],
}

#[cfg(test)]
mod tests;
