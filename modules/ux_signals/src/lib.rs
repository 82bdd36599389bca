//! Viral organic boost, honestly: tracked links, invitations to people who opted in, and visits measured on our own
//! redirects. Nothing here imitates a person, clicks a result, or asks for a search, a rating or a review.

mod action;
mod audience;
mod charge;
mod deliver;
mod due;
mod hits;
mod integrity;
mod link;
mod listed;
mod measure;
mod metric;
mod people;
mod prepare;
mod reading;
mod report;
mod steering;
mod stored;
#[cfg(test)]
mod tests;
mod viral;

sdk::module! {
    operations: [
        viral::quote as viral::campaign::quote,
        viral::create as viral::campaign::create,
        steering::pause as viral::campaign::pause,
        steering::stop as viral::campaign::stop,
        reading::list as campaign::list,
        reading::get as campaign::get,
        listed::list as campaign::link::list,
        action::list as campaign::action::list,
        metric::get as campaign::metric::get,
        charge::list as campaign::charge::list,
        integrity::get as campaign::integrity::get,
        audience::list,
        audience::register,
        link::create,
        report::report as link::report,
    ],
    steps: [prepare::work as prepare, deliver::work as deliver],
    collections: [stored::Campaign, stored::Link, stored::Audience, stored::Task],
    untrusted: [web, provider],
}
